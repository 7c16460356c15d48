"""What is missing on this board, and what waits for its organisers? A list to be done, and what needs someone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count

from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.data import TEXT_KINDS, FileKind
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.reported_labels import ReportedLabel
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store import texts
from toprung.web.core.store.columns import query_ids_of
from toprung.web.core.work.state import WorkState
from toprung.web.services.labels.access_log import describe
from toprung.web.services.results.words import count_in_words
from toprung.words.wording import list_names, say_count

LOOKED_UP = 30
"""Queries of a set whose texts are looked for: a file that lacks the set, or a good part of it, is found out."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that makes a board easier to join: whether it is done, and where it is."""

    key: str
    words: str
    said: str
    is_done: bool
    page: str
    """The name of the address where it is done."""
    act: str


@dataclass(frozen=True, kw_only=True)
class OpenMatter:
    """Something that waits for an organiser, and where."""

    said: str
    page: str = ""


def list_items(board: Board) -> list[Item]:
    return [
        _settings(board),
        _baseline(board),
        _dev_labels(board),
        _texts(board),
        _kit(board),
        _invite(board),
        _share(board),
    ]


def _settings(board: Board) -> Item:
    return Item(
        key="settings",
        words="Labels, measure and policy",
        said=f"{board.official_measure}; {'opened' if board.opens_at <= board.created_at else 'opens'} "
        f"{board.opens_at:%Y-%m-%d}.",
        is_done=True,
        page="policy",
        act="See the settings",
    )


def _baseline(board: Board) -> Item:
    names = list(board.submissions.filter(is_baseline=True).order_by("number").values_list("name", flat=True))
    more = " A second one shows teams what a step up looks like." if len(names) == 1 else ""
    return Item(
        key="baseline",
        words="A baseline",
        said=f"{list_names(names)}.{more}"
        if names
        else "A run of your own, such as BM25, to be beaten without a claim.",
        is_done=bool(names),
        page="baselines",
        act="Add another" if names else "Add a baseline",
    )


def _dev_labels(board: Board) -> Item:
    found = board.label_sets.filter(use=LabelUse.DEV, is_current=True).first()
    said = "Public labels of other queries: dry runs are scored on them, and they can be looked at one by one."
    return Item(
        key="dev",
        words="Dev labels",
        said=said if found is None else f"{say_count(found.n_queries, 'query', 'queries')} for dry runs.",
        is_done=found is not None,
        page="labels",
        act="Add dev labels" if found is None else "See the labels",
    )


def _texts(board: Board) -> Item:
    n = board.data_files.filter(kind__in=TEXT_KINDS).count()
    said = "For query pages and deciding queries. TSV, JSONL or an export of ir_datasets."
    return Item(
        key="texts",
        words="Texts of queries and documents",
        said=f"{say_count(n, 'file')} of texts. {said}" if n else said,
        is_done=n > 0,
        page="organise_data",
        act="Add more" if n else "Add texts",
    )


def _kit(board: Board) -> Item:
    said, missing = "Made from what is here: files, formats, and commands that run.", _say_missing_queries(board)
    return Item(
        key="kit",
        words="Starter kit",
        said=f"{said} {missing}".rstrip(),
        is_done=not missing,
        page="data",
        act="Preview",
    )


def _say_missing_queries(board: Board) -> str:
    """Runs are made of what the queries of the leaderboard ask, though their labels are hidden."""
    files = board.data_files.filter(kind=FileKind.QUERIES, is_hidden=False)
    if not files.exists():
        return "Needs the texts of the queries."
    asked = [] if files.filter(n_blocks=0).exists() else _some_scored_queries(board)  # what a link has nobody knows
    if len(texts.queries(board, asked, only_offered=True)) == len(asked):
        return ""
    return "Its files lack texts of queries that runs are scored on: nobody can make a whole run yet."


def _some_scored_queries(board: Board) -> list[str]:
    """Of each set that runs are scored on, from the first to the last: each is looked up in a block of its own."""
    sets = board.label_sets.filter(use__in=(LabelUse.OFFICIAL, LabelUse.PRIVATE), is_current=True).exclude(file="")
    found: list[str] = []
    for labels in sets:
        ids = query_ids_of(labels)
        found += ids[:: max(1, len(ids) // LOOKED_UP)]
    return found


def _invite(board: Board) -> Item:
    n = board.roles.filter(role=Role.PARTICIPANT).count()
    if board.who_may_submit == Admission.ANYONE:
        said, is_done = "Anyone with a verified address may submit; no act of yours is needed.", True
    else:
        is_invited = board.who_may_submit == Admission.INVITED
        who = "Whom you invite" if is_invited else "Teams that you approve, and whom you invite,"
        said, is_done = f"{say_count(n, 'participant')}. {who} may submit.", n > 0
    return Item(key="invite", words="Invite", said=said, is_done=is_done, page="people", act="Invite people")


def _share(board: Board) -> Item:
    said = "Everybody may look: hand out the address." if board.is_public else "Only who has a role on it sees it yet."
    act = "The board’s page" if board.is_public else "Open to everybody"
    page = "leaderboard" if board.is_public else "policy"
    return Item(key="share", words="Share", said=said, is_done=board.is_public, page=page, act=act)


def say_missing(board: Board, items: list[Item]) -> tuple[str, str]:
    """The sentence above the list: what is bold, and what follows."""
    missing = [item for item in items if not item.is_done]
    if board.is_final:
        return "The board is closed, and its standings are final.", "Its pages stay where they are."
    if board.is_closed:
        return "The board is closed;", "its standings become final when everything is scored."
    state = "open" if board.is_open else "made"
    if not missing:
        return f"The board is {state}, and nothing is missing.", ""
    n = count_in_words(len(missing))
    would = f"{n} thing{'' if len(missing) == 1 else 's'} would make it easier to join."
    return f"The board is {state}; {would}", f"Next: {missing[0].words[:1].lower()}{missing[0].words[1:]}."


def find_needs(board: Board) -> list[OpenMatter]:
    """What waits for an organiser, the most urgent first."""
    return [*_of_work(), *(matter for _, matter in find_matters([board]))]


def find_matters(boards: Sequence[Board]) -> list[tuple[Board, OpenMatter]]:
    """What waits on each of these boards; asked for as often for many as for one."""
    found: dict[int, list[OpenMatter]] = {board.pk: [] for board in boards}
    for board_pk, matter in (*_of_people(boards), *_of_runs(boards), *_of_labels(boards)):
        found[board_pk].append(matter)
    return [(board, matter) for board in boards for matter in found[board.pk]]


def _of_work() -> Iterator[OpenMatter]:
    for said in WorkState.find().for_organisers:
        yield OpenMatter(said=said)


def _of_people(boards: Sequence[Board]) -> Iterator[tuple[int, OpenMatter]]:
    asking = BoardRole.objects.filter(role=Role.APPLICANT, board__in=[each for each in boards if not each.is_closed])
    for board_pk, n in asking.values_list("board").annotate(Count("pk")):
        yield board_pk, OpenMatter(said=f"{say_count(n, 'person asks', 'people ask')} to take part.", page="people")


def _of_runs(boards: Sequence[Board]) -> Iterator[tuple[int, OpenMatter]]:
    failed: defaultdict[int, list[str]] = defaultdict(list)
    runs = Submission.objects.filter(board__in=boards, state=RunState.FAILED).order_by("number")
    for board_pk, run_id in runs.values_list("board", "run_id"):
        failed[board_pk].append(run_id)
    for board_pk, names in failed.items():
        yield board_pk, OpenMatter(said=f"{list_names(names)} failed on our side: look at the log.", page="audit")


def _of_labels(boards: Sequence[Board]) -> Iterator[tuple[int, OpenMatter]]:
    stuck = LabelSet.objects.filter(board__in=boards, current_since=None, given_up_at=None).exclude(failure="")
    for labels in stuck:
        yield labels.board_id, OpenMatter(said=f"{describe(labels)} could not be prepared.", page="preparation")
    reported = ReportedLabel.objects.filter(board__in=boards, answer="")
    for board_pk, n in reported.values_list("board").annotate(Count("pk")):
        yield board_pk, OpenMatter(said=f"{say_count(n, 'label')} reported as wrong.", page="reported_labels")
