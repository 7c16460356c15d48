"""Does the reconstruction agree with the tables that Lin et al. (SIGIR 2021) printed?

It is synthetic, one of many matrices that would fit; see demo/README.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from demo import build
from numpy.typing import NDArray

import toprung as tr

DEMO = Path(__file__).parents[2] / "demo"

# Table 2: runs A and B; Δ of MRR@100; per cent of queries neither, only A, only B and both answer; where both
# answer, the mean ESL of A and B, then their mean RR. Table 1 prints the same Δ.
TABLE_2 = [
    ("R1", "R2", 0.0027, (2, 9, 16, 73), (6.99, 9.14), (0.4812, 0.4468)),
    ("R1", "R3", 0.0152, (4, 15, 14, 67), (7.15, 5.99), (0.4857, 0.5107)),
    ("R1", "R4", 0.0179, (3, 10, 15, 72), (7.06, 8.13), (0.4838, 0.4775)),
    ("R1", "R5", 0.0244, (3, 11, 15, 71), (7.13, 7.27), (0.4833, 0.4861)),
    ("R1", "R6", 0.0301, (3, 10, 15, 71), (7.15, 7.19), (0.4829, 0.4910)),
    ("R1", "R7", 0.0328, (4, 10, 15, 72), (7.27, 6.98), (0.4799, 0.4979)),
    ("R1", "R8", 0.0360, (3, 15, 15, 67), (7.06, 5.71), (0.4829, 0.5273)),
    ("R1", "R9", 0.0406, (4, 15, 14, 67), (7.15, 5.15), (0.4857, 0.5404)),
    ("R1", "R10", 0.0516, (3, 12, 15, 70), (7.08, 5.88), (0.4829, 0.5204)),
    ("R1", "R11", 0.0545, (2, 10, 16, 72), (7.13, 6.51), (0.4818, 0.5112)),
    ("R1", "R12", 0.0567, (2, 10, 16, 72), (7.13, 6.36), (0.4818, 0.5146)),
    ("R1", "R13", 0.0592, (2, 10, 16, 72), (7.26, 7.31), (0.4777, 0.5079)),
    ("R11", "R13", 0.0046, (1, 10, 11, 78), (6.66, 7.28), (0.5092, 0.5129)),
    ("R12", "R13", 0.0024, (1, 10, 11, 78), (6.56, 7.28), (0.5110, 0.5131)),
]
EXACT = [row for row in TABLE_2 if row[:2] in {("R1", "R9"), ("R1", "R11"), ("R1", "R12")}]
"""The pairs of which every cell agrees at printed precision (STATISTICS.md, section 5)."""


@pytest.fixture(scope="module")
def ranks() -> tr.FirstRanks:
    return tr.read_ranks(DEMO / "lin2021_reconstruction.csv.gz")


def column(ranks: tr.FirstRanks, run: str) -> NDArray[np.int32]:
    return ranks.values[:, ranks.runs.index(run)]


def reciprocal(ranks: NDArray[np.int32]) -> NDArray[np.float64]:
    return np.divide(1.0, ranks, out=np.zeros(len(ranks)), where=ranks > 0)


def test_it_has_5793_queries_and_13_runs_with_ranks_up_to_100(ranks: tr.FirstRanks) -> None:
    assert ranks.values.shape == (5793, 13)
    assert ranks.runs == tuple(f"R{number}" for number in range(1, 14))
    assert (ranks.values.min(), ranks.values.max()) == (0, 100)


@pytest.mark.parametrize(("a", "b", "delta"), [row[:3] for row in TABLE_2])
def test_the_difference_of_mean_rr_is_the_printed_one_to_a_unit_of_the_last_place(
    ranks: tr.FirstRanks, a: str, b: str, delta: float
) -> None:
    found = reciprocal(column(ranks, b)).mean() - reciprocal(column(ranks, a)).mean()
    assert found == pytest.approx(delta, abs=1e-4)


@pytest.mark.parametrize(("a", "b", "delta"), [row[:3] for row in EXACT])
def test_the_difference_of_mean_rr_is_the_printed_one_where_every_cell_agrees(
    ranks: tr.FirstRanks, a: str, b: str, delta: float
) -> None:
    found = reciprocal(column(ranks, b)).mean() - reciprocal(column(ranks, a)).mean()
    assert round(float(found), 4) == delta


@pytest.mark.parametrize(("a", "b", "outcomes"), [(row[0], row[1], row[3]) for row in TABLE_2])
def test_the_shares_of_answered_queries_are_the_printed_ones(
    ranks: tr.FirstRanks, a: str, b: str, outcomes: tuple[int, int, int, int]
) -> None:
    has_a, has_b = column(ranks, a) > 0, column(ranks, b) > 0
    shares = [(~has_a & ~has_b).mean(), (has_a & ~has_b).mean(), (~has_a & has_b).mean(), (has_a & has_b).mean()]
    assert tuple(round(100 * float(share)) for share in shares) == outcomes


@pytest.mark.parametrize(("a", "b", "esl", "rr"), [(row[0], row[1], row[4], row[5]) for row in EXACT])
def test_where_both_answer_esl_and_rr_are_the_printed_ones(
    ranks: tr.FirstRanks, a: str, b: str, esl: tuple[float, float], rr: tuple[float, float]
) -> None:
    both = (column(ranks, a) > 0) & (column(ranks, b) > 0)
    of_a, of_b = column(ranks, a)[both], column(ranks, b)[both]
    assert (round(float(of_a.mean()), 2), round(float(of_b.mean()), 2)) == esl
    assert (round(float((1 / of_a).mean()), 4), round(float((1 / of_b).mean()), 4)) == rr


def test_a_built_run_evaluates_back_to_the_same_ranks(ranks: tr.FirstRanks) -> None:
    labels = {query_id: {build.relevant_doc(query_id): 1} for query_id in ranks.query_ids}
    runs = [build.build_run(name, ranks.query_ids, column(ranks, name)) for name in ("R1", "R13")]
    evaluation = tr.evaluate(labels, runs, ["RR@100", "Success@100", "ESL@100", "NumRet"])
    back = evaluation.first_ranks(100)
    assert back.query_ids == ranks.query_ids
    assert (back.values == ranks.select(["R1", "R13"]).values).all()
    for name in ("R1", "R13"):
        found = column(ranks, name)
        assert evaluation.value(name, "RR@100") == pytest.approx(reciprocal(found).mean())
        assert evaluation.value(name, "Success@100") == pytest.approx((found > 0).mean())
        assert evaluation.value(name, "ESL@100") == pytest.approx(found[found > 0].mean())
        assert evaluation.value(name, "NumRet") == 579_300


def test_a_small_demo_is_written_and_evaluates_through_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.csv").write_text("qid,A,B\n1,1,0\n2,100,3\n3,0,0\n")
    monkeypatch.setattr(build, "RANKS", tmp_path / "small.csv")
    build.main(tmp_path / "demo")
    runs = sorted((tmp_path / "demo" / "runs").iterdir())
    evaluation = tr.evaluate(tmp_path / "demo" / "qrels.txt", runs, "RR@100")
    assert evaluation.first_ranks(100).values.tolist() == [[1, 0], [100, 3], [0, 0]]
    assert evaluation.value("A", "RR@100") == pytest.approx((1 + 1 / 100 + 0) / 3)
