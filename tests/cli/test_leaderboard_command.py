from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
# Forty queries: `sure` answers all of them first, `late` all of them fifth, `never` none.
RANKS = "qid,never,late,sure\n" + "".join(f"q{n},0,5,1\n" for n in range(40))
SCORES = "qid,never,late,sure\n" + "".join(f"q{n},0.0{n % 3},0.2{n % 3},0.9{n % 3}\n" for n in range(40))


@pytest.fixture(autouse=True)
def board_files(files: Path) -> None:
    (files / "ranks.csv").write_text(RANKS)
    (files / "scores.csv").write_text(SCORES)
    (files / "runs.csv").write_text(
        "run,date,team,is_baseline\nnever,2026-01-01,ours,yes\nlate,2026-02-01,theirs,\nsure,2026-03-01,theirs,\n"
    )


@pytest.fixture
def rows(toprung: Command) -> Callable[..., dict[str, dict[str, Any]]]:
    def run(*arguments: str) -> dict[str, dict[str, Any]]:
        outcome = toprung("leaderboard", *arguments, "-f", "json")
        assert (outcome.code, outcome.err) == (0, "")
        return {row["run"]: row for row in json.loads(outcome.out)["rows"]}

    return run


def test_the_best_run_stands_first_and_the_sentence_says_so(toprung: Command) -> None:
    said = toprung("leaderboard", "--ranks", "ranks.csv").out
    assert said.startswith("sure does best, beyond chance.\n")


def test_scores_are_means_over_all_queries(rows: Callable[..., Any]) -> None:
    found = rows("--ranks", "ranks.csv")
    assert {run: row["score"] for run, row in found.items()} == {"sure": 1.0, "late": 0.2, "never": 0.0}


def test_what_is_known_of_runs_is_shown(toprung: Command, rows: Callable[..., Any]) -> None:
    found = rows("--ranks", "ranks.csv", "--dates", "runs.csv")
    assert found["late"]["team"] == "theirs"
    assert found["late"]["date"] == "2026-02-01"
    assert [run for run, row in found.items() if row["is_baseline"]] == ["never"]
    given = rows("--ranks", "ranks.csv", "--dates", "runs.csv", "--baseline", "late")
    assert [run for run, row in given.items() if row["is_baseline"]] == ["late", "never"]


def test_other_measures_are_compared_by_their_means(toprung: Command) -> None:
    said = toprung("leaderboard", "--scores", "scores.csv", "-m", "nDCG@10").out
    assert said.startswith("sure does best, beyond chance.\n")
    from_runs = toprung("leaderboard", "qrels.txt", "poor.run", "good.run", "-m", "P@1").out
    assert "P@1" in from_runs.splitlines()[2]


def test_the_rule_says_what_a_claim_must_show(rows: Callable[..., Any]) -> None:
    # Between never and late no query is shared, so that harm in ranking is not excluded; sure and late share forty.
    by_measure = rows("--ranks", "ranks.csv", "--dates", "runs.csv", "--rule", "measure")
    assert {run: row["status"] for run, row in by_measure.items()} == {
        "sure": "last proved gain",
        "late": "proved when it came",
        "never": "baseline",
    }
    assert by_measure["late"]["proved_since"] == "2026-02-01"
    assert rows("--ranks", "ranks.csv", "--dates", "runs.csv")["late"]["status"] == "claim not passed"
    of_scores = rows("--scores", "scores.csv", "--dates", "runs.csv")
    assert of_scores["sure"]["status"] == "last proved gain"


def test_the_labels_choose_the_measure_and_it_is_said(toprung: Command) -> None:
    said = toprung("leaderboard", "qrels.txt", "poor.run", "good.run").out
    assert "Measure: " in said


def test_arguments_choose_runs_of_a_matrix(rows: Callable[..., Any]) -> None:
    assert list(rows("--ranks", "ranks.csv", "late", "never")) == ["late", "never"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Found no runs; expected QRELS RUN..., or --ranks FILE, or --scores FILE."),
        (("--ranks", "ranks.csv", "-m", "P@1"), "Found --measure P@1 with --ranks"),
        (("--ranks", "ranks.csv", "--baseline", "bm25"), "baselines: found no run 'bm25'"),
        (("--ranks", "ranks.csv", "--dates", "missing.csv"), "missing.csv: No such file or directory."),
    ],
)
def test_what_cannot_be_ranked_is_refused_in_one_line(
    toprung: Command, arguments: tuple[str, ...], message: str
) -> None:
    outcome = toprung("leaderboard", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_some_dates_are_not_enough(toprung: Command, files: Path) -> None:
    (files / "some.csv").write_text("run,date\nsure,2026-03-01\nlate,\nnever,\n")
    assert "dates: found none for" in toprung("leaderboard", "--ranks", "ranks.csv", "--dates", "some.csv").err
