"""Nobody needs a pointer: a participant sends a run, and a visitor comes from the front page to a deciding query."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.cast import DEV, even_ranks, run_text
from tests.web.journeys.conftest import Enter
from tests.web.journeys.fill import KEYED
from tests.web.journeys.keys import Keyboard
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with


def test_a_run_is_submitted_and_understood_without_a_pointer(enter: Enter, tmp_path: Path) -> None:
    sender = Walk(seen=enter(f"/b/{KEYED}/", "mate"))
    submit(sender, tmp_path)
    visitor = Walk(seen=enter("/"))
    reach_the_board(visitor)
    sort_and_narrow(visitor)
    reach_a_deciding_query(visitor)
    assert [*sender.faults, *visitor.faults] == []


def submit(walk: Walk, folder: Path) -> None:
    """The file by the dialog, the words typed, the button by Enter; then the page of the run follows it."""
    keys, file = Keyboard(seen=walk.seen), folder / "by-hand.txt"
    file.write_bytes(run_text(even_ranks(2) | dict.fromkeys(DEV, 2), name="by-hand"))
    keys.open("a.btn", "Submit a run")
    keys.choose_file("#file", file)
    walk.wait_for("Counts as one submission", within="#submit-bar")
    keys.type_into("[name=description]", "Typed.")
    keys.open("#submit-bar button", "Submit")
    walk.wait_for("See its page")


def reach_the_board(walk: Walk) -> None:
    """The first key offers to skip what is the same on every page; from there it is the cards."""
    keys = Keyboard(seen=walk.seen)
    keys.tab_to("a", "Skip to content")
    keys.press("Enter")
    keys.open(f"a[href='/b/{KEYED}/']")
    assert "by-hand does best" in walk.reads(".sentence")


def sort_and_narrow(walk: Walk) -> None:
    """A heading by Enter, a choice by an arrow; the address follows."""
    keys = Keyboard(seen=walk.seen)
    keys.tab_to("select[name=per]")
    keys.press("ArrowDown")
    walk.seen.run(lambda page: page.wait_for_url("**per=best**"))
    keys.tab_to("thead a.sort", "Answered")
    keys.press("Enter")
    walk.seen.run(lambda page: page.wait_for_url("**sort=-answered**"))
    walk.seen.run(lambda page: page.wait_for_selector("th[aria-sort='descending'] a:has-text('Answered')"))


def reach_a_deciding_query(walk: Walk) -> None:
    keys = Keyboard(seen=walk.seen)
    keys.open("#B1 a[href*='/compare/?']")
    keys.tab_to("#deciding summary", "Answer and what each put first")
    keys.press("Enter")
    assert "by-hand put first" in walk.reads("#deciding details[open]")
