from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.analyses.scales.find import check_scale
from toprung.scoring.measure import Cutoff, Measure
from toprung.scoring.measures import NATIVE
from toprung.scoring.measures.interval import Interval
from toprung.scoring.measures.interval_steps import PossibleValues
from toprung.scoring.ranked_labels import Ints, RankedLabels
from toprung.stats.finding import Scale

Score = Callable[..., dict[str, float]]
NAMES = [
    each.name
    for each in NATIVE
    if each.higher_is_better and each.cutoff is not Cutoff.NONE and each.name not in ("Interval", "Judged")
]
"""What it can be of."""
OF = [*NAMES, "RR(mth=2)", "nDCG(dcg='exp-log2')", "P(rel=2)"]


def interval_of(of: str, cutoff: int) -> str:
    return f'Interval(of="{of}")@{cutoff}'


def run_with(ranks: dict[int, str], length: int = 10) -> str:
    """One query whose documents stand at these ranks, among others without labels."""
    return "".join(f"q1 Q0 {ranks.get(rank, f'x{rank}')} {rank} {-rank} t\n" for rank in range(1, length + 1))


@pytest.mark.parametrize("rank", range(1, 11))
def test_of_rr_it_falls_by_equal_steps_down_to_a_miss(score: Score, rank: int) -> None:
    cutoff = 5
    expected = (cutoff + 1 - rank) / cutoff if rank <= cutoff else 0
    found = score(f"Interval(of='RR')@{cutoff}", "q1 0 a 1\nq1 0 b 1\n", run_with({rank: "a"}))
    assert found["q1"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranks", "steps"),
    [
        # nDCG@2 with one document of grade 1 and one of 2: the DCG of the rankings 00, 01, 10, 02, 12, 20, 21 is
        # 0, .631, 1, 1.262, 2.262, 2, 2.631
        ({}, 0),
        ({2: "one"}, 1),
        ({1: "one"}, 2),
        ({2: "two"}, 3),
        ({1: "two"}, 4),
        ({1: "one", 2: "two"}, 5),
        ({1: "two", 2: "one"}, 6),
        ({3: "two"}, 0),  # below the cutoff
    ],
)
def test_of_ndcg_it_counts_the_steps_that_the_labels_allow(score: Score, ranks: dict[int, str], steps: int) -> None:
    labels = "q1 0 one 1\nq1 0 two 2\nq1 0 none 0\n"
    assert score("Interval(of='nDCG')@2", labels, run_with(ranks))["q1"] == pytest.approx(steps / 6)


def test_rankings_of_the_same_value_share_a_step(score: Score) -> None:
    # grade 2 at rank 3 has the discounted gain of grade 1 at rank 1: 2 / log2(4)
    labels = "q1 0 one 1\nq1 0 two 2\n"
    above, below = (score("Interval(of='nDCG')@3", labels, run_with(ranks)) for ranks in ({1: "one"}, {3: "two"}))
    assert above == below


def test_each_query_is_measured_by_its_own_labels(score: Score) -> None:
    # P@3 has two values for q1, four for q2; one document is found for each
    labels = "q1 0 a 1\nq2 0 a 1\nq2 0 b 1\nq2 0 c 2\nq2 0 d 1\n"
    found = score("Interval(of='P')@3", labels, "q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\n")
    assert found == pytest.approx({"q1": 1, "q2": 1 / 3})


def test_what_is_not_relevant_to_the_measure_is_as_if_it_had_no_label(score: Score) -> None:
    # of grade 2 and more there are c and z: P(rel=2)@3 can be 0, 1/3 or 2/3
    labels = "q1 0 a 1\nq1 0 bad -1\nq1 0 c 2\nq1 0 z 3\nq2 0 a 1\n"
    found = score("Interval(of='P(rel=2)')@3", labels, run_with({1: "bad", 2: "a", 3: "z"}))
    assert found == pytest.approx({"q1": 1 / 2, "q2": 0})  # q2 has none of that grade, and 0 as P(rel=2)@3 has


def test_labels_without_the_grade_asked_for_give_0(score: Score) -> None:
    assert score("Interval(of='RR(rel=4)')@3", "q1 0 a 1\n", run_with({1: "a"})) == {"q1": 0}


def test_a_query_of_huge_grades_does_not_blur_the_steps_of_another(score: Score) -> None:
    labels = "q1 0 a 1\nq1 0 b 2\nq2 0 a 400\n"
    found = score("Interval(of=\"nDCG(dcg='exp-log2')\")@2", labels, run_with({1: "a"}))
    assert found["q1"] == pytest.approx(2 / 6)  # gains 1 and 3: 00 and 01 are lower; 02, 12, 20, 21 are higher


@settings(max_examples=40)
@given(
    grades=st.lists(st.integers(0, 3), min_size=4, max_size=6).filter(any),
    orders=st.lists(st.permutations(range(8)), min_size=2, max_size=6),
)
def test_it_rises_with_the_measure_and_stays_between_0_and_1(grades: list[int], orders: list[list[int]]) -> None:
    labels = {f"d{number}": grade for number, grade in enumerate(grades)}
    runs = {
        f"run{number}": {"q": {f"d{doc}": -float(rank) for rank, doc in enumerate(order)}}
        for number, order in enumerate(orders)
    }
    evaluation = tr.evaluate({"q": labels}, runs, [each for of in OF for each in (f"{of}@3", interval_of(of, 3))])
    for of in OF:
        values = evaluation.score_table(f"{of}@3").values[0].round(10)
        steps = evaluation.score_table(interval_of(of, 3)).values[0].round(10)
        assert steps.min() >= 0
        assert steps.max() <= 1
        rises = values[:, None] < values[None, :]
        assert (rises == (steps[:, None] < steps[None, :])).all(), of


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize(("length", "grades"), [(3, 2), (4, 3)])
def test_its_values_are_equi_spaced_on_all_rankings(of: str, length: int, grades: int) -> None:
    found = check_scale(interval_of(of, length), length=length, grades=grades)
    assert found.is_constant or (found.is_ordinal and found.is_equi_spaced)
    assert len(found.levels) == len(check_scale(f"{of}@{length}", length=length, grades=grades).levels)
    if not found.is_constant:
        assert (found.levels[0], found.levels[-1]) == (0, 1)


def test_it_declares_an_interval_scale() -> None:
    assert Interval.scale is Scale.INTERVAL


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Interval(of='MRR')@10", "Interval(of='RR')@10"),
        ("Interval(of='nDCG')@10", "Interval(of='nDCG')@10"),  # also where it is the example of the signature
        ("Interval(of='RR( rel = 2 )')@5", "Interval(of='RR(rel=2)')@5"),
        ("Interval(of='P(rel=1)')@5", "Interval(of='P')@5"),
        ("Interval(of='nDCG(dcg=\"exp-log2\")')@10", "Interval(of=\"nDCG(dcg='exp-log2')\")@10"),
    ],
)
def test_it_has_one_spelling(text: str, canonical: str) -> None:
    measure = tr.find_measure(text)
    assert isinstance(measure, Measure)
    assert str(measure) == canonical
    assert tr.find_measure(canonical) == measure


OWN = f"expected of= one of {', '.join(NAMES)}, as in Interval(of='nDCG')@10."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Interval@10", "Found 'Interval@10'; Interval needs of: write it as Interval(of='nDCG')@k."),
        ("Interval(of='nDCG')", "Found 'Interval(of='nDCG')'; Interval needs a cutoff: write Interval(of='nDCG')@10."),
        (
            "Interval(of='nDCG@5')@10",
            "Found 'Interval(of='nDCG@5')@10'; expected the cutoff behind it: Interval(of='nDCG')@5.",
        ),
        ("Interval(of='nDGC')@10", f"Found 'Interval(of='nDGC')@10'; {OWN}"),
        ("Interval(of='Bpref')@10", f"Found 'Interval(of='Bpref')@10'; {OWN}"),
        ("Interval(of='ESL')@10", f"Found 'Interval(of='ESL')@10'; {OWN}"),
        ("Interval(of='NumRel')@10", f"Found 'Interval(of='NumRel')@10'; {OWN}"),
        ("Interval(of='Judged')@10", f"Found 'Interval(of='Judged')@10'; {OWN}"),
        ("Interval(of='Interval(of=\"RR\")')@10", f"Found 'Interval(of='Interval(of=\"RR\")')@10'; {OWN}"),
        ("Interval(of='nDCG(rel=2)')@10", "Found parameter 'rel' in 'nDCG(rel=2)'; nDCG has: dcg."),
        ("Interval(of='P(rel=0)')@10", "Found 'Interval(of='P(rel=0)')@10'; expected rel from 1 in of=."),
        (
            "Interval(of='RR(ties=\"expected\")')@10",
            "Found 'Interval(of='RR(ties=\"expected\")')@10'; expected of= without ties: "
            "a mean over ways to break ties is no value of one ranking.",
        ),
        ("Interval(of=3)@10", "Found of=3 in 'Interval(of=3)@10'; expected a text in quotes."),
        ("Interval(of='')@10", "Found measure ''; expected a name such as RR, nDCG@10 or P(rel=2)@5."),
    ],
)
def test_what_it_cannot_be_of_is_refused_with_what_to_write(text: str, message: str) -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        tr.find_measure(text)
    assert str(refusal.value) == message


def test_more_rankings_than_can_be_tried_are_refused_with_a_cutoff_that_will_do() -> None:
    labels = {"q1": {f"d{number}": number % 4 for number in range(200)}}
    with pytest.raises(tr.MeasureError) as refusal:
        tr.evaluate(labels, {"q1": {"d1": 1.0}}, "Interval(of='nDCG')@50")
    assert str(refusal.value) == (
        "Found 'Interval(of='nDCG')@50' for labels with 4 grades; expected a smaller cutoff, "
        "as so many rankings cannot all be tried: write Interval(of='nDCG')@10."
    )
    tr.evaluate(labels, {"q1": {"d1": 1.0}}, "Interval(of='RR')@20")  # relevant or not: two grades


def test_ties_have_bounds() -> None:
    labels = {"q1": {"a": 1}}
    (score,) = tr.evaluate(labels, {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "Interval(of='RR')@4").scores
    assert (score.tie_low, score.value, score.tie_high) == (2 / 4, 2 / 4, 1)  # c, b, a; at best a is first


def test_many_threads_find_the_same_values() -> None:
    labels = {f"q{number}": {f"d{doc}": doc % 3 for doc in range(1 + number)} for number in range(2, 12)}
    run = {query: {doc: float(hash_like(doc)) for doc in docs} for query, docs in labels.items()}

    def evaluate(_: int) -> list[float]:
        table = tr.evaluate(labels, run, "Interval(of='ERR')@6").score_table("Interval(of='ERR')@6")
        return table.values[:, 0].tolist()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(evaluate, range(8)))
    assert all(values == found[0] for values in found)


def test_runs_are_scored_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    both, score = Barrier(2), PossibleValues.levels_of_queries

    def meet(possible: PossibleValues, ranked: RankedLabels) -> Ints:
        both.wait(timeout=300)  # breaks if one thread keeps the other from getting here
        return score(possible, ranked)

    monkeypatch.setattr(PossibleValues, "levels_of_queries", meet)
    run = {"q1": {"a": 1.0}}
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: tr.evaluate({"q1": {"a": 1}}, run, "Interval(of='RR')@2"), range(2)))
    assert [each.scores[0].value for each in found] == [1, 1]


def hash_like(doc: str) -> int:
    return int(doc[1:]) * 7 % 11


def test_a_significance_grid_takes_it_for_an_interval_scale() -> None:
    rng = np.random.default_rng(1)
    labels = {f"q{query:02}": {"a": 1, "b": 2} for query in range(30)}
    runs = {
        name: {query: {doc: float(rng.random()) for doc in ("a", "b", "x", "y", "z")} for query in labels}
        for name in ("one", "two")
    }
    measure = "Interval(of='nDCG')@3"
    table = tr.evaluate(labels, runs, measure).score_table(measure)
    assert table.measure == measure
    assert tr.significance(table).scale is Scale.INTERVAL


@pytest.mark.parametrize(
    ("qrels", "runs", "of", "cutoff"),
    [
        ("text-dl19/qrels.dl19-passage.txt", "input.*", "nDCG", 6),  # 4 grades
        ("trec-covid-r1/qrels.covid-round1.txt", "*.gz", "nDCG", 8),  # 3 grades
        ("trec-covid-r1/qrels.covid-round1.txt", "*.gz", "AP", 10),
        ("msmarco-passage-dev215/qrels.dev215.txt", "*.gz", "nDCG", 100),  # few relevant documents
    ],
)
def test_on_real_runs_it_orders_every_query_as_the_measure_does(
    shared_data: Path, qrels: str, runs: str, of: str, cutoff: int
) -> None:
    labels = shared_data / qrels
    measure, version = f"{of}@{cutoff}", f"Interval(of='{of}')@{cutoff}"
    evaluation = tr.evaluate(labels, sorted(labels.parent.glob(runs)), [measure, version])
    values, steps = (evaluation.score_table(each).values for each in (measure, version))
    assert steps.min() >= 0
    assert steps.max() <= 1
    for one, other in itertools.combinations(range(values.shape[1]), 2):
        changes = (each[:, one] - each[:, other] for each in (values, steps))
        assert np.equal(*(np.sign(change.round(10)) for change in changes)).all()


def test_on_real_msmarco_runs_it_is_the_rank_turned_round(shared_data: Path) -> None:
    folder = shared_data / "msmarco-passage-dev215"
    evaluation = tr.evaluate(folder / "qrels.dev215.txt", folder / "BM25.run.gz", "Interval(of='RR')@10")
    ranks = evaluation.first_ranks(10).values
    expected = np.where(ranks > 0, (11 - ranks) / 10, 0)
    assert evaluation.score_table("Interval(of='RR')@10").values == pytest.approx(expected)
