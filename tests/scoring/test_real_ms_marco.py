"""Are the published figures of MS MARCO runs ours too?"""

from __future__ import annotations

from pathlib import Path

import pytest

import toprung as tr


@pytest.fixture(scope="module")
def small(shared_data: Path) -> tr.Evaluation:
    folder = shared_data / "msmarco-passage-ans_small"
    runs = {name: folder / f"run.{name}.ans_small.dev.tsv.gz" for name in ("bm25", "monobert", "monot5")}
    measures = ["RR@10", "Success@1000", "Success@50", "R@50"]
    return tr.evaluate(folder / "qrels.dev.small.tsv", runs, measures)


def test_bm25_has_the_published_mrr_to_the_last_digit(small: tr.Evaluation) -> None:
    assert small.value("bm25", "RR@10") == pytest.approx(0.15906651549508694, rel=0, abs=5e-16)


def test_what_is_published_as_r_is_success(small: tr.Evaluation) -> None:
    # The file `scores` says R @1000 and R @50; where a query has several relevant passages, one is enough for it.
    assert small.value("bm25", "Success@1000") == pytest.approx(0.8476190476190476, rel=0, abs=5e-16)
    assert small.value("bm25", "Success@50") == pytest.approx(0.5619047619047619, rel=0, abs=5e-16)
    assert small.value("bm25", "R@50") < 0.5619


@pytest.mark.parametrize(("run", "published"), [("monobert", "0.4027"), ("monot5", "0.3904")])
def test_the_rerankers_have_their_published_mrr(small: tr.Evaluation, run: str, published: str) -> None:
    assert f"{small.value(run, 'RR@10'):.4f}" == published


def test_the_105_queries_are_all_there(small: tr.Evaluation) -> None:
    assert {score.n_queries for score in small.scores} == {105}
    assert {run["missing_queries"] for run in small.to_dict()["runs"]} == {0}


@pytest.mark.parametrize("float32_ties", [False, True])
def test_ten_runs_score_the_same_with_and_without_the_scanner(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch, float32_ties: bool
) -> None:
    folder = shared_data / "msmarco-passage-dev215"
    measures = ["RR@10", "ESL@100", "nDCG@10", "AP", "R@1000", "ERR", "Judged@10", "NumRet"]

    def scored(scanner: str) -> tr.Evaluation:
        monkeypatch.setenv("TOPRUNG_SCANNER", scanner)
        runs = sorted(folder.glob("*.run.gz"))
        return tr.evaluate(folder / "qrels.dev215.txt", runs, measures, float32_ties=float32_ties)

    with_scanner, without = scored("on"), scored("off")
    assert len(with_scanner.runs) == 10
    assert with_scanner.to_frame().equals(without.to_frame())
    assert with_scanner.per_query().equals(without.per_query())
    assert (with_scanner.first_ranks().values == without.first_ranks().values).all()
    assert with_scanner.to_dict() == without.to_dict()
