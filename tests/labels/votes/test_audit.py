"""Are a run's answers better than the labels?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.votes.audit import AuditPlan, Category, audit, plan_audit, read_audits, start_audit
from toprung.labels.votes.audit_report import Audit
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.report.render import OutputFormat, render

# Table 2 of Arabzadeh et al. (2021): by category, how often the label and the other passage were preferred.
PREFERRED = {Category.A: (1228, 640), Category.B: (2116, 2996)}


@pytest.fixture(scope="module")
def source() -> Audit:
    """The source's section 3: 6,980 queries, the run's first passage the label in 1,868 of them."""
    labels, ranked, rows = {}, {}, []
    n_agreed = sum(PREFERRED[Category.A])
    for number in range(6980):
        query_id = f"{number:04d}"
        labels[query_id] = {"label": 1}
        first, second = ("label", "second") if number < n_agreed else ("other", "label")
        ranked[query_id] = {first: 2.0, second: 1.0}
        compared = "second" if number < n_agreed else "other"
        category = Category.A if number < n_agreed else Category.B
        place = number if number < n_agreed else number - n_agreed
        choice = Choice.LEFT if place < PREFERRED[category][0] else Choice.RIGHT
        rows.append(Judgment(judgment_id=query_id, query_id=query_id, left="label", right=compared, choice=choice))
    plan = plan_audit(Qrels.from_dict(labels), Run.from_dict(ranked, name="duobert"))
    return audit(plan, resolve_pairs(Judgments.of(rows)))


def test_the_categories_of_the_source(source: Audit) -> None:
    rows = {row[0][0]: row for row in source.table.rows}
    assert rows["A"][1:3] == ("1,868", "26.76%")
    assert rows["B"][1:3] == ("5,112", "73.24%")


def test_the_four_shares_of_the_source(source: Audit) -> None:
    rows = {row[0][0]: row for row in source.table.rows}
    assert (rows["B"][6], rows["B"][4], rows["A"][4], rows["A"][6]) == ("42.92%", "30.32%", "17.59%", "9.17%")


def test_the_four_parts_of_the_source_are_all_decided_queries(source: Audit) -> None:
    parts = [(part.is_agreed, part.prefers_label, part.share.successes) for part in source.parts]
    assert parts == [(False, False, 2996), (False, True, 2116), (True, True, 1228), (True, False, 640)]
    assert {part.share.trials for part in source.parts} == {6980}


def test_the_preferences_of_the_source_and_their_p(source: Audit) -> None:
    assert f"{100 * source.agreed.label_share.estimate:.2f}" == "65.74"
    assert f"{100 * source.differing.other_share.estimate:.2f}" == "58.61"
    assert f"{source.agreed.p:.2e}" == "1.06e-42"
    assert f"{source.differing.p:.2e}" == "6.69e-35"


def test_the_error_and_the_corrected_preference_of_the_source(source: Audit) -> None:
    error = source.error
    assert [f"{100 * each:.2f}" for each in (error.estimate, error.low, error.high)] == ["34.26", "32.14", "36.44"]
    assert f"{source.corrected_preference:.4f}" == "0.7734"


def test_the_source_is_better_than_perfect(source: Audit) -> None:
    assert source.sentence == (
        "duobert is better than perfect: its first item is preferred to the label in 58.6% of the 5,112 queries where "
        "they differ."
    )


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_it_is_written_in_every_format(source: Audit, output_format: OutputFormat) -> None:
    assert "1868" in render(source, output_format).replace(",", "")


def test_json_holds_the_figures(source: Audit) -> None:
    found = json.loads(json.dumps(source.to_dict(), allow_nan=False))
    assert found["categories"]["B"]["other_preferred"] == 2996
    assert found["error"]["n"] == 1868


QRELS = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"x": 0, "d2": 2, "d9": 1}, "q3": {"d3": 1}, "q4": {"d4": 0}})
RUN = Run.from_dict({"q1": {"d1": 3, "d5": 2, "d6": 1}, "q2": {"d7": 2, "d2": 1}}, name="ours")


def shown(plan: AuditPlan) -> list[tuple[str, str, str, str]]:
    return [(each.query_id, str(each.category), each.label, each.other) for each in plan.pairs]


def test_the_label_meets_the_second_item_or_the_first() -> None:
    plan = plan_audit(QRELS, RUN)
    assert shown(plan) == [("q1", "A", "d1", "d5"), ("q2", "B", "d2", "d7")]
    assert plan.left_out == {"without a label": 1, "not in the run": 1}


def test_an_item_that_says_what_the_label_says_is_the_label() -> None:
    texts = {"d1": "one", "d5": "one", "d6": "six", "d2": "two", "d7": "two"}
    plan = plan_audit(QRELS, RUN, texts=texts)
    assert shown(plan) == [("q1", "A", "d1", "d6")]
    assert plan.left_out["without a second item"] == 1


def test_a_copy_of_the_label_in_the_first_place_is_an_agreement() -> None:
    run = Run.from_dict({"q1": {"copy": 3, "d1": 2, "d5": 1}}, name="ours")
    assert shown(plan_audit(QRELS, run, texts={"copy": "one", "d1": "one", "d5": "five"})) == [("q1", "A", "d1", "d5")]
    assert shown(plan_audit(QRELS, run)) == [("q1", "B", "d1", "copy")]


def test_a_run_that_has_the_label_alone_has_nothing_to_compare() -> None:
    with pytest.raises(InputError, match="found no query to compare"):
        plan_audit(QRELS, Run.from_dict({"q1": {"d1": 1.0}}, name="ours"))


def judged(*rows: tuple[str, str, str]) -> Audit:
    """Query, winner, loser."""
    made = [
        Judgment(judgment_id=str(n), query_id=query_id, left=winner, right=loser, choice=Choice.LEFT)
        for n, (query_id, winner, loser) in enumerate(rows)
    ]
    return audit(plan_audit(QRELS, RUN), resolve_pairs(Judgments.of(made)))


def test_before_judging_it_says_what_is_to_be_judged() -> None:
    assert judged().sentence == "2 pairs to judge: 1 where ours puts the label first, 1 where it does not."
    assert json.dumps(judged().to_dict(), allow_nan=False)


def test_even_splits_and_open_pairs_are_counted_apart() -> None:
    found = judged(("q1", "d1", "d5"), ("q2", "d2", "d7"), ("q2", "d7", "d2"))
    assert (found.agreed.n_decided, found.agreed.n_open, found.agreed.n_even) == (1, 0, 0)
    assert (found.differing.n_decided, found.differing.n_open, found.differing.n_even) == (0, 0, 1)


def test_one_query_cannot_tell_them_apart() -> None:
    assert "cannot be told apart" in judged(("q2", "d7", "d2")).sentence


def test_no_correction_is_made_of_errors_as_frequent_as_coins() -> None:
    found = judged(("q1", "d5", "d1"), ("q2", "d7", "d2"))
    assert found.error.estimate == 1
    assert any("nothing to correct" in note for note in found.notes)


def test_the_labels_hold_where_they_are_preferred() -> None:
    n = 12
    labels = Qrels.from_dict({f"q{i}": {"label": 1} for i in range(n)})
    run = Run.from_dict({f"q{i}": {"other": 1.0} for i in range(n)}, name="weak")
    rows = [
        Judgment(judgment_id=str(i), query_id=f"q{i}", left="other", right="label", choice=Choice.RIGHT)
        for i in range(n)
    ]
    found = audit(plan_audit(labels, run), resolve_pairs(Judgments.of(rows)))
    assert found.sentence.startswith("The labels hold: weak's first item is preferred to the label in only 0.0%")
    assert not found.is_better_than_perfect


def test_the_first_call_keeps_the_pairs_and_a_later_one_finds_them(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path)
    plan = plan_audit(QRELS, RUN)
    assert start_audit(effort, plan)
    assert not start_audit(effort, plan)
    assert read_audits(effort) == {"ours": plan}


def test_another_run_of_the_same_name_is_refused(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path)
    start_audit(effort, plan_audit(QRELS, RUN))
    with pytest.raises(InputError, match="found an audit of 'ours' with other pairs"):
        start_audit(effort, plan_audit(QRELS, Run.from_dict({"q3": {"d8": 1.0}}, name="ours")))


def test_a_p_value_too_small_to_mean_its_digits_is_said_so_in_the_notes(source: Audit) -> None:
    told = [note for note in source.notes if "exact binomial" in note]
    assert len(told) == 2
    assert all(note.endswith("(exact binomial p < 0.0001).") for note in told)
