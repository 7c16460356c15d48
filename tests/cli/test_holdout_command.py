from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.report.render import OutputFormat

PUBLIC_LABELS, PRIVATE_LABELS = "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n", "s1 0 a 1\ns2 0 b 1\n"
GOOD = "".join(f"{q} Q0 {d} 1 2 t\n" for q, d in (("q1", "a"), ("q2", "b"), ("q3", "x"), ("s1", "a"), ("s2", "x")))
POOR = "".join(f"{q} Q0 x 1 2 t\n{q} Q0 {d} 2 1 t\n" for q, d in (("q1", "a"), ("q2", "b"), ("q3", "c"), ("s1", "a")))
BOARD = "id,date,dev,eval\na,2021-01-01,0.4,0.3\nb,2021-01-02,0.3,0.4\n"
SUBMISSIONS = "run,team,date\nold,Halden,2021-01-05\nnew,Halden,2021-03-05\n"


def matrix(seed: int, n: int, prefix: str, gain: float) -> str:
    values = np.random.default_rng(seed).uniform([0, gain], [0.5, 0.5 + gain], (n, 2))
    return "qid,old,new\n" + "".join(f"{prefix}{row},{a:.4f},{b:.4f}\n" for row, (a, b) in enumerate(values))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    contents = {
        "public.qrels": PUBLIC_LABELS,
        "private.qrels": PRIVATE_LABELS,
        "good.run": GOOD,
        "poor.run": POOR,
        "public.csv": matrix(1, 120, "p", 0.4),
        "private.csv": matrix(2, 40, "s", 0.0),
        "ranks.csv": "qid,x,y\n1,1,3\n2,2,5\n3,0,1\n",
        "private-ranks.csv": "qid,x,y\n9,1,3\n8,200,5\n",
        "board.csv": BOARD,
        "submissions.csv": SUBMISSIONS,
    }
    for name, text in contents.items():
        Path(name).write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["holdout", *arguments])


def found(*arguments: str) -> Any:
    done = run(*arguments, "-f", "json")
    assert done.exit_code == 0, done.exception
    return json.loads(done.output)


def test_labels_and_runs_are_scored_on_both_sides() -> None:
    result = found("public.qrels", "good.run", "poor.run", "--private", "private.qrels", "-m", "RR@10")
    (held,) = result["sets"]
    assert held["name"] == "private"
    rows = {row["run"]: (row["public_estimate"], row["private_estimate"]) for row in held["runs"]}
    assert rows["good"] == pytest.approx((2 / 3, 1 / 2))
    assert rows["poor"] == pytest.approx((1 / 2, 1 / 4))


def test_ties_of_32_bit_numbers_count_on_both_sides_if_asked() -> None:
    # a, the relevant one, stands above x by less than 32 bits can hold; of a tie the higher name goes first.
    Path("close.run").write_text("".join(f"{q} Q0 a 1 1.000000001 t\n{q} Q0 x 2 1.0 t\n" for q in ("q1", "s1")))
    options = ["public.qrels", "close.run", "poor.run", "--private", "private.qrels", "-m", "RR@10"]

    def scores(*more: str) -> tuple[float, float]:
        (held,) = found(*options, *more)["sets"]
        (row,) = [row for row in held["runs"] if row["run"] == "close"]
        return row["public_estimate"], row["private_estimate"]

    assert scores() == pytest.approx((1 / 3, 1 / 2))
    assert scores("--float32-ties") == pytest.approx((1 / 6, 1 / 4))


def test_a_run_without_any_private_query_is_left_out_and_named() -> None:
    Path("public-only.run").write_text("q1 Q0 a 1 2 t\n")
    Path("other").mkdir()
    Path("other/poor.run").write_text("q1 Q0 a 1 2 t\n")  # poor.run is told apart from it by its folder
    result = found(
        "public.qrels", "good.run", "poor.run", "public-only.run", "other/poor.run", "--private", "private.qrels"
    )
    (held,) = result["sets"]
    assert [row["run"].split("/")[-1] for row in held["runs"]] == ["good", "poor"]
    assert (held["only_public"], held["only_private"]) == (["other/poor", "public-only"], [])
    assert "Left out: 2 runs without scores in private, other/poor and public-only." in result["notes"]


def test_private_labels_that_no_run_has_a_query_of_are_refused() -> None:
    Path("elsewhere.qrels").write_text("z9 0 a 1\n")
    done = run("public.qrels", "good.run", "poor.run", "--private", "elsewhere.qrels")
    assert isinstance(done.exception, InputError)
    assert "Are these the right labels for the run?" in str(done.exception)


def test_a_gain_in_public_alone_is_found_from_scores() -> None:
    done = run("--scores", "public.csv", "--private", "private.csv", "--reference", "old")
    assert done.exit_code == 0
    assert done.output.startswith("new gains more over old in public than in private, by 0.")


def test_ranks_are_cut_and_turned_into_rr_on_both_sides() -> None:
    result = found("--ranks", "ranks.csv", "--private", "private-ranks.csv", "--cutoff", "100")
    (held,) = result["sets"]
    rows = {row["run"]: row["private_estimate"] for row in held["runs"]}
    assert rows == {"x": 0.5, "y": pytest.approx((1 / 3 + 1 / 5) / 2)}


def test_several_private_sets_go_by_their_names() -> None:
    result = found("--scores", "public.csv", "--private", "trec=private.csv", "--private", "public.csv")
    assert [each["name"] for each in result["sets"]] == ["trec", "public"]


def test_reference_seed_confidence_and_submissions_are_taken() -> None:
    options = ["--reference", "new", "--seed", "4", "--confidence", "0.9", "--submissions", "submissions.csv"]
    result = found("--scores", "public.csv", "--private", "private.csv", *options)
    provenance = result["provenance"]
    assert (provenance["reference"], provenance["seed"], provenance["confidence"]) == ("new", 4, 0.9)
    (team,) = result["teams"]
    assert team["per_month"] == {"2021-01": 1, "2021-02": 0, "2021-03": 1}


def test_a_published_leaderboard_gives_the_agreement_of_orders() -> None:
    done = run("--leaderboard", "board.csv", "--public-column", "dev", "--private-column", "eval")
    assert done.output.startswith(
        "By 'dev' and by 'eval' the orders of 2 entries agree at τ = −1.00; a leads the first"
    )


def test_a_leaderboard_needs_no_dates() -> None:
    Path("undated.csv").write_text("id,dev,eval\na,0.4,0.3\nb,0.3,0.4\n")
    result = found("--leaderboard", "undated.csv", "--public-column", "dev", "--private-column", "eval")
    assert result["tau"] == -1


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--reference", "a"], "--reference"),
        (["--confidence", "0.95"], "--confidence"),
        (["-m", "RR"], "--measure"),
        (["--cutoff", "10"], "--cutoff"),
        (["--seed", "0"], "--seed"),
        (["--float32-ties"], "--float32-ties"),
        (["--submissions", "submissions.csv", "--ranks", "ranks.csv"], "--ranks and --submissions"),
        (["good.run"], "runs"),
    ],
)
def test_what_a_leaderboard_does_not_heed_is_refused(given: list[str], named: str) -> None:
    done = run("--leaderboard", "board.csv", "--public-column", "dev", "--private-column", "eval", *given)
    assert isinstance(done.exception, InputError)
    assert f"Found --leaderboard with {named}; expected it alone" in str(done.exception)


def test_that_runs_hold_the_queries_of_both_sets_is_not_remarked_on() -> None:
    result = found("public.qrels", "good.run", "poor.run", "--private", "private.qrels", "-m", "RR@10")
    assert [note for note in result["notes"] if "ignored" in note] == []
    assert "private: poor: 1 labelled query missing." in result["notes"]


def test_queries_without_a_value_are_told() -> None:
    done = run("public.qrels", "good.run", "poor.run", "--private", "private.qrels", "-m", "ESL@10")
    assert "Queries without a value of ESL@10 are left out of a run's mean" in done.output


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    done = run("--scores", "public.csv", "--private", "private.csv", "--format", output_format, "--output", "out")
    assert (done.exit_code, done.output) == (0, "")
    assert "new" in Path("out").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scores", "public.csv"], "Found no --private"),
        (["--private", "private.qrels"], "Found no runs"),
        (["--scores", "public.csv", "--private", "ranks.csv"], "Found no run with scores on the public queries"),
        (
            ["--scores", "public.csv", "--private", "a=private.csv", "--private", "a=public.csv"],
            "--private: found the name 'a' twice",
        ),
        (["--scores", "public.csv", "--private", "private.csv", "--reference", "x"], "reference: found no run 'x'"),
        (["--leaderboard", "board.csv"], "Found --leaderboard without its columns"),
        (["--leaderboard", "board.csv", "--private", "private.csv"], "expected it alone"),
        (["--scores", "public.csv", "--private", "private.csv", "--public-column", "dev"], "without --leaderboard"),
        (["--ranks", "ranks.csv", "--private", "private-ranks.csv", "-m", "AP"], "ranks give only RR"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
