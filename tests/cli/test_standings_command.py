from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.report.render import OutputFormat

# best answers all at rank 1; finder answers all but deep; ranker answers 6 of 12, at rank 2.
RANKS = "qid,ranker,finder,best\n" + "".join(
    f"{query},{2 if query % 2 else 0},{30 + query},1\n" for query in range(1, 13)
)
QRELS = "q1 0 a 1\nq2 0 b 1\n"
GOOD = "q1 Q0 a 1 2 good\nq2 Q0 b 1 2 good\n"
POOR = "q1 Q0 x 1 2 poor\nq1 Q0 a 2 1 poor\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"ranks.csv": RANKS, "qrels.txt": QRELS, "good.run": GOOD, "poor.run": POOR}.items():
        Path(name).write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["standings", *arguments])


def test_the_first_line_is_the_sentence() -> None:
    found = run("--ranks", "ranks.csv")
    assert found.exit_code == 0
    assert found.output.splitlines()[0] == ("best does best, beyond chance.")


def test_labels_and_runs_are_scored_and_ordered() -> None:
    found = json.loads(run("qrels.txt", "poor.run", "good.run", "--format", "json").output)
    assert [(row["run"], row["score"], row["answered"]) for row in found["standings"]] == [
        ("good", 1.0, 1.0),
        ("poor", 0.25, 0.5),
    ]


def test_csv_names_everyone_a_run_is_better_than() -> None:
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(run("--ranks", "ranks.csv", "-f", "csv").output))}
    assert rows["best"]["better_than"] == "ranker; finder"
    assert (rows["best"]["rank_low"], rows["best"]["top_group"]) == ("1", "True")


def test_scores_of_any_measure_are_taken() -> None:
    Path("scores.csv").write_text("qid,a,b\n" + "".join(f"{query},0.{query},0.9\n" for query in range(1, 9)))
    found = json.loads(run("--scores", "scores.csv", "-m", "nDCG@10", "-f", "json").output)
    assert (found["measure"], found["top_group"]) == ("nDCG@10", ["b"])
    assert [row["answered"] for row in found["standings"]] == [None, None]


def test_the_labels_choose_the_measure_and_an_option_another() -> None:
    assert json.loads(run("qrels.txt", "poor.run", "good.run", "-f", "json").output)["measure"] == "RR@10"
    found = run("qrels.txt", "poor.run", "good.run", "-m", "RR@5", "-f", "json")
    assert json.loads(found.output)["measure"] == "RR@5"


def test_the_order_of_lin_2021_is_asked_for_by_its_name() -> None:
    found = run("--ranks", "ranks.csv", "--rule", "lin2021", "-f", "csv")
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(found.output))}
    assert rows["finder"]["in_conflict_with"] == "ranker"
    first = run("--ranks", "ranks.csv", "--rule", "lin2021").output.splitlines()[0]
    assert first == (
        "By Lin et al. 2021: best stands first by evidence and by RR@100: it does better than all 2 others."
    )


def test_facet_test_alpha_and_seed_are_taken() -> None:
    arguments = [
        "--rule",
        "lin2021",
        "--facet",
        "rr",
        "--facet-test",
        "wsr",
        "--alpha",
        "0.1",
        "--seed",
        "4",
        "-f",
        "json",
    ]
    provenance = json.loads(run("--ranks", "ranks.csv", *arguments).output)["provenance"]
    assert (provenance["facet"], provenance["tests"]) == ("rr", "exact binomial, wsr")
    assert (provenance["alpha"], provenance["seed"]) == (0.1, 4)


def test_dates_decide_between_runs_alike() -> None:
    Path("alike.csv").write_text("qid,a,b\n1,1,1\n2,3,3\n")
    Path("dates.csv").write_text("run,date\na,2021-05-01\nb,2021-04-01\n")
    found = json.loads(run("--ranks", "alike.csv", "--rule", "lin2021", "--dates", "dates.csv", "-f", "json").output)
    assert [row["run"] for row in found["standings"]] == ["b", "a"]


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = run("--ranks", "ranks.csv", "--format", output_format, "--output", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "finder" in Path("out").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Found no runs"),
        (["--scores", "ranks.csv", "--rule", "lin2021"], "expected first ranks"),
        (["--ranks", "ranks.csv", "--facet", "rr"], "expected the rule lin2021"),
        (["--ranks", "ranks.csv", "best"], "Found 1 run; expected at least two"),
        (["--ranks", "ranks.csv", "best", "worst"], "Found no run 'worst'"),
    ],
)
def test_what_cannot_be_ordered_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    found = run(*arguments)
    assert isinstance(found.exception, InputError)
    assert message in str(found.exception)
