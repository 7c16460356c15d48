"""What is put to the test? First answers of the board's runs and the labels, of which there are texts to be shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from toprung.analyses.sample_check.find import compare_orders
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool, build_pools, join_same_texts
from toprung.labels.pools.sample import sample_pools
from toprung.web.core.models.campaigns import CampaignDesign, CampaignReport, WhichQueries
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.runs import Submission
from toprung.web.core.store import texts
from toprung.web.core.store.columns import labels_of, score_table
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.judging.showable import texts_shown
from toprung.web.services.runs.tops import read_tops
from toprung.words.wording import list_names

REVIEW = "review"
"""The kind of report that has P(best) of every query."""


@dataclass(frozen=True, kw_only=True)
class PooledAnswers:
    """Pools of a campaign, and what they lack."""

    pools: Sequence[Pool]
    runs: Mapping[str, Run]
    n_without_text: int
    """Answers that nobody can be shown."""
    n_queries_without_text: int
    said: str
    """Of a sample: whether it orders the runs as all queries do."""


def pooled_submissions(campaign: Campaign, design: CampaignDesign) -> list[Submission]:
    settled = settled_submissions(campaign.board)
    return [each for each in settled if not design.runs or each.run_id in design.runs]


def read_all_tops(submissions: Sequence[Submission], *, depth: int) -> dict[str, Run]:
    """The first answers of each run, by its id; an InputError names those that could not be read."""
    found = read_tops(submissions, depth=depth)
    unread = [each.run_id for each in submissions if each.run_id not in found]
    if unread:
        raise InputError(f"Found runs whose files cannot be read to their end ({list_names(unread)}); expected none.")
    return found


def gather_pools(campaign: Campaign, design: CampaignDesign) -> PooledAnswers:
    """The pools of the queries that were chosen; an InputError where there is nothing to judge."""
    submissions = pooled_submissions(campaign, design)
    if not submissions:
        raise InputError("Found no settled run; expected at least one whose first answers can be put to the test.")
    runs, labels = read_all_tops(submissions, depth=design.depth), labels_of(campaign.label_set)
    whole = build_pools(labels, runs, depth=design.depth)
    shown = texts_shown(texts.queries(campaign.board, [pool.query_id for pool in whole]))
    told = texts_shown(texts.passages(campaign.board, sorted({item for pool in whole for item in pool.sources})))
    with_text = [_keep_told(pool, told) for pool in whole if pool.query_id in shown]
    pools = join_same_texts([pool for pool in with_text if pool.items], told)
    chosen = _choose(campaign, design, pools)
    if not any(pool.n_pairs for pool in chosen):
        raise InputError(_nothing_to_judge(len(whole), len(shown), len(told)))
    return PooledAnswers(
        pools=chosen,
        runs=runs,
        n_without_text=sum(item not in told for pool in whole for item in pool.sources),
        n_queries_without_text=len(whole) - len(shown),
        said=_check_order(campaign, design, submissions, [pool.query_id for pool in chosen]),
    )


def _keep_told(pool: Pool, told: Collection[str]) -> Pool:
    items = tuple(item for item in pool.items if item in told)
    label = pool.label if pool.label in told else None
    return replace(pool, items=items, label=label, sources={item: pool.sources[item] for item in items})


def _choose(campaign: Campaign, design: CampaignDesign, pools: Sequence[Pool]) -> list[Pool]:
    if design.queries == WhichQueries.SAMPLE:
        return sample_pools(pools, design.n_sample or 0, seed=design.seed)
    if design.queries == WhichQueries.DOUBTFUL:
        doubtful = _in_doubt(campaign, design.target)
        return [pool for pool in pools if pool.query_id in doubtful]
    return list(pools)


def _in_doubt(campaign: Campaign, target: float) -> set[str]:
    """Queries whose best answer an earlier campaign on the board left less sure than this."""
    reports = CampaignReport.objects.filter(campaign__board=campaign.board, kind=REVIEW).exclude(campaign=campaign)
    latest = reports.order_by("-computed_at").first()
    if latest is None:
        raise InputError("Found no earlier campaign on this board; expected one that left queries in doubt.")
    return {query_id for query_id, sure in latest.content["p_best"].items() if sure < target}


def _check_order(
    campaign: Campaign, design: CampaignDesign, submissions: Sequence[Submission], query_ids: Sequence[str]
) -> str:
    if design.queries == WhichQueries.ALL or len(submissions) < 2:
        return ""
    table = score_table(campaign.label_set, submissions, campaign.board.official_measure)
    known = [each for each in query_ids if each in set(table.query_ids)]
    return compare_orders(table, known).sentence if 0 < len(known) < len(table.query_ids) else ""


def _nothing_to_judge(n_pools: int, n_shown: int, n_told: int) -> str:
    if not n_shown or not n_told:
        lacking = "queries" if not n_shown else "passages"
        return f"Found no texts of {lacking}; expected them on the board: give them under Data first."
    return (
        f"Found nothing to compare in {n_pools:,} pools; expected queries where runs differ from each other or from "
        "the label. Pool more runs, or deeper."
    )
