"""What do labels in doubt do to scores? Runs under every label that a query may have, as probable as that is.

Queries are labelled one by one, so that the mean over all labels, and how far scores move from one draw of the labels
to another, are sums over queries. Only who is first needs draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toprung.analyses.run_scores import score_runs
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.scoring.catalogue import GivenMeasure
from toprung.scoring.evaluate import ALL_CORES
from toprung.scoring.inputs import Reading, to_named_runs
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats
from toprung.workers import Workers

DRAWS = 4_000
"""Of the labels of all queries; the share of a run that is first is known to 0.008 then."""
Z = 1.96


@dataclass(frozen=True, kw_only=True)
class TopShare:
    """How often a run is first, as labels are drawn."""

    run: str
    share: float


@dataclass(frozen=True, kw_only=True)
class LabelDoubt:
    """Who is first as labels are drawn from P(best), the likeliest first; runs that share the first place share it."""

    tops: tuple[TopShare, ...]
    n_in_doubt: int
    """Queries with more than one possible label."""
    draws: int
    seed: int


@dataclass(frozen=True, eq=False, kw_only=True)
class SoftScores:
    """The scores of runs under soft labels."""

    table: ScoreTable
    """Queries × runs: the mean over the labels that the query may have."""
    chances: Floats
    """Queries × candidates: how probable each is."""
    scores: Floats
    """Candidates × queries × runs."""

    @classmethod
    def of(
        cls,
        labels: Qrels,
        same_text: Mapping[str, Mapping[str, str]],
        runs: Any,
        measure: GivenMeasure,
        *,
        workers: Workers = ALL_CORES,
        on_progress: Callable[[str], None] = lambda _: None,
    ) -> SoftScores:
        """Score runs under each label that a query may have; ``same_text`` says which documents are labels together."""
        candidates = {
            query_id: _classes(docs, same_text.get(query_id, {})) for query_id, docs in labels.to_dict().items()
        }
        loaded = {run.name: run.load() for run in to_named_runs(runs, Reading())}
        tables = [
            score_runs(
                each, loaded, measure, workers=workers, on_progress=on_progress if not number else lambda _: None
            )
            for number, each in enumerate(_nth_labels(candidates))
        ]
        first = tables[0]
        row_of = {query_id: row for row, query_id in enumerate(first.query_ids)}
        scores = np.zeros((len(tables), *first.values.shape))
        chances = np.zeros((len(first.query_ids), len(tables)))
        for number, table in enumerate(tables):
            scores[number, [row_of[query_id] for query_id in table.query_ids]] = table.values
        for query_id, row in row_of.items():
            gains = np.array([gain for _, gain in candidates[query_id]], dtype=np.float64)
            chances[row, : len(gains)] = gains / gains.sum()
        mean = np.einsum("qc,cqr->qr", chances, scores)
        return cls(table=replace(first, values=mean), chances=chances, scores=scores)

    @property
    def spread(self) -> Floats:
        """Of each run: by how much its mean score moves either way in 95% of draws of the labels."""
        variance = np.einsum("qc,cqr->qr", self.chances, (self.scores - self.table.values) ** 2)
        found: Floats = Z * np.sqrt(variance.sum(axis=0)) / len(self.chances)
        return found

    def draw_tops(self, *, higher_is_better: bool, seed: int) -> LabelDoubt:
        """Draw the labels of all queries again and again, and see who is first."""
        rng = np.random.default_rng(seed)
        totals = np.zeros((DRAWS, self.scores.shape[2]))
        for row, chances in enumerate(self.chances):
            totals += self.scores[rng.choice(len(chances), size=DRAWS, p=chances), row]
        means = (totals / len(self.chances)).round(MEAN_DIGITS) * (1 if higher_is_better else -1)
        is_first = means == means.max(axis=1, keepdims=True)
        shares = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
        tops = [TopShare(run=run, share=share) for run, share in zip(self.table.runs, shares, strict=True) if share]
        return LabelDoubt(
            tops=tuple(sorted(tops, key=lambda each: (-each.share, each.run))),
            n_in_doubt=int(((self.chances > 0).sum(axis=1) > 1).sum()),
            draws=DRAWS,
            seed=seed,
        )


def _classes(docs: Mapping[str, int], same_text: Mapping[str, str]) -> list[tuple[list[str], int]]:
    """The documents that are labels together, with their gain, the likeliest first."""
    classes: dict[str, list[str]] = {}
    for doc_id, gain in docs.items():
        if gain >= 1:
            classes.setdefault(same_text.get(doc_id, doc_id), []).append(doc_id)
    found = [(members, docs[members[0]]) for members in classes.values()]
    return sorted(found, key=lambda each: -each[1])


def _nth_labels(candidates: Mapping[str, Sequence[tuple[list[str], int]]]) -> list[Qrels]:
    """The labels if each query has its likeliest candidate, its second likeliest, …; of queries that have one."""
    most = max(map(len, candidates.values()))
    return [
        Qrels.from_dict(
            {query: dict.fromkeys(each[number][0], 1) for query, each in candidates.items() if number < len(each)},
            source="labels in doubt",
        )
        for number in range(most)
    ]
