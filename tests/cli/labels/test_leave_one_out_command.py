from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.report.render import OutputFormat

QRELS = "q1 0 L 1\nq2 0 L 1\n"
OWN = "q1 Q0 A 1 2 r\nq1 Q0 L 2 1 r\nq2 Q0 L 1 1 r\n"
OTHER = "q1 Q0 L 1 2 r\nq1 Q0 A 2 1 r\nq2 Q0 L 1 1 r\n"
VOTES = "q1 A L A\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels": QRELS, "own.run": OWN, "other.run": OTHER, "votes.pref": VOTES}.items():
        Path(name).write_text(text)


def toprung(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["labels", *arguments])


def judged(*, is_pooled: bool) -> None:
    if is_pooled:
        assert toprung("pool", "qrels", "own.run", "other.run", "--state", "state").exit_code == 0
    assert toprung("import", "--state", "state", "votes.pref").exit_code == 0


def leave_out(*arguments: str) -> Result:
    return toprung("leave-one-out", "--state", "state", "qrels", "own.run", "other.run", *arguments)


def test_the_run_that_found_the_best_answer_alone_loses_it() -> None:
    judged(is_pooled=True)
    found = leave_out()
    assert found.exit_code == 0, found.output
    # own: 1 and 1, then 1/2 and 1
    assert found.output.splitlines()[0] == (
        "Leaving out its own answers moves own the most: RR@10 −0.2500, from 1.0000 to 0.7500 over 2 queries; "
        "it goes from place 1 to 2."
    )


def test_where_nothing_was_pooled_the_runs_say_whose_the_judged_answers_are() -> None:
    judged(is_pooled=False)
    found = json.loads(leave_out("-f", "json", "-m", "RR", "--seed", "3").output)
    own = next(row for row in found["left_out"] if row["run"] == "own")
    # only q1 was judged
    assert (found["provenance"]["n_queries"], own["n_items"], own["score"], own["score_without"]) == (1, 1, 1.0, 0.5)
    assert found["provenance"]["seed"] == 3


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    judged(is_pooled=True)
    found = leave_out("-f", output_format, "-o", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "own" in Path("out").read_text(encoding="utf-8")


def test_labels_of_other_queries_are_refused() -> None:
    judged(is_pooled=True)
    Path("others").write_text("x 0 d 1\n")
    found = toprung("leave-one-out", "--state", "state", "others", "own.run")
    assert isinstance(found.exception, InputError)
    assert "others: found no query with a pool in state" in str(found.exception)


def test_a_state_that_is_not_there_is_refused() -> None:
    found = leave_out()
    assert isinstance(found.exception, InputError)
    assert "state: found no manifest.json" in str(found.exception)


def test_challenges_that_a_run_alone_has_won_are_left_out_with_it() -> None:
    judged(is_pooled=True)
    assert toprung("tournament", "--state", "state", "-o", "best.qrels", "--rule", "elimination").exit_code == 0
    Path("new.run").write_text("q1 Q0 N 1 2 r\nq1 Q0 A 2 1 r\nq2 Q0 L 1 1 r\n")
    assert toprung("challenge", "--state", "state", "best.qrels", "new.run").exit_code == 0
    for name, line in (("first.pref", "q1 N A N\n"), ("second.pref", "q1 A N N\n")):
        Path(name).write_text(line)
        assert toprung("import", "--state", "state", name).exit_code == 0
    found = json.loads(leave_out("new.run", "-m", "RR", "--rule", "elimination", "-f", "json").output)
    rows = {row["run"]: row for row in found["left_out"]}
    # with N: new 1 and 1, own 0 and 1; without it the label is A again: new 1/2 and 1
    assert (rows["new"]["score"], rows["new"]["score_without"], rows["new"]["n_items"]) == (1.0, 0.75, 1)
    assert (rows["own"]["score"], rows["own"]["n_items"]) == (0.5, 1)
