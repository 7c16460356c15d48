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


def test_a_gain_in_public_alone_is_found_from_scores() -> None:
    done = run("--scores", "public.csv", "--private", "private.csv")
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
            "Found two private sets called 'a'",
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
