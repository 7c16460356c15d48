"""How is a text written that a paper takes as it is? Under its heading; code as it stands."""

from __future__ import annotations

from toprung.report.page.words import plain, words
from toprung.result import Passage, PassageKind, Result


def write_passages(result: Result) -> str:
    return "".join(map(_write_passage, result.passages))


def _write_passage(passage: Passage) -> str:
    is_code = passage.kind is PassageKind.CODE
    text = f'<pre tabindex="0">{plain(passage.text)}</pre>' if is_code else f"<p>{words(passage.text)}</p>"
    return f'<div class="passage"><h3>{words(passage.heading)}</h3>{text}</div>\n'
