"""What is said of scored runs: once for all, and only where a reader would see a difference."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import toprung as tr
from toprung.scoring.notes import CONTRADICTED, MISSING, UNLABELLED, Remark, TwoFigures, say_32_bit, say_of_runs

LABELS = {"q1": {"a": 1}, "q2": {"b": 1}}
# As 64-bit numbers a is above z; as 32-bit ones they tie, and z, the larger id, comes first.
CLOSE = {"q1": {"a": 1.00000001, "z": 1.0}, "q2": {"b": 2.0, "z": 1.0}}
PREFIX = "trec_eval up to 9 compares scores as 32-bit numbers, of which more tie (--float32-ties). It would print: "


def said(remark: Remark, n_runs: int, **counts: int) -> str:
    return " ".join(say_of_runs(remark, counts, n_runs=n_runs))


def told(evaluation: tr.Evaluation) -> list[str]:
    return [note for note in evaluation.notes if note.startswith("trec_eval")]


@pytest.mark.parametrize(
    ("remark", "counts", "expected"),
    [
        (UNLABELLED, {"a": 0, "b": 0}, ""),
        (MISSING, {"a": 0, "b": 1}, "b: 1 labelled query missing."),
        (UNLABELLED, {"a": 424, "b": 424}, "424 queries without labels ignored in 2 runs."),
        (MISSING, {"a": 2, "b": 2, "c": 0}, "2 labelled queries missing in a and b."),
        (MISSING, {"a": 2, "b": 1200, "c": 0}, "2 to 1,200 labelled queries missing in a and b, most in b."),
        (
            CONTRADICTED,
            {"a": 3, "b": 3, "c": 3, "d": 3, "e": 0},
            "The rank column contradicts the scores in 3 queries in 4 of 5 runs.",
        ),
    ],
)
def test_a_remark_is_made_once_for_all_runs(remark: Remark, counts: dict[str, int], expected: str) -> None:
    assert said(remark, len(counts), **counts) == expected


class TestTrecEvalInThirtyTwoBits:
    def test_the_note_says_which_figures_and_what_trec_eval_would_print(self) -> None:
        found = tr.evaluate(LABELS, {"close": CLOSE}, ["RR", "P@1", "R@10"])
        # RR: (1 + 1) / 2 here, (1/2 + 1) / 2 there; R@10 is 1 either way.
        assert told(found) == [f"{PREFIX}close RR 0.7500 (here 1.0000); close P@1 0.5000 (here 1.0000)."]
        values = {score.measure: score.value_32_bit for score in found.scores}
        assert values == {"RR": 0.75, "P@1": 0.5, "R@10": 1.0}

    def test_it_is_what_comparing_32_bit_numbers_gives(self) -> None:
        found = tr.evaluate(LABELS, {"close": CLOSE}, ["RR", "nDCG", "Bpref"])
        asked = tr.evaluate(LABELS, {"close": CLOSE}, ["RR", "nDCG", "Bpref"], float32_ties=True)
        assert [score.value_32_bit for score in found.scores] == [score.value for score in asked.scores]
        assert told(asked) == []
        assert {score.value_32_bit for score in asked.scores} == {None}

    def test_nothing_is_said_where_no_labelled_document_moves(self) -> None:
        ordered = {"q1": {"z": 1.00000001, "a": 1.0}, "q2": {"b": 2.0, "y": 1.0, "x": 1.00000001}}
        found = tr.evaluate(LABELS, {"fine": ordered}, ["RR", "P@1"])
        assert told(found) == []
        assert {score.value_32_bit for score in found.scores} == {None}

    def test_measures_that_trec_eval_does_not_have_are_not_told(self) -> None:
        assert told(tr.evaluate(LABELS, {"close": CLOSE}, ["ERR@10", "RBP"])) == []

    def test_a_matrix_says_it_of_its_own_measure(self) -> None:
        found = tr.evaluate(LABELS, {"close": CLOSE, "same": CLOSE}, ["RR", "P@1"])
        assert f"{PREFIX}close RR 0.7500 (here 1.0000); same RR 0.7500 (here 1.0000)." in found.first_ranks().remarks
        assert f"{PREFIX}close P@1 0.5000 (here 1.0000); same P@1 0.5000 (here 1.0000)." in (
            found.score_table("P@1").remarks
        )

    def test_files_and_runs_in_memory_say_the_same(self, tmp_path: Path) -> None:
        path = tmp_path / "close.run"
        path.write_text("q1 Q0 a 1 1.00000001 t\nq1 Q0 z 2 1.0 t\nq2 Q0 b 1 2.0 t\n", encoding="utf-8")
        assert told(tr.evaluate(LABELS, [str(path)], "RR")) == [f"{PREFIX}close RR 0.7500 (here 1.0000)."]

    def test_many_figures_are_counted(self) -> None:
        (note,) = say_32_bit([TwoFigures(run=f"r{n}", measure="AP", one=0.5, other=0.4) for n in range(25)])
        assert "r19 AP 0.4000 (here 0.5000); and 5 more, which JSON output lists." in note


MEASURES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "P@5": "P_5", "RR": "recip_rank"}


def test_real_runs_print_what_trec_eval_prints(shared_data: Path) -> None:
    """BERT is the run of TREC-COVID's first round whose official figures need 32-bit scores: nDCG@10 .1731."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval IS NOT THERE: trec_eval's figures not held")
    folder = shared_data / "trec-covid-r1"
    labels = tr.read_qrels(folder / "qrels.covid-round1.txt")
    evaluator = pytrec_eval.RelevanceEvaluator(labels.to_dict(), set(MEASURES.values()))
    names = ("BERT", "run1", "UIUC_DMG_setrank_ret")
    found = tr.evaluate(labels, [folder / f"{name}.gz" for name in names], list(MEASURES))
    for name in names:
        printed = evaluator.evaluate(scores_of(folder / f"{name}.gz"))
        for score in (score for score in found.scores if score.run == name):
            value = score.value if score.value_32_bit is None else score.value_32_bit
            theirs = sum(each[MEASURES[score.measure]] for each in printed.values()) / len(found.query_ids)
            assert value == pytest.approx(theirs, abs=1e-9), (name, score.measure)
    assert told(found) == [f"{PREFIX}BERT nDCG@10 0.1731 (here 0.1736); BERT AP 0.0653 (here 0.0652)."]


def scores_of(path: Path) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        query_id, _, doc_id, _, score, _ = line.split()
        scores.setdefault(query_id, {})[doc_id] = float(score)
    return scores
