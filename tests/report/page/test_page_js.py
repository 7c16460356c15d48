from __future__ import annotations

import re

from toprung.report.page.shell import asset

SCRIPT = asset("shared/marks.js") + asset("page.js")


def test_the_script_fetches_nothing_and_writes_text_only() -> None:
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\b|https?:", SCRIPT)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", SCRIPT)


def test_the_script_ends_no_tag_and_begins_no_comment_of_the_page() -> None:
    assert not re.search(r"</|<!--", SCRIPT)
