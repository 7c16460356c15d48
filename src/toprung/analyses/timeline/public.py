"""What may everyone see of claims over time? Scores, differences and tests as released; what passed stays so."""

from __future__ import annotations

from dataclasses import replace

from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.engine.public import claim_in_public


def in_public[Followed: Timeline](found: Followed, release: Disclosure) -> Followed:
    runs = tuple(_run_in_public(each, release) for each in found.submissions)
    effects = {run: release.score_effect(effect) for run, effect in found.effects.items()}
    return replace(found, submissions=runs, score_decimals=release.decimals, shown_effects=effects)


def _run_in_public(each: DatedRun, release: Disclosure) -> DatedRun:
    claim = None if each.claim is None else claim_in_public(each.claim, release)
    return replace(each, score=release.shown_scores[each.run], claim=claim)
