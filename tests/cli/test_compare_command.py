from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import ToprungError

EXAMPLES = Path(__file__).parents[2] / "docs/examples"


@pytest.fixture(autouse=True)
def in_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["compare", *arguments], catch_exceptions=True)


def refusal(*arguments: str) -> str:
    found = run(*arguments)
    assert isinstance(found.exception, ToprungError)
    return str(found.exception)


def test_the_first_thing_printed_is_the_sentence_a_person_would_say() -> None:
    found = run("--ranks", "two-kinds.csv", "holder", "finder")
    assert found.exit_code == 0
    # 20 of 100 queries that only finder answers, at rank 5: +0.04 in all.
    assert found.output.startswith("finder is better than holder (RR@100 +0.0400, p < 0.0001), doing no harm (beyond ")


def test_the_verdict_of_the_paper_is_printed_alone_where_it_is_asked_for() -> None:
    found = run("--ranks", "two-kinds.csv", "holder", "finder", "--rule", "lin2021")
    assert found.output.startswith("finder answers more questions (20.0% against 0.0%")
    assert "claim of a board" not in found.output


def test_without_a_measure_the_labels_choose_one_and_it_is_said() -> None:
    found = json.loads(run("qrels.txt", "bm25.run", "dense.run", "--format", "json").output)
    assert (found["pairs"][0]["measure"], found["provenance"]["rule"]) == ("nDCG@10", "measure")
    assert "Measure: 1 relevant per query in 3 grades: nDCG@10, tested by its differences." in found["notes"]


@pytest.mark.parametrize(
    ("options", "measure"),
    [
        (("-m", "RR(rel=2)@10"), "RR(rel=2)@10"),
        (("--rel", "2"), "RR(rel=2)@10"),
        (("--cutoff", "5"), "RR@5"),
        (("-m", "RR@10", "--rule", "both"), "RR@10"),
    ],
)
def test_reciprocal_ranks_are_broken_down_by_outcome(options: tuple[str, ...], measure: str) -> None:
    found = json.loads(run("qrels.txt", "bm25.run", "dense.run", *options, "--format", "json").output)
    assert found["pairs"][0]["measure"] == measure
    assert "a_only" in found["pairs"][0]


def test_csv_has_a_row_for_each_challenger() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--ranks", "two-kinds.csv", "--format", "csv").output)))
    assert [(row["a"], row["b"], row["verdict"]) for row in rows] == [
        ("holder", "finder", "B"),
        ("holder", "ranker", "B"),
    ]


def test_all_pairs_and_a_baseline_choose_who_is_compared() -> None:
    everyone = json.loads(run("--ranks", "two-kinds.csv", "--all-pairs", "--format", "json").output)
    assert len(everyone["pairs"]) == 3
    based = json.loads(run("--ranks", "two-kinds.csv", "--baseline", "ranker", "--format", "json").output)
    assert {pair["a"] for pair in based["pairs"]} == {"ranker"}


def test_latex_has_two_booktabs_tables_for_ranks_and_one_for_scores() -> None:
    assert run("--ranks", "two-kinds.csv", "--format", "latex").output.count(r"\toprule") == 2
    assert run("--scores", "two-kinds.csv", "--format", "latex").output.count(r"\toprule") == 1


def test_labels_and_runs_can_be_compared_by_another_measure() -> None:
    found = run("qrels.txt", "bm25.run", "dense.run", "-m", "nDCG@10")
    assert "nDCG@10 over all queries" in found.output
    assert "not permitted" not in found.output


def test_the_second_relevant_document_is_compared_on_the_queries_that_have_one() -> None:
    found = json.loads(run("qrels.txt", "bm25.run", "dense.run", "--mth", "2", "--format", "json").output)
    # Only q2 has two relevant documents; bm25 has the second at rank 2, dense has it not.
    assert (found["pairs"][0]["n"], found["pairs"][0]["a_only"]) == (1, 1)


def test_several_documents_are_compared_in_one_report() -> None:
    asked = ("--mth", "1", "--mth", "2", "--format", "json")
    found = json.loads(run("qrels.txt", "bm25.run", "dense.run", *asked).output)
    assert [pair["measure"] for pair in found["pairs"]] == ["RR@10", "RR(mth=2)@10"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Found no runs; expected QRELS RUN..., or --ranks FILE, or --scores FILE."),
        (("--ranks", "two-kinds.csv", "holder"), "Found 1 run; expected at least two to compare."),
        (("--ranks", "two-kinds.csv", "holder", "nobody"), "Found no run 'nobody'"),
        (("--ranks", "two-kinds.csv", "--baseline", "nobody"), "Found no run 'nobody'"),
        (("--ranks", "two-kinds.csv", "--scores", "two-kinds.csv"), "Found both --ranks and --scores"),
        (("--ranks", "two-kinds.csv", "-m", "AP"), "Found --measure AP with --ranks"),
        (("--ranks", "two-kinds.csv", "--mth", "2"), "Found --mth with a matrix"),
        (
            ("qrels.txt", "bm25.run", "dense.run", "-m", "RR", "--mth", "1", "--mth", "2"),
            "Found --mth with --measure RR",
        ),
        (("--scores", "two-kinds.csv", "--rule", "no_harm"), "rule: found 'no_harm' with score"),
        (("--scores", "two-kinds.csv", "--rule", "lin2021"), "rule: found 'lin2021' with score"),
        (("qrels.txt", "bm25.run", "dense.run", "--mth", "9"), "Found no query with 9 documents of grade 1 or more"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_reason(arguments: tuple[str, ...], message: str) -> None:
    assert message in refusal(*arguments)


@pytest.mark.parametrize("bad", ["-1", "1.5", "x", ""])
def test_a_matrix_with_ranks_that_are_none_is_refused_with_its_line(bad: str) -> None:
    Path("bad.csv").write_text(f"query_id,A,B\nq1,1,2\nq2,{bad},3\n")
    assert "bad.csv, line 3: found rank" in refusal("--ranks", "bad.csv")


def test_runs_over_other_queries_than_the_labels_are_refused() -> None:
    Path("other.run").write_text("x9 Q0 d1 1 1.0 t\n")
    assert "none of them in the labels" in refusal("qrels.txt", "bm25.run", "other.run")
