"""Which boards are there, by which rules, and where does every run stand?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ninja import Router

from toprung.boards.row import row_columns
from toprung.web.api.callers import ApiRequest, looking
from toprung.web.api.looks import AskedVersion, Slug, get_viewer_of, version_of
from toprung.web.api.paging import AskedPage
from toprung.web.api.schemas.boards import (
    BoardItemOut,
    BoardOut,
    BoardsOut,
    LabelsOut,
    LabelVersionOut,
    LabelVersionsOut,
    QuotaRuleOut,
    ScoreRangeOut,
    StandingOut,
    StandingsOut,
    UpkeepOut,
)
from toprung.web.api.schemas.problems import problems
from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.addresses import address_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.results import Standing
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.provenance import shorten
from toprung.web.core.store.rows import to_row
from toprung.web.services.ending.cite import cite_in_words, find_final
from toprung.web.services.judging.campaigns.publish import say_sureness
from toprung.web.services.judging.campaigns.upkeep_words import ScoreRange, find_ranges, find_upkeep
from toprung.web.services.results.label_doubt import doubt_of_runs
from toprung.web.services.results.public import decimals_for
from toprung.web.services.shown.board.cells import NOT_MOVING
from toprung.web.services.shown.board.listing import EVERYTHING, find_not_shown, find_standings
from toprung.web.services.shown.board.verdict import say_board

router = Router(tags=["boards"])


@router.get(
    "/boards", response={200: BoardsOut, **problems(422)}, summary="All boards", url_name="api_boards", **looking()
)
def list_boards(request: ApiRequest, page: AskedPage) -> BoardsOut:
    """The boards that you may see: public ones, and those on which you have a role."""
    boards = boards_for_viewer(request.auth.person).order_by("-opens_at", "title", "pk")
    return BoardsOut(items=[BoardItemOut(**_describe(board)) for board in page.cut(boards)], count=boards.count())


@router.get(
    "/boards/{slug}", response={200: BoardOut, **problems(404)}, summary="A board", url_name="api_board", **looking()
)
def show_board(request: ApiRequest, slug: Slug) -> BoardOut:
    """What is ranked, by which rules, who may be best, and who proved an improvement last."""
    viewer = get_viewer_of(request, slug)
    board, labels, found = viewer.board, viewer.labels(), viewer.result("board")
    return BoardOut(
        **_describe(board),
        cutoff=board.cutoff,
        depth=board.depth,
        rule=board.rule,
        release=board.release,
        decimals=decimals_for(board, viewer.audience),
        labels=None
        if labels is None
        else LabelsOut(version=labels.version, published_at=labels.published_at, n_queries=labels.n_queries),
        quota=QuotaRuleOut(limit=board.quota, days=board.quota_days),
        top_group=[] if found is None else found.content["top_group"],
        holder=None if found is None else found.content["holder"],
        sentence="" if found is None else say_board(found.content, viewer).sentence,
        is_behind=viewer.is_behind,
        upkeep=_tell_upkeep(viewer),
        **_describe_end(board),
    )


@router.get(
    "/boards/{slug}/standings",
    response={200: StandingsOut, **problems(404, 422)},
    summary="The leaderboard",
    url_name="api_standings",
    **looking(),
)
def list_standings(request: ApiRequest, slug: Slug, page: AskedPage, labels: AskedVersion = None) -> StandingsOut:
    """Where every run stands, in order of score, as the release policy shows it to you.

    Runs whose figures are not released come last, with their names alone.
    """
    viewer = get_viewer_of(request, slug, labels)
    found = viewer.result("board")
    if found is None:
        return StandingsOut(sentence="", because="", labels_version=None, items=[], count=0)
    shown, not_shown = find_standings(viewer, EVERYTHING), find_not_shown(viewer, EVERYTHING)
    n_shown, end = shown.count(), page.offset + page.limit
    rows = list(shown[page.offset : end])
    ranges = find_ranges(viewer, (each.submission_id for each in rows))
    doubt = doubt_of_runs(viewer)
    items = [_to_standing(each, viewer, ranges.get(each.submission_id), doubt) for each in rows]
    left = slice(max(0, page.offset - n_shown), max(0, end - n_shown))
    items += [_to_name_only(each, viewer) for each in not_shown[left]] if left.stop else []
    verdict = say_board(found.content, viewer)
    return StandingsOut(
        sentence=verdict.sentence,
        because=verdict.because,
        labels_version=version_of(found),
        items=items,
        count=n_shown + not_shown.count(),
    )


@router.get(
    "/boards/{slug}/labels",
    response={200: LabelVersionsOut, **problems(404, 422)},
    summary="Versions of the labels",
    url_name="api_labels",
    **looking(),
)
def list_labels(request: ApiRequest, slug: Slug, page: AskedPage) -> LabelVersionsOut:
    """The labels of the board in all versions that were current, the latest first; not the private ones."""
    viewer = get_viewer_of(request, slug)
    board = viewer.board
    public = board.label_sets.exclude(use=LabelUse.PRIVATE).exclude(current_since=None)
    items = [
        LabelVersionOut(
            use=each.use,
            name=each.name,
            version=each.version,
            published_at=each.published_at,
            current_since=each.current_since,
            n_queries=each.n_queries,
            is_current=each.is_current,
            is_hidden=each.is_hidden,
            source=each.source,
            changes=each.changes,
            sureness=say_sureness(each, is_exact=viewer.is_organiser or not each.is_hidden),
            digest=shorten(each.digest),
        )
        for each in page.cut(public.order_by("-published_at", "-pk"))
    ]
    return LabelVersionsOut(items=items, count=public.count())


def _describe(board: Board) -> dict[str, Any]:
    return {
        "slug": board.slug,
        "title": board.title,
        "task": board.task,
        "measure": board.official_measure,
        "opens_at": board.opens_at,
        "closes_at": board.closes_at,
        "is_open": board.is_open,
        "final_since": board.final_since,
        "url": address_of("leaderboard", board.slug),
    }


def _describe_end(board: Board) -> dict[str, Any]:
    final = find_final(board)
    if final is None:
        return {"final_digest": "", "citation": ""}
    return {"final_digest": final.digest, "citation": cite_in_words(final)}


def _tell_upkeep(viewer: Viewer) -> UpkeepOut | None:
    found = find_upkeep(viewer)
    if found is None:
        return None
    return UpkeepOut(
        share_judged=found.share_judged,
        n_open=found.n_open,
        n_without_text=found.n_without_text,
        n_held_back=found.n_held_back,
        labels_version=found.version,
        current_since=found.since,
        sentence=found.sentence,
    )


def to_range(found: ScoreRange | None) -> ScoreRangeOut | None:
    return None if found is None else ScoreRangeOut(if_lost=found.if_lost, if_won=found.if_won)


def _to_standing(
    standing: Standing, viewer: Viewer, until_judged: ScoreRange | None, doubt: Mapping[str, float]
) -> StandingOut:
    submission, identity = standing.submission, viewer.namer.name(standing.submission)
    row = to_row(standing, team=identity.team, tags=submission.tags)
    return StandingOut(
        run=row.run,
        name="" if identity.is_hidden else identity.name,
        team=identity.team,
        **{each.name: getattr(row, each.name) for each in row_columns()},
        status=row.status.value,
        date=submission.submitted_at.date(),
        tags=list(row.tags),
        is_baseline=row.is_baseline,
        until_judged=to_range(until_judged),
        label_doubt=doubt.get(row.run),
        url=address_of("run", viewer.board.slug, row.run),
    )


def _to_name_only(submission: Submission, viewer: Viewer) -> StandingOut:
    identity = viewer.namer.name(submission)
    return StandingOut(
        **dict.fromkeys(each.name for each in row_columns()),
        run=submission.run_id,
        name="" if identity.is_hidden else identity.name,
        team=identity.team,
        status=NOT_MOVING,
        date=submission.submitted_at.date(),
        tags=submission.tags,
        is_baseline=submission.is_baseline,
        until_judged=None,
        label_doubt=None,
        url=address_of("run", viewer.board.slug, submission.run_id),
    )
