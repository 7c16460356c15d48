"""The sentence of a board: at most 25 words with names, in the words of the library, and never more than is known."""

from __future__ import annotations

from typing import Any

import pytest

from toprung.web.services.shown.board.verdict import write_board

NAMES = {
    "R1": "tern-embed-l",
    "R2": "corvid-ens",
    "R3": "meridian-x",
    "R4": "halden-mono",
    "R5": "bau-fuse",
    "B1": "BM25",
}


def board(top_group: list[str], **fields: Any) -> dict[str, Any]:
    """A stored board of 12 runs on 54 queries, of whose claims none has passed."""
    content = {
        "top_group": top_group,
        "n_runs": 12,
        "n_queries": 54,
        "has_runs": True,
        "has_claims": True,
        "holder": None,
        "proved_since": None,
        "n_later": 0,
        "overtaken_by": [],
        "references": [top_group[0] if top_group else "B1"],
        "highest_score": 0.418,
        "decimals": 3,
    }
    return content | fields


@pytest.mark.parametrize(
    ("content", "bold", "rest"),
    [
        (board(["R1"]), "tern-embed-l does best,", "beyond chance."),
        (
            board(["R1", "R2", "R3", "R4"]),
            "Four runs may be best: tern-embed-l, corvid-ens, meridian-x and halden-mono;",
            "the labels cannot tell them apart.",
        ),
        (
            board(["R1", "R2", "R3", "R4", "R5"]),
            "Five runs may be best: tern-embed-l, corvid-ens, meridian-x and 2 more;",
            "54 queries cannot tell them apart.",
        ),
        (
            board(["R1", "R2", "R3", "R4", "R5", "R6", "R7"]),
            "54 queries cannot yet say which of 12 runs is best;",
            "tern-embed-l, corvid-ens and meridian-x score highest.",
        ),
        (board(["B1"], has_runs=False), "No run yet.", "BM25, the baseline, scores 0.418."),
    ],
    ids=["one", "two to four", "five or more", "over half", "none"],
)
def test_the_sentence(content: dict[str, Any], bold: str, rest: str) -> None:
    verdict = write_board(content, NAMES)
    assert (verdict.text.bold, verdict.text.rest) == (bold, rest)
    assert len(verdict.text.sentence.split()) <= 25
    assert verdict.text.because == "No claim has passed yet."


def test_who_proved_it_last_and_whether_it_left_the_shade() -> None:
    held = {"holder": "R4", "proved_since": "2026-09-16", "n_later": 2}
    inside, outside = (write_board(board(top, **held), NAMES).text.because for top in (["R1", "R4"], ["R1", "R2"]))
    proved = "halden-mono was the last to prove an improvement when it came, on 2026-09-16"
    assert inside == f"{proved}. Two later claims have not passed."
    assert outside == f"{proved}; it is no longer among those that may be best. Two later claims have not passed."


def test_names_are_text_and_only_short_ones_do_not_break() -> None:
    verdict = write_board(board(["R1", "R2"]), {"R1": "<b>", "R2": "a name of more than twenty-four letters"})
    assert '<span class="n">&lt;b&gt;</span>' in verdict.bold
    assert '<span class="n long">a name' in verdict.bold
    assert "<b>" in verdict.text.bold
