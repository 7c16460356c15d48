"""Are the official scores of TREC-COVID, round 1, ours too?"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import toprung as tr

OFFICIAL_NAMES = {
    "nDCG@10": "ndcg@10",
    "P@5": "p@5",
    "AP": "MAP",
    "RBP(p=0.5)": "RBP(p=.5)",
    "Bpref": "bpref",
}
NATIVE = [name for name in OFFICIAL_NAMES if name != "Bpref"]


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "trec-covid-r1"


@pytest.fixture(scope="module")
def official(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "leaderboard-subset.csv").open() as file:
        return {row["run"]: row for row in csv.DictReader(file)}


def shown(evaluation: tr.Evaluation, measure: str) -> dict[str, str]:
    return {score.run: f"{score.value:.4f}" for score in evaluation.scores if score.measure == measure}


def published(official: dict[str, dict[str, str]], measure: str) -> dict[str, str]:
    return {run: row[OFFICIAL_NAMES[measure]] for run, row in official.items()}


@pytest.fixture(scope="module", params=["on", "off"])
def native_scores(folder: Path, request: pytest.FixtureRequest) -> tr.Evaluation:
    """All runs, read with the compiled scanner and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOPRUNG_SCANNER", request.param)
        return tr.evaluate(folder / "qrels.covid-round1.txt", sorted(folder.glob("*.gz")), NATIVE)


@pytest.fixture(scope="module")
def bert_with_32_bit_ties(folder: Path) -> tr.Evaluation:
    measures = [*NATIVE, *(["Bpref"] if has_ir_measures() else [])]
    return tr.evaluate(folder / "qrels.covid-round1.txt", folder / "BERT.gz", measures, float32_ties=True)


def has_ir_measures() -> bool:
    from toprung.scoring.external import has_ir_measures

    return has_ir_measures()


@pytest.mark.parametrize("measure", NATIVE)
def test_ten_of_the_eleven_runs_have_their_official_scores(
    native_scores: tr.Evaluation, official: dict[str, dict[str, str]], measure: str
) -> None:
    found, expected = shown(native_scores, measure), published(official, measure)
    assert len(found) == 11
    del found["BERT"], expected["BERT"]
    assert found == expected


@pytest.mark.parametrize("measure", NATIVE)
def test_bert_has_its_official_scores_with_32_bit_ties(
    bert_with_32_bit_ties: tr.Evaluation, official: dict[str, dict[str, str]], measure: str
) -> None:
    assert shown(bert_with_32_bit_ties, measure)["BERT"] == published(official, measure)["BERT"]


def test_bert_has_another_ndcg_with_64_bit_ties(native_scores: tr.Evaluation) -> None:
    assert shown(native_scores, "nDCG@10")["BERT"] == "0.1736"


def test_a_run_with_a_wrong_rank_column_is_scored_by_its_scores(native_scores: tr.Evaluation) -> None:
    assert shown(native_scores, "nDCG@10")["SFDC-23April-run1"] == "0.0689"  # 0.4085 by its ranks
    runs = "ERST_QUESTION, SFDC-23April-run1 and yn-r1-alltext"
    contradicted = f"The rank column contradicts the scores in 30 queries in {runs}."
    assert contradicted in native_scores.notes


def test_bpref_through_ir_measures_is_the_official_one(
    folder: Path, official: dict[str, dict[str, str]], bert_with_32_bit_ties: tr.Evaluation
) -> None:
    pytest.importorskip("ir_measures")
    runs = [path for path in sorted(folder.glob("*.gz")) if path.name != "BERT.gz"]
    found = shown(tr.evaluate(folder / "qrels.covid-round1.txt", runs, "Bpref"), "Bpref")
    found |= shown(bert_with_32_bit_ties, "Bpref")
    assert found == published(official, "Bpref")
