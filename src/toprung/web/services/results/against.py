"""How does every run stand to one of them? Outcomes query by query, or where there are no ranks the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toprung.boards.engine.kept_scores import KeptScores
from toprung.boards.row import OutcomeShares
from toprung.data.matrices import FirstRanks
from toprung.stats.intervals.bootstrap import Effect
from toprung.web.core.store.kept_pairs import kept_pairs_of

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial

CONFIDENCE = 0.95
"""Of a difference, as on the page that compares the two."""


type Differences = dict[str, dict[str, list[float]]]
"""By reference and run: the difference, and its interval."""


def shares_against(references: Sequence[str], material: BoardMaterial) -> Iterator[tuple[str, dict[str, Any]]]:
    """By reference and run; none for a measure without ranks."""
    ranks = material.findings.matrix
    if not isinstance(ranks, FirstRanks):
        return
    for reference in references:
        shares = OutcomeShares.of_all(ranks, reference)
        shown = {run: material.release.shares(each) if material.is_public else each for run, each in shares.items()}
        yield reference, {run: vars(each) for run, each in shown.items() if run != reference}


def differences_against(
    references: Sequence[str], material: BoardMaterial
) -> Iterator[tuple[str, dict[str, list[float]]]]:
    """By reference and run the difference of the means, run less reference, and its interval; none where ranks tell."""
    scores = material.findings.matrix
    if isinstance(scores, FirstRanks):
        return
    kept = KeptScores(folder=kept_pairs_of(material.labels))
    for reference in references:
        columns = scores.values - scores.column(reference)[:, None]
        effects = kept.mean_intervals(columns, confidence=CONFIDENCE, seed=material.board.seed)
        found = dict(zip(scores.runs, effects, strict=True))
        del found[reference]
        shown = _in_public(found, reference, material) if material.is_public else found
        yield reference, {run: [each.estimate, each.low, each.high] for run, each in shown.items()}


def _in_public(found: Mapping[str, Effect], reference: str, material: BoardMaterial) -> dict[str, Effect]:
    """The difference is that of the scores as they are shown; its interval lies on their grid."""
    release = material.release
    scores = release.shown_scores
    return {
        run: replace(release.score_effect(effect), estimate=round(scores[run] - scores[reference], release.decimals))
        for run, effect in found.items()
    }
