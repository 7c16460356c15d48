"""What would new labels change? Computed by a task: query by query, run by run, before anyone publishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.utils import timezone

from toprung.analyses.leave_one_out.find import leave_one_out
from toprung.analyses.relabel.find import rescore
from toprung.analyses.relabel.tables import Relabelled
from toprung.analyses.run_scores import score_runs
from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.labels.best.challenges import best_answers
from toprung.labels.best.resolution import ResolutionRule
from toprung.labels.pools.pool import LABEL, Pool
from toprung.result import json_safe
from toprung.stats.intervals.bootstrap import mean_intervals
from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.core.queue import enqueue_once, review_campaign
from toprung.web.core.store.columns import score_table
from toprung.web.core.store.files import local_path
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.judging.campaigns.live import made_of
from toprung.web.services.judging.campaigns.material import REVIEW
from toprung.web.services.judging.campaigns.new_labels import NewLabels
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.words.wording import list_names, say_queries, show_number

MOST_GAINED = 3
"""Runs whose gain is looked at without their own answers."""
LEAST_SURE = 0.95


def current_labels(campaign: Campaign) -> LabelSet:
    """The version that the next one follows."""
    labels = campaign.label_set
    found = campaign.board.label_sets.filter(use=labels.use, name=labels.name, is_current=True).first()
    if found is None:
        raise CampaignRefusedError("Found no current labels of this set; expected the ones a new version follows.")
    return found


def new_labels_of(campaign: Campaign) -> NewLabels:
    refused = frozenset(campaign.refused_labels.values_list("query_id", flat=True))
    return NewLabels(standing=CampaignStanding.read(campaign), current=current_labels(campaign), refused=refused)


def basis_of(campaign: Campaign) -> str:
    """What a review depends on."""
    n_refused = campaign.refused_labels.count()
    return f"{current_labels(campaign).pk} {n_refused} {campaign.design.at_least} {made_of(campaign)}"[:80]


def ask_for_review(campaign: Campaign) -> tuple[CampaignReport | None, bool]:
    """What a task found, and whether it is of how the campaign stands; another is asked for where it is not."""
    report = campaign.reports.filter(kind=REVIEW).first()
    is_current = report is not None and report.made_of == basis_of(campaign)
    if not is_current:
        enqueue_once(review_campaign, campaign.pk)
    return report, is_current


def compute_review(campaign_pk: int) -> None:
    campaign = Campaign.objects.select_related("board", "label_set", "design").get(pk=campaign_pk)
    basis = basis_of(campaign)
    try:
        content = tell_review(campaign, new_labels_of(campaign))
    except InputError as error:
        content = {"fault": str(error), "p_best": {}, "rows": []}
    CampaignReport.objects.update_or_create(
        campaign=campaign,
        kind=REVIEW,
        key="",
        defaults={"content": content, "made_of": basis, "computed_at": timezone.now()},
    )


def tell_review(campaign: Campaign, found: NewLabels) -> dict[str, Any]:
    """All that the page shows; hidden texts are read by the page, which notes it."""
    standing = found.standing
    if not found.best and not found.refused:
        raise CampaignRefusedError(
            f"No query is decided at P(best) of at least {standing.design.at_least:g} yet. Let more pairs be judged."
        )
    sure = {query_id: each.confidence for query_id, each in standing.posteriors.items() if each.n_votes}
    kept_old = [query for query in sure if query not in found.judged]
    refused = {each.query_id: each.reason for each in campaign.refused_labels.all()}
    content = {
        "from": found.current.version,
        "to": found.current.version + 1,
        "p_best": {query_id: round(p, 4) for query_id, p in sure.items()},
        "rows": [_row(found, query_id) for query_id in found.changed],
        "refused": refused,
        "n_changed": len(found.changed),
        "n_decided": len(found.judged),
        "n_same": len(found.judged) - sum(query in found.judged for query in found.changed),
        "kept_old": kept_old,
        "at_least": standing.design.at_least,
        "manifest": found.version.manifest.to_record(),
        "digest": found.qrels.digest,
        "losses": found.losses,
        "is_rebased": found.current.pk != campaign.label_set_id,
        "n_people": len({each.assessor for each in standing.judgments.rows}),
    }
    shown: dict[str, Any] = json_safe(content | _tell_runs(campaign, found))
    return shown


def _row(found: NewLabels, query_id: str) -> dict[str, Any]:
    pool = next((pool for pool in found.standing.pools if pool.query_id == query_id), Pool(query_id=query_id, items=()))
    old, new = best_answers(found.old).get(query_id, ()), found.best[query_id]
    posterior = found.standing.posteriors.get(query_id)
    won, n = _votes_for(found, query_id, set(new))
    return {
        "query_id": query_id,
        "old": list(old),
        "new": list(new),
        "p_best": None if posterior is None else round(posterior.confidence, 4),
        "won": won,
        "votes": n,
        "up": _sources(pool, new, old),
        "down": _sources(pool, old, new),
        "is_cycle": len({pool.represent(item) for item in new}) > 1,
        "is_challenge": query_id in {each.query_id for each in found.upkeep.won},
    }


def _votes_for(found: NewLabels, query_id: str, new: set[str]) -> tuple[int, int]:
    """Votes that the new answer won, of all that it was in."""
    met = [
        (outcome.wins_a if pair.a in new else outcome.wins_b, outcome.n)
        for pair, outcome in found.standing.outcomes_of.get(query_id, {}).items()
        if len({pair.a, pair.b} & new) == 1
    ]
    return round(sum(won for won, _ in met)), sum(n for _, n in met)


def _sources(pool: Pool, of: Sequence[str], but: Sequence[str]) -> list[str]:
    first, other = (
        {run for item in items for run in pool.sources_of_class.get(pool.represent(item), ())} for items in (of, but)
    )
    return sorted(first - other - {LABEL})


# ---- runs ----


def _tell_runs(campaign: Campaign, found: NewLabels) -> dict[str, Any]:
    """Which runs move, who may be best then, and what pooling was worth to those that gain most."""
    submissions = settled_submissions(campaign.board)
    if not found.changed or not submissions:
        return {"runs": [], "sentence": _say(found, [], [], len(submissions)), "tau": None, "left_out": []}
    measure = campaign.board.official_measure
    with ExitStack() as files:
        paths = {each.run_id: files.enter_context(local_path(each.upload.parquet)) for each in submissions}
        after = score_runs(found.qrels, paths, measure)
        moved = _rescore(campaign, found, submissions, after)
        left_out = _leave_out(found, paths, measure, moved)
    before = score_table(found.current, submissions, measure)
    seed = campaign.board.seed
    old_top, new_top = (find_top_group(table, seed=seed) for table in (before, after))
    changes = _changes(before, after, seed=seed)
    names = {each.run_id: each.name for each in submissions}
    rows = [
        {
            "run": row.run,
            "name": names[row.run],
            "change": [show_number(value, 4, signed=not place) for place, value in enumerate(changes[row.run])],
            "before": row.before.estimate,
            "after": row.after.estimate,
            "rank_before": _ranks(old_top, row.run),
            "rank_after": _ranks(new_top, row.run),
        }
        for row in moved.rows
    ]
    tops = [[names[run] for run in top.members] for top in (old_top, new_top)]
    return {
        "runs": rows,
        "measure": measure,
        "tau": moved.tau,
        "perfect": [moved.perfect_before, moved.perfect_after],
        "better_than_perfect": list(moved.better_than_perfect),
        "tops": tops,
        "sentence": _say(found, tops[0], tops[1], len(submissions)),
        "left_out": left_out,
    }


def _rescore(campaign: Campaign, found: NewLabels, submissions: Sequence[Submission], after: Any) -> Relabelled:
    measure = campaign.board.official_measure
    before = score_table(found.current, submissions, measure)
    return rescore(found.old, found.qrels, measure=measure, seed=campaign.board.seed, before=before, after=after)


def _changes(before: ScoreTable, after: ScoreTable, *, seed: int) -> dict[str, tuple[float, float, float]]:
    """Of each run the mean change of its score, and the 95% interval over queries."""
    shared = [query_id for query_id in before.query_ids if query_id in set(after.query_ids)]
    old, new = (table.select(list(after.runs)).select_queries(shared, name="both labels") for table in (before, after))
    effects = mean_intervals(new.values - old.values, rng=seed)
    return {run: (each.estimate, each.low, each.high) for run, each in zip(after.runs, effects, strict=True)}


def _ranks(top: Any, run: str) -> list[int]:
    row = top.row(run)
    return [int(top.intervals.low[row]), int(top.intervals.high[row])]


def _leave_out(found: NewLabels, paths: Mapping[str, Path], measure: str, moved: Relabelled) -> list[dict[str, Any]]:
    """Of the three that gain most: how much of it is by answers that only they found."""
    gained = sorted(moved.rows, key=lambda row: row.before.estimate - row.after.estimate)[:MOST_GAINED]
    names = {row.run for row in gained if row.after.estimate > row.before.estimate}
    pooled = {name for pool in found.standing.pooled for sources in pool.sources.values() for name in sources}
    if not names & pooled:
        return []
    standing = found.standing
    left_out = leave_one_out(
        standing.pooled,
        standing.outcomes,
        paths,
        measure,
        rule=ResolutionRule.STRENGTH,
        at_least=standing.design.at_least,
        challenges=standing.challenges,
        challenge_rule=standing.design.challenge_rule,
    )
    return [
        {
            "run": row.run,
            "n_items": row.n_items,
            "score": row.score,
            "without": row.score_without,
            "change": [row.change.estimate, row.change.low, row.change.high],
            "n_labels": row.n_labels_changed,
        }
        for row in left_out.rows
        if row.run in names
    ]


def _say(found: NewLabels, before: Sequence[str], after: Sequence[str], n_runs: int) -> list[str]:
    n = len(found.changed)
    if not n:
        return ["No label would change.", ""]
    get = "gets" if n == 1 else "get"
    bold = f"{say_queries(n)} {get} another best answer"
    if not n_runs or not after:
        return [f"{bold}.", "Past claims stand."]
    if set(before) == set(after):
        same = "run" if len(after) == 1 else f"{len(after):,} runs"
        return [f"{bold}; the same {same} may be best.", "No claim changes: past claims stand."]
    who = f"{list_names(list(after), most=4)} may then be best"
    return [f"{bold}; {who}.", "No claim changes: past claims stand."]
