"""How far is a run, and what came out?"""

from __future__ import annotations

from typing import Any

import pytest

from toprung.client.hosted_runs import HostedRun, HostedRuns, say_state
from toprung.client.record import Record
from toprung.report.render import OutputFormat, render

BOARD = Record(fields={"slug": "web-docs", "measure": "RR@100", "decimals": 3}, source="https://a.org")
REASON = "The claim of R7 over R1 did not pass its level (p = 0.210, level 0.002): this pair cannot be told apart."
CLAIM = {"against": "R1", "outcome": "did not pass", "p": 0.21, "level": 0.0022, "reason": REASON}


def run(**fields: Any) -> Record:
    known = {"label": "R7", "name": "dense", "state": "done", "sentence": "R7 ranks 2nd.", "url": "https://a.org/R7/"}
    return Record(fields={**known, **fields}, source="https://a.org")


def test_a_run_that_is_done_says_its_score_its_place_and_its_claim() -> None:
    found = HostedRun(run=run(score=0.25, interval=[0.2, 0.3], claim=CLAIM), board=BOARD)
    assert str(found) == (
        f"R7 dense is done: RR@100 0.250 (95% interval 0.200 to 0.300). R7 ranks 2nd. {REASON}\n\nhttps://a.org/R7/"
    )


def test_of_a_claim_whose_figures_are_not_shown_only_the_outcome_is_told() -> None:
    hidden = CLAIM | {"p": None, "reason": "Not shown under this board’s release policy."}
    assert "Claim against R1: did not pass." in str(HostedRun(run=run(claim=hidden), board=BOARD))
    voided = CLAIM | {"outcome": "voided"}
    assert "Claim against R1: voided." in str(HostedRun(run=run(claim=voided), board=BOARD))


def test_a_run_whose_score_is_not_released_says_none() -> None:
    found = HostedRun(run=run(score=None, interval=None, claim=None, sentence="No figure is shown."), board=BOARD)
    assert found.sentence == "R7 dense is done. No figure is shown."


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"state": "queued"}, "R7 dense is queued."),
        ({"state": "scoring"}, "R7 dense is being scored."),
        ({"state": "scored"}, "R7 dense is scored, and waits to be settled."),
        ({"state": "done"}, "R7 dense is done."),
        ({"state": "done", "is_behind": True}, "R7 dense is scored; the board is computed anew."),
        ({"state": "failed", "failure": "The file is gone."}, "R7 dense failed: The file is gone."),
        ({"state": "failed"}, "R7 dense failed: no reason was given."),
        ({"state": "dreaming", "name": ""}, "R7 is dreaming."),
        ({"state": "queued", "name": "a\x1b[2J\u202e"}, "R7 a[U+001B][2J[U+202E] is queued."),
    ],
)
def test_each_state_has_its_sentence(fields: dict[str, Any], said: str) -> None:
    assert say_state(run(**fields)) == said


def test_runs_are_counted_by_state_and_listed() -> None:
    runs = (
        run(score=0.25, rank_low=1, rank_high=3, status="last proved gain", submitted_at="2026-11-15T10:00:00Z"),
        run(label="R8", name="sparse", state="queued", submitted_at="2026-11-16T10:00:00Z"),
    )
    assert str(HostedRuns(board=BOARD, runs=runs)) == (
        "You have 2 runs on web-docs: 1 done, 1 queued.\n"
        "\n"
        "run        date        state   score  rank  status\n"
        "R7 dense   2026-11-15  done    0.250   1–3  last proved gain\n"
        "R8 sparse  2026-11-16  queued      –     –"
    )
    assert HostedRuns(board=BOARD, runs=()).sentence == "You have no run on web-docs."


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_can_be_written(output_format: OutputFormat) -> None:
    one = HostedRun(run=run(score=0.25, interval=[0.2, 0.3], claim=CLAIM, tags=["a"]), board=BOARD)
    assert "R7" in render(one, output_format)
    assert "R7" in render(HostedRuns(board=BOARD, runs=(one.run,)), output_format)
    assert render(HostedRuns(board=BOARD, runs=()), output_format)


def test_runs_and_one_of_them_are_frames_too() -> None:
    found = HostedRuns(board=BOARD, runs=(run(score=0.25), run(label="R8", state="queued")))
    assert found.to_frame().select("label", "state", "score").rows() == [("R7", "done", 0.25), ("R8", "queued", None)]
    one = HostedRun(board=BOARD, run=run(score=0.25, interval=[0.2, 0.3]))
    assert one.to_frame().drop("sentence", "url").to_dicts() == [
        {"label": "R7", "name": "dense", "state": "done", "score": 0.25}
    ]
