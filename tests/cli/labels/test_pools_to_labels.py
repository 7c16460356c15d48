"""``toprung labels pool, cost, import, outcomes, tournament, winratio``, from runs to new labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from toprung.cli.labels import all_subcommands, labels
from toprung.data.formats.qrels_files import read_qrels

Command = Callable[..., Any]


def test_help_lists_every_subcommand() -> None:
    help_text = CliRunner().invoke(labels, ["--help"]).output
    for name in [each.name for each in all_subcommands()]:
        assert f"\n  {name} " in help_text


def test_pools_are_built_counted_and_kept(toprung: Command, files: Path) -> None:
    outcome = toprung("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "S")
    assert outcome.out.startswith("2 queries: 2 pairs fill 1 task of 10, which cost $2.67.\n")
    records = [json.loads(line) for line in (files / "S" / "pools.jsonl").read_text().splitlines()]
    assert [record["items"] for record in records] == [["a", "x"], ["b", "y"]]
    assert records[0]["sources"] == {"a": ["good", "qrel"], "x": ["poor"]}
    manifest = json.loads((files / "S" / "manifest.json").read_text())
    assert (manifest["runs"], manifest["depth"]) == (["good", "poor"], 1)


def test_texts_join_equal_documents_and_are_noted_by_their_place(toprung: Command, files: Path) -> None:
    (files / "docs.tsv").write_text("a\tthe same\nx\tthe same\nb\tone\ny\tother\n")
    (files / "topics.tsv").write_text("q1\twhat?\n")
    arguments = ("--documents", "docs.tsv", "--queries", "topics.tsv")
    outcome = toprung("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "S", *arguments)
    assert outcome.out.startswith("1 query, all settled: there is nothing to compare.\n")
    assert "Left out: 1 labelled query not in topics.tsv." in outcome.out
    manifest = json.loads((files / "S" / "manifest.json").read_text())
    assert (manifest["documents"], manifest["queries"]) == (str(files / "docs.tsv"), str(files / "topics.tsv"))


def test_a_sample_is_the_same_for_the_same_seed(toprung: Command, files: Path) -> None:
    for folder in ("S", "T"):
        run = ("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", folder, "--sample", "1", "--seed", "5")
        assert toprung(*run).code == 0
    assert (files / "S" / "pools.jsonl").read_bytes() == (files / "T" / "pools.jsonl").read_bytes()
    assert json.loads((files / "S" / "manifest.json").read_text())["sample"] == {"n": 1, "of": 2, "seed": 5}


def test_a_sample_is_told_with_the_order_of_runs_on_it(toprung: Command, files: Path) -> None:
    # by RR@10 good has 1 and 1, poor less; on q3 alone it is the other way round
    (files / "three.txt").write_text((files / "qrels.txt").read_text() + "q3 0 c 1\n")
    for name, ranking in (("good", "zc"), ("poor", "cz")):
        lines = "".join(f"q3 Q0 {doc} {rank} {9 - rank} r\n" for rank, doc in enumerate(ranking, start=1))
        (files / f"{name}3.run").write_text((files / f"{name}.run").read_text() + lines)
    told = set()
    for seed in range(8):
        run = ("labels", "pool", "three.txt", "good3.run", "poor3.run", "--state", f"S{seed}", "--sample", "1")
        outcome = toprung(*run, "--seed", str(seed))
        assert outcome.code == 0, outcome.err
        sampled = json.loads((files / f"S{seed}" / "pools.jsonl").read_text())["query_id"]
        said = "another order by RR@10 than" if sampled == "q3" else "the same order by RR@10 as"
        assert f"On the 1 sampled query the 2 runs stand in {said} on all 3" in outcome.out
        told.add(said)
    assert len(told) == 2


def test_one_run_has_no_order_to_tell(toprung: Command) -> None:
    outcome = toprung("labels", "pool", "qrels.txt", "poor.run", "--state", "S", "--sample", "1")
    assert (outcome.code, "order" in outcome.out) == (0, False)


def test_other_pools_in_the_same_folder_are_refused(pooled: Command) -> None:
    assert pooled("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "S").code == 0
    outcome = pooled("labels", "pool", "qrels.txt", "good.run", "--state", "S")
    assert outcome.code == 2
    assert "S: found other pools, of 2 queries; expected none, or the same." in outcome.err


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ("6980", "6,980 pairs fill 698 tasks of 10, which cost $1,675.20."),
        ("4210", "4,210 pairs fill 421 tasks of 10, which cost $1,010.40."),
        ("141887", "141,887 pairs fill 14,189 tasks of 10, which cost $34,053.60."),
    ],
)
def test_cost_of_so_many_pairs(toprung: Command, pairs: str, said: str) -> None:
    assert toprung("labels", "cost", "--pairs", pairs, "--reward", "2.00", "--fee", "20%").out.startswith(said)


def test_cost_of_runs_and_of_what_is_left_to_judge(judged: Command, files: Path) -> None:
    assert judged("labels", "cost", "qrels.txt", "good.run", "poor.run").out.startswith("2 pairs fill 1 task")
    assert judged("labels", "cost", "--state", "S").out.startswith("Nothing is left to judge: 2 of 2 pairs decided.")
    assert judged("labels", "cost", "qrels.txt", "good.run", "--depth", "2").out.startswith("2 pairs")


@pytest.mark.parametrize(
    "arguments", [(), ("qrels.txt",), ("--pairs", "3", "--state", "S"), ("--pairs", "3", "--fee", "lots")]
)
def test_a_cost_of_nothing_known_is_refused(toprung: Command, arguments: tuple[str, ...]) -> None:
    assert toprung("labels", "cost", *arguments).code == 2


def test_topic_a_b_winner_lines_become_trec_qrels(toprung: Command, files: Path) -> None:
    (files / "judgments.txt").write_text("t1 a b a\nt1 b c b\nt1 c a a\nt2 m n n\n")
    assert toprung("labels", "import", "judgments.txt", "--state", "S").code == 0
    outcome = toprung("labels", "tournament", "--state", "S", "-o", "new.qrels")
    assert outcome.out.startswith("2 labels by elimination: 2 queries with one best answer.\n")
    assert (files / "new.qrels").read_text() == "t1 0 a 1\nt2 0 n 1\n"
    manifest = json.loads((files / "new.qrels.manifest.json").read_text())
    assert manifest["digest"] == read_qrels("new.qrels").digest
    assert manifest["parent"] is None


def test_the_same_file_twice_adds_nothing(judged: Command, files: Path) -> None:
    before = (files / "S" / "judgments.jsonl").read_bytes()
    outcome = judged("labels", "import", "judgments.txt", "--state", "S")
    assert (outcome.code, outcome.out.splitlines()[0]) == (
        0,
        "judgments.txt adds nothing: its 2 judgments are all there already.",
    )
    assert (files / "S" / "judgments.jsonl").read_bytes() == before


def test_a_file_with_a_fault_adds_nothing_at_all(pooled: Command, files: Path) -> None:
    (files / "judgments.txt").write_text("q1 a x x\nq1 a x z\n")
    outcome = pooled("labels", "import", "judgments.txt", "--state", "S")
    assert outcome.code == 2
    assert "judgments.txt, line 2: found winner 'z'" in outcome.err
    assert not (files / "S" / "judgments.jsonl").exists()


def test_a_format_can_be_named(pooled: Command, files: Path) -> None:
    (files / "judgments.csv").write_text("left,right,winner,query_id\na,x,right,q1\n")
    assert (
        pooled("labels", "import", "judgments.csv", "--state", "S", "--from", "evalica", "--format", "json").code == 0
    )
    assert pooled("labels", "import", "judgments.csv", "--state", "S", "--from", "arena").code == 2


def test_outcomes_say_what_is_decided_and_missing(judged: Command, files: Path) -> None:
    assert judged("labels", "outcomes", "--state", "S").out.startswith("2 votes on 2 pairs of 2 queries: 2 decided.")
    (files / "more.txt").write_text("q1 a x a\n")
    judged("labels", "import", "more.txt", "--state", "S")
    rows = judged("labels", "outcomes", "--state", "S", "-f", "csv").out.splitlines()
    assert rows[1] == "q1,a,x,1.0,1.0,0,2,"


def test_judgments_are_exported_for_other_tools(judged: Command, files: Path) -> None:
    run = ("labels", "outcomes", "--state", "S", "--export", "out.csv", "--export-format", "crowd-kit")
    assert judged(*run).code == 0
    assert (files / "out.csv").read_text() == "worker,left,right,label,query_id\n,a,x,x,q1\n,y,b,b,q2\n"


def test_a_tournament_names_its_parent_and_is_remembered(judged: Command, files: Path) -> None:
    for parent in ((), ("--qrels", "qrels.txt")):
        assert judged("labels", "tournament", "--state", "S", "-o", "new.qrels", *parent).code == 0
    assert read_qrels("new.qrels").to_dict() == {"q1": {"x": 1}, "q2": {"b": 1}}
    [version] = [json.loads(line) for line in (files / "S" / "qrels.jsonl").read_text().splitlines()]
    assert version["parent"] == read_qrels("qrels.txt").digest
    assert version["path"] == str(files / "new.qrels")


def test_versions_differ_by_whose_votes_counted(judged: Command, files: Path) -> None:
    for kinds in (("human", "import"), ("import",), ("import", "human")):
        given = [part for kind in kinds for part in ("--kind", kind)]
        assert judged("labels", "tournament", "--state", "S", "-o", "new.qrels", *given).code == 0
    versions = [json.loads(line) for line in (files / "S" / "qrels.jsonl").read_text().splitlines()]
    assert [version["kinds"] for version in versions] == [["human", "import"], ["import"]]
    assert versions[0]["digest"] == versions[1]["digest"]


def test_a_lone_answer_without_a_label_gets_none_and_is_said(toprung: Command, files: Path) -> None:
    (files / "qrels.txt").write_text("q1 0 a 1\nq2 0 z 0\n")
    assert toprung("labels", "pool", "qrels.txt", "good.run", "--state", "S").code == 0
    outcome = toprung("labels", "tournament", "--state", "S", "-o", "new.qrels")
    assert (files / "new.qrels").read_text() == "q1 0 a 1\n"
    assert "No label for 1 query of one answer that is no label: nobody judged it." in outcome.out


def test_the_pairs_of_an_audit_are_counted(toprung: Command) -> None:
    assert toprung("labels", "audit", "qrels.txt", "good.run", "--state", "S").code == 0
    assert toprung("labels", "outcomes", "--state", "S").out.startswith("No votes yet; 2 pairs to judge.")
    assert toprung("labels", "cost", "--state", "S").out.startswith("2 pairs fill 1 task of 10")


def test_a_missing_pair_leaves_its_query_out(pooled: Command, files: Path) -> None:
    (files / "judgments.txt").write_text("q1 a x x\n")
    pooled("labels", "import", "judgments.txt", "--state", "S")
    outcome = pooled("labels", "tournament", "--state", "S", "-o", "new.qrels")
    assert outcome.out.startswith(
        "1 label by strength at P(best) ≥ 0.5: 1 query with one best answer. 1 query undecided."
    )
    assert (files / "new.qrels").read_text() == "q1 0 x 1\n"


def test_nothing_decided_writes_nothing(pooled: Command, files: Path) -> None:
    outcome = pooled("labels", "tournament", "--state", "S", "-o", "new.qrels")
    assert outcome.code == 2
    assert "Found no decided query among 2" in outcome.err
    assert not (files / "new.qrels").exists()


def test_win_ratios_of_runs_and_of_perfect(judged: Command) -> None:
    outcome = judged("labels", "winratio", "qrels.txt", "good.run", "poor.run", "--state", "S", "-f", "json")
    found = json.loads(outcome.out)
    pairs = {(row["run"], row["other"]): (row["wins"], row["n"], row["same"]) for row in found["pairs"]}
    assert pairs == {("perfect", "good"): (0, 0, 2), ("perfect", "poor"): (1, 2, 0), ("good", "poor"): (1, 2, 0)}


def test_every_pair_is_listed_when_asked_for(judged: Command) -> None:
    outcome = judged("labels", "winratio", "qrels.txt", "good.run", "poor.run", "--state", "S", "--pairs")
    assert outcome.out.splitlines()[2].split() == [
        "run",
        "over",
        "wins",
        "n",
        "ratio",
        "interval",
        "p",
        "corrected",
        "p",
    ]


def test_strengths_of_runs_are_shown_when_asked_for(judged: Command) -> None:
    outcome = judged(
        "labels", "winratio", "qrels.txt", "good.run", "poor.run", "--state", "S", "--strengths", "-f", "json"
    )
    rows = json.loads(outcome.out)["runs"]
    assert {row["run"]: row["n_comparisons"] for row in rows} == {"good": 2, "perfect": 2, "poor": 4}
    assert {row["strength"] for row in rows} == {0.0}  # one query each way


def test_the_order_of_judged_answers_is_compared_when_asked_for(judged: Command) -> None:
    outcome = judged("labels", "winratio", "qrels.txt", "good.run", "poor.run", "--state", "S", "--order", "-f", "json")
    rows = json.loads(outcome.out)["runs"]
    # x is preferred to a: poor has them so, good the other way round; b and y are together in neither
    assert {row["run"]: (row["agreed"], row["n_pairs"]) for row in rows} == {"good": (0, 1), "poor": (1, 1)}


def test_two_tables_at_once_are_refused(judged: Command) -> None:
    outcome = judged("labels", "winratio", "qrels.txt", "good.run", "--state", "S", "--order", "--strengths")
    assert outcome.code == 2
    assert "expected one table to show" in outcome.err


def test_the_pairs_to_judge_next_are_listed_with_how_sure_the_best_answer_is(pooled: Command, files: Path) -> None:
    (files / "judgments.txt").write_text("q1 a x x\n")
    assert pooled("labels", "import", "judgments.txt", "--state", "S").code == 0
    outcome = pooled("labels", "outcomes", "--state", "S", "--next", "1", "-f", "json")
    found = json.loads(outcome.out)
    assert [(row["query_id"], row["a"], row["b"], row["votes"]) for row in found["pairs"]] == [("q2", "b", "y", 0)]
    assert found["pairs"][0]["p_best"] == pytest.approx(0.5, abs=0.02)
    assert found["n_unsure"] == 2


@pytest.mark.parametrize("name", ["outcomes", "tournament"])
def test_a_folder_that_is_no_effort_is_refused(toprung: Command, name: str) -> None:
    more = ("-o", "new.qrels") if name == "tournament" else ()
    outcome = toprung("labels", name, "--state", "nowhere", *more)
    assert outcome.code == 2
    assert "nowhere: found no manifest.json" in outcome.err
