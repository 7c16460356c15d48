"""Does a new run have a better answer than the label? Its unjudged first answers are put to the test once it is there.

Until they are decided the run shows two scores: with all of them lost, and with all of them won. So does the run that
holds the rung, whose score moves with the labels: of all that are open, whosever they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.challenge_queue import count_open, queue_challenges
from toprung.labels.best.challenges import (
    Challenge,
    RunChallenges,
    find_challenges,
    join_challengers,
    join_first_answers,
)
from toprung.labels.best.upkeep import Upkeep, read_challenges, rule_in, settle_challenges
from toprung.labels.pools.pool import Pool, top_documents
from toprung.labels.pools.store import add_pools, read_pools
from toprung.labels.votes.outcomes import merge_same_texts, resolve_pairs
from toprung.web.core.apart.process import run_apart
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import OpenChallenge, PublishBy
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import enqueue_once, keep_labels_current, watch_campaign
from toprung.web.core.store import texts
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.files import local_path
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.judging.campaigns.material import read_all_tops
from toprung.web.services.judging.campaigns.new_labels import NewLabels
from toprung.web.services.judging.campaigns.publish import publish_found
from toprung.web.services.judging.campaigns.reading import IntervalAsked, score_lost_and_won
from toprung.web.services.judging.campaigns.review import current_labels, new_labels_of
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.showable import texts_shown
from toprung.web.services.labels.prepare import versions_in_preparation
from toprung.words.wording import say_queries

A_WEEK = timedelta(days=7)


def standing_campaigns() -> QuerySet[Campaign]:
    """Those that keep labels current: one that is closed decides nothing any more."""
    running = Campaign.objects.filter(is_standing=True).exclude(state__in=(CampaignState.DRAFT, CampaignState.CLOSED))
    return running.select_related("board", "label_set", "design", "created_by")


def standing_campaign(board: Board) -> Campaign | None:
    """The one that challenges join."""
    return standing_campaigns().filter(board=board).order_by("-started_at").first()


def challenge_labels(board_pk: int) -> None:
    """Once runs are settled, or other labels are current: what was held back for them may be published now."""
    campaign = standing_campaign(Board.objects.get(pk=board_pk))
    if campaign is None:
        return
    keep_current(campaign.pk)
    enqueue_once(watch_campaign, campaign.pk)


def challenge_by_new_texts(board_pk: int) -> None:
    """Once texts came or went: what could not be judged is looked at again."""
    lacking = OpenChallenge.objects.filter(submission__board=board_pk, n_without_text__gt=0)
    lacking.update(labels_version=0)  # what is known of them is of no labels any more
    challenge_labels(board_pk)


def look_at_runs(campaign: Campaign) -> None:
    """Every settled run that was not looked at under these labels, or has open challenges; then who holds the rung."""
    done = _looked_at(campaign)
    found = [challenge(campaign, each) for each in settled_submissions(campaign.board) if each.pk not in done]
    tell_holder(campaign, found)


def _looked_at(campaign: Campaign) -> set[int]:
    """Runs that have nothing to challenge the labels with that are current, also where votes were taken back."""
    nothing_open = OpenChallenge.objects.filter(campaign=campaign, n_open=0, n_held_back=0)
    found = nothing_open.filter(labels_version=current_labels(campaign).version)
    challenging = {each.run for known in CampaignStanding.read(campaign).open_challenges.values() for each in known}
    return set(found.exclude(submission__run_id__in=challenging).values_list("submission_id", flat=True))


@dataclass(frozen=True, kw_only=True)
class LookedAt:
    """A run, and how its challenges stand, those that are held back among them."""

    submission: Submission
    upkeep: Upkeep


def challenge(campaign: Campaign, submission: Submission) -> LookedAt:
    """Queue its first answers that nobody has judged, and say what it may come to."""
    current = current_labels(campaign)
    labels = labels_of(current)
    top = read_all_tops([submission], depth=1)[submission.run_id]
    store = CampaignRecords(campaign)
    with store.alone():
        known, kept = read_challenges(store), read_pools(store)
        told = _texts(campaign, kept, known, top)
        joined = join_first_answers(kept, top, told, name=submission.run_id)
        add_pools(store, joined)
        pools = join_challengers(joined, known)
        owner = "" if submission.team is None else submission.team.slug
        found = find_challenges(pools, labels, top, name=submission.run_id, team=owner, known=known, texts=told)
        asked = texts_shown(texts.queries(campaign.board, [each.query_id for each in found.challenges]))
        can_be_shown = [each for each in found.challenges if each.query_id in asked and _has_text(each, told)]
        pools = join_challengers(joined, (*known, *can_be_shown))
        outcomes = merge_same_texts(resolve_pairs(store.read_judgments()), pools)
        rule = rule_in(store)
        upkeep = settle_challenges(labels, can_be_shown, outcomes, rule=rule, pools=pools)
        n_open = count_open(labels, known, outcomes, rule=rule, pools=pools)
        n_held_back = queue_challenges(store, upkeep.open, rule=campaign.design.challenge_rule, n_open=n_open)
    n_first = found.n_best + found.n_pooled + found.n_without_pool + len(found.challenges)
    is_interesting = bool(upkeep.open)
    lost, won = _interval(campaign, submission, found, upkeep) if is_interesting else (None, None)
    OpenChallenge.objects.update_or_create(
        submission=submission,
        defaults={
            "campaign": campaign,
            "labels_version": current.version,
            "n_first": n_first,
            "n_judged": found.n_best + found.n_pooled + len(upkeep.won) + len(upkeep.lost),
            "n_open": len(upkeep.open),
            "n_without_text": len(found.challenges) - len(can_be_shown),
            "n_held_back": n_held_back,
            "n_against": 0,
            "if_lost": lost,
            "if_won": won,
        },
    )
    return LookedAt(submission=submission, upkeep=upkeep)


def tell_holder(campaign: Campaign, found: Sequence[LookedAt]) -> None:
    """Say what the holder may come to; ``found`` has every run with an open challenge."""
    holder = Board.objects.select_related("holder__upload").get(pk=campaign.board_id).holder
    OpenChallenge.objects.filter(campaign=campaign, n_against__gt=0).update(n_against=0)
    if holder is None:
        return
    others = [each.upkeep for each in found if each.submission.pk != holder.pk]
    n_against = len({(each.query_id, each.challenger) for upkeep in others for each in upkeep.open})
    if n_against:
        lost, won = _interval(campaign, holder, _nothing_found(holder), _together(found))
        held = OpenChallenge.objects.filter(campaign=campaign, submission=holder)
        held.update(n_against=n_against, if_lost=lost, if_won=won)


def _nothing_found(run: Submission) -> RunChallenges:
    return RunChallenges(run=run.run_id, challenges=(), n_best=0, n_pooled=0, n_without_pool=0, n_missing=0)


def _together(found: Sequence[LookedAt]) -> Upkeep:
    """The best answers by what is decided for any of the runs, and all that is open."""
    best = dict(found[0].upkeep.results)
    for each in found:
        best |= {won.query_id: each.upkeep.results[won.query_id] for won in each.upkeep.won}
    still_open = tuple(challenge for each in found for challenge in each.upkeep.open)
    return Upkeep(results=best, won=(), lost=(), open=still_open, open_pairs=())


def _texts(campaign: Campaign, pools: Sequence[Pool], known: Sequence[Challenge], top: Run) -> dict[str, str]:
    pooled = {item for pool in pools for item in (*pool.items, *pool.same_text)}
    firsts = {docs[0] for docs in top_documents(top).values() if docs}
    asked = sorted(pooled | firsts | {each.challenger for each in known})
    return texts_shown(texts.passages(campaign.board, asked))


def _has_text(challenge: Challenge, told: dict[str, str]) -> bool:
    return challenge.challenger in told and all(item in told for item in challenge.best)


def _interval(campaign: Campaign, submission: Submission, found: RunChallenges, upkeep: Upkeep) -> tuple[float, float]:
    """The official score with all challenges lost, and with all won."""
    board, labels = campaign.board, labels_of(current_labels(campaign))
    with local_path(submission.upload.parquet) as path:
        asked = IntervalAsked(
            run=(submission.run_id, path),
            labels=labels,
            found=found,
            upkeep=upkeep,
            measure=board.official_measure,
            seed=board.seed,
        )
        return run_apart(score_lost_and_won, asked, limits=settings.ENVIRONMENT.child_limits)


# ---- publishing by itself ----


def keep_all_current() -> None:
    """Each hour: a week ends without anyone coming, and what kept labels from being published goes unannounced."""
    for campaign in standing_campaigns():
        enqueue_once(keep_labels_current, campaign.pk)


def keep_current(campaign_pk: int) -> None:
    """After votes came: how open challenges stand now, and the next version if it is due."""
    campaign = standing_campaigns().filter(pk=campaign_pk).first()
    if campaign is None:
        return
    look_at_runs(campaign)
    publish_if_due(campaign)


def publish_if_due(campaign: Campaign) -> bool:
    """Publish what is decided, where the organiser said that it goes by itself; never while a claim is being tested."""
    found = _find_due(campaign)
    if found is None:
        return False
    n = say_queries(len(found.changed))
    changes = f"By the votes of {campaign.title}: {n} with another best answer. Published by itself."
    with lock_board(campaign.board_id) as board:  # whatever came while the labels were computed is there now
        if _is_busy(board) or current_labels(campaign) != found.current:
            return False
        publish_found(campaign, found, changes=changes, by=campaign.created_by)
    return True


def _find_due(campaign: Campaign) -> NewLabels | None:
    """The labels as they would be; None while the week is not over, too few change, or the board is busy.

    None too where graded labels would lose judgments: the page of the review says so.
    """
    design = campaign.design
    if not campaign.is_standing or design.publish_by == PublishBy.ORGANISER or _is_busy(campaign.board):
        return None
    labels = current_labels(campaign)
    since = labels.current_since or labels.published_at
    if design.publish_by == PublishBy.WEEKLY and timezone.now() < since + A_WEEK:
        return None
    found = new_labels_of(campaign)
    needed = design.publish_changes if design.publish_by == PublishBy.CHANGES else 1
    return found if _count_changed(found) >= needed and not found.losses else None


def _count_changed(found: NewLabels) -> int:
    try:
        return len(found.changed)
    except InputError:  # nothing is decided yet
        return 0


def _is_busy(board: Board) -> bool:
    """Whether a run waits for its score or its claim, a version is being prepared, or the standings are final."""
    waiting = board.submissions.filter(settled_at=None).exclude(state=RunState.FAILED)
    return board.is_final or waiting.exists() or versions_in_preparation(board).exists()
