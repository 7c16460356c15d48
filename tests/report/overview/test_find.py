"""Everything that can be asked of some runs: which parts there are, what is left out and why, and the summary."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.frontier.find import Frontier
from toprung.analyses.frontier.rows import Worth
from toprung.analyses.holdout.find import Holdout
from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.relabel.tables import Relabelled
from toprung.analyses.significance.find import SignificanceGrid
from toprung.analyses.timeline.find import Timeline
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.top_group import find_top_group
from toprung.boards.row import Status
from toprung.data.judgments import Choice, Judgment
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.data.run_metadata import Metadata, RunMetadata
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import build_pools
from toprung.labels.pools.store import start_pools
from toprung.labels.votes.audit_report import Audit
from toprung.report.overview import answers as overview_answers
from toprung.report.overview import material as report_material
from toprung.report.overview.answers import count_splits
from toprung.report.overview.find import count_steps, report
from toprung.report.overview.parts import all_plans
from toprung.report.overview.result import Overview

type Docs = dict[str, dict[str, float]]

N = 20
PUBLIC, PRIVATE = [f"q{n:02}" for n in range(N)], [f"p{n:02}" for n in range(N)]
EFFORT_PARTS = ["labels", "winratio", "audit", "judged-pools"]
ALWAYS = ["board", "comparison", "two_best", "queries", "significance", "stability", "agreement", "scales", "power"]


def labels_of(query_ids: list[str]) -> dict[str, dict[str, int]]:
    return {query_id: {f"{query_id}-best": 1} for query_id in query_ids}


def run_of(public: list[int], private: list[int] | None = None) -> Docs:
    """A run that has the label at these ranks of its first three, 0 = not there."""
    ranks = dict(zip(PUBLIC, public, strict=True)) | dict(zip(PRIVATE, private or [], strict=False))
    found = {}
    for query_id, rank in ranks.items():
        docs = [f"{query_id}-other{n}" for n in (1, 2, 3)]
        if rank:
            docs[rank - 1] = f"{query_id}-best"
        found[query_id] = {doc: 3.0 - place for place, doc in enumerate(docs)}
    return found


# Of 20 public queries A answers 4, B 17 and C 18, all at rank 1: B is better than A (P = 2^(−12)), C and B cannot be
# told apart. On private queries all answer half of them.
HALF = [1, 0] * 10
RUNS = {
    "A": run_of([1] * 4 + [0] * 16, HALF),
    "B": run_of([1] * 17 + [0] * 3, HALF),
    "C": run_of([1] * 18 + [0] * 2, HALF),
}
KNOWN = Metadata(
    entries=(
        RunMetadata(name="A", date=date(2026, 1, 5), team="Halden", cost=1.0, latency=5.0, is_baseline=True),
        RunMetadata(name="B", date=date(2026, 2, 5), team="Halden", cost=2.0, latency=6.0, system="s", seed="1"),
        RunMetadata(name="C", date=date(2026, 3, 5), team="Norrland", cost=3.0, latency=7.0, system="s", seed="2"),
    )
)


def ask(source: Any = None, runs: Any = None, **options: Any) -> Overview:
    if source is None:
        source, runs = labels_of(PUBLIC), RUNS
    return report(source, runs, **{"trials": 20, **options})


def ranks_matrix(**columns: list[int]) -> FirstRanks:
    values = np.array(list(columns.values()), dtype=np.int32).T
    return FirstRanks(query_ids=tuple(PUBLIC[: len(values)]), runs=tuple(columns), values=values, cutoff=100)


def keys_of(found: Overview) -> list[str]:
    return [part.key for part in found.parts]


def reasons_of(found: Overview) -> dict[str, str]:
    return {each.key: each.reason for each in found.omitted}


def board_of(found: Overview) -> Leaderboard:
    board = found["board"]
    assert isinstance(board, Leaderboard)
    return board


def test_comparisons_of_the_report_say_what_its_board_says(plain: Overview) -> None:
    comparisons, grid = plain["comparison"], plain["significance"]
    assert isinstance(comparisons, Comparisons)
    assert isinstance(grid, SignificanceGrid)
    for pair in comparisons.pairs:
        assert pair.at_once == grid.top.relation(pair.a, pair.b)
    assert "By Lin et al. 2021" not in " ".join(comparisons.notes)


@pytest.fixture(scope="module")
def plain() -> Overview:
    return ask()


@pytest.fixture(scope="module")
def full() -> Overview:
    other = {query_id: {f"{query_id}-other1": 1} for query_id in PUBLIC}
    return ask(private=labels_of(PRIVATE), metadata=KNOWN, labels=other, rule=Rule.MEASURE)


class TestParts:
    def test_labels_and_runs_alone_give_what_needs_no_more(self, plain: Overview) -> None:
        assert keys_of(plain) == [*ALWAYS, "measures"]

    def test_every_question_is_answered_or_left_out_with_a_reason(self, plain: Overview) -> None:
        assert Counter([*keys_of(plain), *reasons_of(plain)]) == Counter(plan.key for plan in all_plans())
        assert len({plan.key for plan in all_plans()}) == len(all_plans())
        assert all(reason.endswith(".") for reason in reasons_of(plain).values())

    def test_what_is_missing_says_what_to_give(self, plain: Overview) -> None:
        reasons = reasons_of(plain)
        assert "--dates FILE" in reasons["timeline"]
        assert "--private-qrels" in reasons["holdout"]
        assert "run, team and date" in reasons["policy"]
        assert "--labels" in reasons["relabel"]
        assert "cost" in reasons["cost"]
        assert "seed" in reasons["seeds"]
        assert "--baseline" in reasons["baseline"]

    def test_everything_given_leaves_out_only_the_judging_effort(self, full: Overview) -> None:
        assert list(reasons_of(full)) == [*EFFORT_PARTS, "pools"]

    def test_parts_keep_the_order_of_the_plans(self, full: Overview) -> None:
        order = [plan.key for plan in all_plans()]
        assert keys_of(full) == sorted(keys_of(full), key=order.index)

    def test_a_part_is_found_by_its_key(self, plain: Overview) -> None:
        assert plain["power"] is next(part.result for part in plain.parts if part.key == "power")
        with pytest.raises(InputError, match=r"no part 'holdout' in this report\. Give labels of private"):
            plain["holdout"]
        with pytest.raises(InputError, match="no part 'nonsense'; expected one of board"):
            plain["nonsense"]

    def test_every_run_is_compared_with_the_highest_score_as_a(self, plain: Overview) -> None:
        compared = plain["comparison"]
        assert isinstance(compared, Comparisons)
        assert board_of(plain).reference.run == "C"
        assert [(pair.a, pair.b) for pair in compared.pairs] == [("C", "B"), ("C", "A")]

    def test_the_two_highest_scores_are_compared(self, plain: Overview) -> None:
        compared = plain["two_best"]
        assert isinstance(compared, Comparisons)
        assert [(pair.a, pair.b) for pair in compared.pairs] == [("C", "B")]

    def test_one_run_alone_has_a_report(self) -> None:
        found = ask(labels_of(PUBLIC), {"A": RUNS["A"]})
        assert keys_of(found) == ["board", "scales", "measures"]
        assert reasons_of(found)["stability"] == "Give at least two runs."


class TestMatrices:
    def test_ranks_alone_give_all_but_what_needs_documents(self) -> None:
        found = ask(ranks_matrix(A=[0, 0, 1, 1], B=[1, 1, 1, 2]))
        assert keys_of(found) == ALWAYS
        assert "labels and run files" in reasons_of(found)["measures"]

    def test_judging_tasks_that_nobody_mentioned_are_not_priced(self) -> None:
        assert "--labels DIR" in reasons_of(ask())["pools"]

    def test_private_ranks_stand_beside_public_ranks(self) -> None:
        ranks = ranks_matrix(A=[0, 0, 1, 1], B=[1, 1, 1, 2])
        held = ask(ranks, private=replace(ranks, query_ids=tuple(PRIVATE[:4])))["holdout"]
        assert isinstance(held, Holdout)
        assert [each.name for each in held.sets] == ["private"]

    def test_labels_beside_a_matrix_are_refused_as_private(self) -> None:
        with pytest.raises(InputError, match=r"found no score for query .* expected one for each query of each run"):
            ask(ranks_matrix(A=[1], B=[1]), private=labels_of(PRIVATE))

    def test_claims_of_scores_are_tested_by_the_measure(self) -> None:
        scores = ranks_matrix(A=[0] * 12, B=[1] * 12).reciprocal()
        dates = tuple(RunMetadata(name=run, date=date(2026, 1, day)) for day, run in enumerate("AB", start=1))
        found = ask(scores, metadata=Metadata(entries=dates))
        followed = found["timeline"]
        assert isinstance(followed, Timeline)
        (claim,) = followed.claims
        assert (claim.rule, claim.p, claim.passed) == (Rule.MEASURE, 2**-11, True)
        assert board_of(found).holder == "B"

    def test_an_analysis_that_refuses_is_left_out_and_the_report_is_not_lost(self) -> None:
        values = np.array([[1.0, np.nan], [2.0, 3.0], [1.0, 2.0], [4.0, 4.0]])
        gaps = ScoreTable(query_ids=tuple(PUBLIC[:4]), runs=("A", "B"), values=values, measure="ESL@10")
        found = ask(gaps)
        assert "stability" in keys_of(found)
        assert "without a value of ESL@10" in reasons_of(found)["significance"]
        assert "without a value of ESL@10" in reasons_of(found)["board"]
        assert found.sentence == found["stability"].sentence

    def test_a_matrix_takes_no_measure(self) -> None:
        with pytest.raises(InputError, match="a measure with a matrix"):
            ask(ranks_matrix(A=[1], B=[1]), measure="nDCG@10")


class TestMetadata:
    def test_with_dates_claims_are_tested_and_rows_stand_by_score(self, full: Overview) -> None:
        board = board_of(full)
        assert board.has_claims
        assert [row.run for row in board.rows] == ["C", "B", "A"]
        assert board.holder == "B"  # C's claim, one query more, did not pass
        assert board["A"].status is Status.BASELINE
        assert (board["C"].team, board["C"].status) == ("Norrland", Status.NOT_PASSED)

    def test_a_run_without_a_date_costs_the_timeline_only(self) -> None:
        found = ask(metadata=Metadata(entries=(RunMetadata(name="A", date=date(2026, 1, 5)), RunMetadata(name="B"))))
        assert reasons_of(found)["timeline"] == "Give a date for B and C: every run but baselines needs one."
        assert not board_of(found).has_claims
        assert board_of(found)["A"].date == date(2026, 1, 5)

    def test_names_that_do_not_fit_are_told(self) -> None:
        known = Metadata(
            entries=(RunMetadata(name="A"), RunMetadata(name="Z")), source="runs.csv", ignored_columns=("gpu",)
        )
        notes = ask(metadata=known).notes
        assert "Nothing is known of B and C: not in runs.csv." in notes
        assert "Left out: Z, in runs.csv but not among the runs." in notes
        assert "Columns left out: gpu." in notes

    def test_a_baseline_by_name_is_compared_with_and_one_that_is_no_run_refused(self) -> None:
        compared = ask(baselines=["A"])["baseline"]
        assert isinstance(compared, Comparisons)
        assert {pair.a for pair in compared.pairs} == {"A"}
        with pytest.raises(InputError, match="baselines: found no run 'bm25'"):
            ask(baselines=["bm25"])

    def test_gains_on_private_queries_are_counted_from_the_baseline(self, full: Overview) -> None:
        held = full["holdout"]
        assert isinstance(held, Holdout)
        assert (held.reference, held.chosen_by) == ("A", "asked")


class TestPrivateLabels:
    def test_a_run_without_private_queries_is_left_out_of_that_part(self) -> None:
        runs = {**RUNS, "D": run_of([1] * 20)}
        held = ask(labels_of(PUBLIC), runs, private=labels_of(PRIVATE))["holdout"]
        assert isinstance(held, Holdout)
        assert held.sets[0].only_public == ("D",)

    def test_labels_that_fit_no_run_are_left_out_with_the_fault(self) -> None:
        found = ask(private={"elsewhere": {"d": 1}})
        (left_out,) = [each for each in found.omitted if each.key == "holdout"]
        assert left_out.is_fault
        assert "none of them in the labels" in left_out.reason

    def test_a_set_that_fits_no_run_leaves_the_others(self) -> None:
        sets = {"dev": Qrels.from_dict(labels_of(PRIVATE)), "test": Qrels.from_dict({"elsewhere": {"d": 1}})}
        found = ask(private=sets)
        held = found["holdout"]
        assert isinstance(held, Holdout)
        assert [each.name for each in held.sets] == ["dev"]
        assert list(found.inputs.not_private) == ["test"]

    def test_several_sets_go_by_name(self) -> None:
        sets = {"dev": Qrels.from_dict(labels_of(PRIVATE[:10])), "test": Qrels.from_dict(labels_of(PRIVATE[10:]))}
        held = ask(private=sets)["holdout"]
        assert isinstance(held, Holdout)
        assert [each.name for each in held.sets] == ["dev", "test"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Overview:
    """Whoever judged always preferred the first of the others to the label."""
    folder = tmp_path_factory.mktemp("effort")
    state, labels = Effort.open_or_create(folder), Qrels.from_dict(labels_of(PUBLIC))
    pools = build_pools(labels, {name: Run.from_dict(docs, name=name) for name, docs in RUNS.items()})
    start_pools(state, pools, {})
    votes = [
        Judgment(judgment_id=f"{pair}", query_id=pair.query_id, left=pair.a, right=pair.b, choice=Choice.RIGHT)
        for pool in pools
        for pair in pool.pairs()
    ]
    assert all(vote.right.endswith("other1") for vote in votes)  # "best" sorts before "other1"
    state.add_judgments(votes)
    return ask(labels=folder)


class TestJudgingEffort:
    def test_labels_win_ratios_audit_and_pools_are_reported(self, judged: Overview) -> None:
        assert [key for key in keys_of(judged) if key in EFFORT_PARTS] == EFFORT_PARTS
        assert reasons_of(judged)["pools"] == "The pools that were judged are shown instead."

    def test_without_a_planned_audit_the_highest_score_is_held_against_the_labels(self, judged: Overview) -> None:
        audited = judged["audit"]
        assert isinstance(audited, Audit)
        assert audited.run == board_of(judged).reference.run == "C"
        assert audited.differing.other_wins == 2  # the queries on which C has another answer than the label first

    def test_new_labels_change_who_leads_and_the_summary_says_so(self, judged: Overview) -> None:
        assert "Under the other labels A leads by RR@10 " in judged.sentence

    def test_an_empty_effort_is_left_out_with_what_to_do(self, tmp_path: Path) -> None:
        Effort.open_or_create(tmp_path)
        found = ask(labels=tmp_path)
        assert "found no judgments" in reasons_of(found)["winratio"]
        assert "relabel" in reasons_of(found)

    def test_a_folder_that_is_none_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"found no manifest\.json"):
            ask(labels=tmp_path)


class TestSummary:
    def test_it_says_who_may_be_best_and_who_was_the_last_to_prove_it(self, full: Overview) -> None:
        board = board_of(full)
        assert full.sentence.startswith(f"{board.verdict} {board.because}")
        assert board.verdict == "Two runs may be best: C and B; the labels cannot tell them apart."
        assert board.because == (
            "B was the last to prove an improvement when it came, on 2026-02-05. One later claim has not passed."
        )

    def test_it_is_three_sentences_at_most_and_the_rest_is_in_the_notes(self, full: Overview) -> None:
        assert full.sentence == " ".join([*full._summary, *full._concerns[: 3 - len(full._summary)]])
        left = full._concerns[3 - len(full._summary) :]
        assert full.notes[: len(left)] == tuple(left)

    def test_all_there_is_to_be_careful_about_stands_together(self) -> None:
        short = {name: {query: docs for query, docs in run.items() if query != "q00"} for name, run in RUNS.items()}
        found = ask(labels_of(PUBLIC), short)
        assert found.cautions[0] in found.sentence
        assert "1 labelled query missing in 3 runs." in found.cautions
        assert "1 labelled query missing in 3 runs." in found.notes

    def test_what_only_public_queries_show_is_a_question(self) -> None:
        rng = np.random.default_rng(0)
        rows = rng.random((400, 3)) < 0.5
        public = ranks_of_bools(rows | [False, False, True], "q")  # "tuned" answers every public query
        private = ranks_of_bools(rows, "p")
        found = ask(public, private=private)
        assert "tuned gains more on public than on private queries: a reason to ask, not a finding." in found.sentence

    def test_near_copies_of_a_team_are_named(self) -> None:
        twins = {"A": RUNS["A"], "B": RUNS["B"], "B2": RUNS["B"]}
        entries = tuple(
            RunMetadata(name=run, team=team, date=date(2026, month, 1))
            for month, (run, team) in enumerate([("A", "Halden"), ("B", "Norrland"), ("B2", "Norrland")], start=1)
        )
        found = ask(labels_of(PUBLIC), twins, metadata=Metadata(entries=entries))
        assert "B2 differs little from an earlier run of the same team." in found.sentence

    def test_runs_that_cannot_be_told_apart_come_with_what_could_have_been_seen(self, plain: Overview) -> None:
        assert "may go unseen" in plain.sentence


def ranks_of_bools(answered: np.ndarray[Any, np.dtype[np.bool_]], prefix: str) -> FirstRanks:
    return FirstRanks(
        query_ids=tuple(f"{prefix}{row:04}" for row in range(len(answered))),
        runs=("plain", "other", "tuned"),
        values=answered.astype(np.int32),
        cutoff=100,
    )


class TestWork:
    def test_worth_and_board_go_by_the_same_relation(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No part but the material's finds who is better; where it finds nobody better, no run is worth its cost."""
        scores = ranks_matrix(A=[0] * 12, B=[1] * 12).reciprocal()
        entries = (RunMetadata(name="A", cost=1.0, latency=1.0), RunMetadata(name="B", cost=2.0, latency=2.0))

        def worths() -> list[Worth]:
            told = ask(scores, metadata=Metadata(entries=entries))
            found = (told["cost"], told["latency"])
            return [each.row_of("B").worth for each in found if isinstance(each, Frontier)]

        assert worths() == [Worth.SHOWN, Worth.SHOWN]
        found = find_top_group(scores)
        nobody = replace(found, intervals=replace(found.intervals, is_better=np.zeros((2, 2), dtype=bool)))
        monkeypatch.setattr(report_material, "find_top_group", lambda *_, **__: nobody)
        assert worths() == [Worth.NOT_SHOWN, Worth.NOT_SHOWN]

    def test_what_several_parts_need_is_found_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        calls: Counter[str] = Counter()

        def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                calls[name] += 1
                return work(*arguments, **options)

            return call

        for name in ("find_top_group", "significance", "stability", "timeline", "make_board"):
            monkeypatch.setattr(report_material, name, counted(name, getattr(report_material, name)))
        ask(metadata=KNOWN)
        assert calls == dict.fromkeys(("find_top_group", "significance", "stability", "timeline", "make_board"), 1)

    def test_progress_is_told_no_more_often_than_announced(self) -> None:
        told: list[str] = []
        ask(private=labels_of(PRIVATE), metadata=KNOWN, on_progress=told.append)
        assert len(told) == count_steps(3, has_files=True, n_private=1)

    @pytest.mark.parametrize(("n_runs", "splits"), [(2, 100), (13, 100), (100, 10), (200, 5), (1000, 0)])
    def test_splits_are_as_many_as_the_pairs_leave_time_for(self, n_runs: int, splits: int) -> None:
        assert count_splits(n_runs) == splits

    def test_fewer_splits_are_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(overview_answers, "ENOUGH_SPLIT_PAIRS", 20)  # three pairs: six splits
        notes = ask()["agreement"].notes
        assert "Splits: 6 instead of 100, for time; `toprung agreement --splits N` draws more." in notes

    def test_too_many_pairs_leave_agreement_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(overview_answers, "MOST_PAIRS", 2)
        assert "toprung agreement" in reasons_of(ask())["agreement"]

    def test_the_same_seed_gives_the_same_report(self, plain: Overview) -> None:
        assert json.dumps(ask().to_dict()) == json.dumps(plain.to_dict())


class TestForms:
    def test_json_holds_every_part(self, full: Overview) -> None:
        told = json.loads(json.dumps(full.to_dict(), allow_nan=False))
        assert [part["key"] for part in told["parts"]] == keys_of(full)
        assert all(part["result"]["sentence"] for part in told["parts"])
        assert [each["key"] for each in told["omitted"]] == [*EFFORT_PARTS, "pools"]

    def test_a_frame_has_a_row_for_every_question(self, full: Overview) -> None:
        frame = full.to_frame()
        assert frame.height == len(all_plans())
        assert frame.filter(key="audit")["answer"].to_list() == [None]

    def test_tables_stand_under_their_questions(self, plain: Overview) -> None:
        headings = [heading for heading, _ in plain.tables]
        assert headings[0] == "Where does every run stand?"
        assert len(plain.paper_tables()) >= len(plain.parts)

    def test_the_title_says_what_there_is_unless_one_is_given(self, plain: Overview) -> None:
        assert plain.title == "3 runs on 20 queries"
        assert ask(ranks_matrix(A=[1], B=[1]), title="Autumn").title == "Autumn"

    def test_another_measure_ranks_by_its_scores(self) -> None:
        found = ask(measure="nDCG@10")
        assert not board_of(found).has_ranks
        assert found.provenance["measure"] == "nDCG@10"

    def test_reciprocal_rank_of_a_higher_grade_is_compared_outcome_by_outcome(self) -> None:
        graded = {query_id: {f"{query_id}-best": 2, f"{query_id}-other1": 1} for query_id in PUBLIC}
        found = ask(graded, RUNS, measure="RR(rel=2)@10")
        assert board_of(found).has_ranks
        assert board_of(found)["A"].answered == 4 / 20

    def test_other_labels_of_few_high_grades_are_scored_on_the_same_queries(self) -> None:
        some = {query_id: {f"{query_id}-best": 2 if number < 15 else 1} for number, query_id in enumerate(PUBLIC)}
        found = ask(some, RUNS, measure="RR(rel=2)@10", labels=labels_of(PUBLIC))
        relabelled = found["relabel"]
        assert isinstance(relabelled, Relabelled)
        assert relabelled.n_queries == 20
        assert board_of(found).n_queries == 20

    def test_labels_without_runs_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"found no score for query .* expected one for each query of each run"):
            report(labels_of(PUBLIC))

    @pytest.mark.parametrize("options", [{"trials": 0}, {"alpha": 1.0}, {"confidence": 0.0}])
    def test_options_out_of_range_are_refused(self, options: dict[str, Any]) -> None:
        with pytest.raises(InputError):
            ask(**options)
