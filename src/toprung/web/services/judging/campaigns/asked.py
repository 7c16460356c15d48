"""On which queries are votes still wanted, and for what? For their best answer, or for new answers put to the test."""

from __future__ import annotations

from typing import Any

from toprung.labels.best.challenges import Challenge
from toprung.labels.pools.pool import LABEL, Pool
from toprung.web.services.judging.campaigns.standing import CampaignStanding


def open_queries(standing: CampaignStanding) -> list[dict[str, Any]]:
    """Those that still ask, with open challenges first, then the least sure."""
    in_doubt = {pool.query_id: pool for pool in standing.asking}
    rows = [
        _open_query(standing, query_id, in_doubt.get(query_id))
        for query_id in sorted({*in_doubt, *standing.open_challenges})
    ]
    return sorted(rows, key=lambda row: (not row["n_new"], row["p_best"] or 0.0))


def _open_query(standing: CampaignStanding, query_id: str, in_doubt: Pool | None) -> dict[str, Any]:
    """``p_best`` is None where nothing was to compare before the challenge."""
    posterior = standing.posteriors.get(query_id)
    new = new_answers(standing, query_id)
    movers = {run for each in new for run in each["sources"]}
    return {
        "query_id": query_id,
        "p_best": None if posterior is None else round(posterior.confidence, 3),
        "votes": standing.count_votes(query_id),
        "n_new": len(new),
        "would_move": sorted(movers | (set() if in_doubt is None else _would_move(standing, in_doubt))),
    }


def _would_move(standing: CampaignStanding, pool: Pool) -> set[str]:
    """Runs that found one of the two answers that are most probably best, and not the other."""
    posterior = standing.posteriors[pool.query_id]
    first, second = sorted(range(len(posterior.items)), key=lambda place: -posterior.p_best[place])[:2]
    one, other = (set(pool.sources_of_class.get(posterior.items[place], ())) for place in (first, second))
    return (one ^ other) - {LABEL}


def new_answers(standing: CampaignStanding, query_id: str) -> list[dict[str, Any]]:
    """Answers of a query that challenge the best one and are not decided: who found them, and their votes so far."""
    by_answer: dict[str, list[Challenge]] = {}
    for each in standing.open_challenges.get(query_id, ()):
        by_answer.setdefault(each.challenger, []).append(each)
    return [_new_answer(standing, item, found) for item, found in by_answer.items()]


def _new_answer(standing: CampaignStanding, item: str, found: list[Challenge]) -> dict[str, Any]:
    met = standing.outcomes_of.get(found[0].query_id, {})
    outcomes = [met[pair] for pair in {pair for each in found for pair in each.pairs()} if pair in met]
    won = sum(outcome.wins_a if outcome.pair.a == item else outcome.wins_b for outcome in outcomes)
    return {
        "item": item,
        "against": sorted({best for each in found for best in each.best}),
        "won": round(won),
        "shown": sum(outcome.n for outcome in outcomes),
        "sources": sorted({each.run for each in found}),
    }
