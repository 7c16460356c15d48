"""Which two runs are compared? B, the challenger, and A, as asked for, or the first two of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from toprung.errors import InputError
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.shown.board.listing import ORDER
from toprung.web.services.shown.history.ledger import NOT_SHOWN

LONGEST_LABEL = 12
MOST_LISTED = 200
"""Runs to choose from, from the top; any other pair opens by its address."""


class NoSuchPairError(InputError):
    """The pair cannot be compared, and why."""


class TooFewRunsError(NoSuchPairError):
    """Nobody can compare anything here yet."""


class PairNotShownError(InputError):
    """The release policy shows no comparison of this pair."""


def find_pair(viewer: Viewer, listed: Sequence[Submission], b: str, a: str) -> RunPair:
    """The two runs by their labels; where none is given the run with the highest score, and the first below it."""
    b, a = b[:LONGEST_LABEL], a[:LONGEST_LABEL]
    first = [each.run_id for each in listed]
    a = a or next((label for label in first if label != b), "")
    b = b or next((label for label in first if label != a), "")
    if not b or not a:
        raise TooFewRunsError("Found fewer than two runs; expected two to compare.")
    if b == a:
        raise NoSuchPairError(f"Found {b} twice; expected two different runs.")
    on_board = viewer.board.submissions.filter(state=RunState.DONE, withdrawn_at=None)
    by_label = {each.run_id: each for each in on_board.filter(run_id__in=[b, a]).select_related("team")}
    unknown = [label for label in (b, a) if label not in by_label]
    if unknown:
        raise NoSuchPairError(f"Found no run {unknown[0]!r} on this board; expected one of those in the list.")
    pair = RunPair(challenger=by_label[b], holder=by_label[a])
    hidden = [each.run_id for each in (pair.challenger, pair.holder) if not viewer.shows(each)]
    if hidden:
        raise PairNotShownError(f"{hidden[0]}: {NOT_SHOWN[0].lower()}{NOT_SHOWN[1:]}")
    return pair


def list_to_choose(viewer: Viewer) -> list[Submission]:
    """The runs of the board from the top; only those that are shown at all."""
    rows = viewer.standings().filter(submission__withdrawn_at=None)
    return [each.submission for each in rows.select_related("submission__team").order_by(*ORDER)[:MOST_LISTED]]


def to_options(viewer: Viewer, runs: Sequence[Submission]) -> list[dict[str, str]]:
    """How each run is called in the list: its name and its team, with its label where another has the same name."""
    identities = [(each.run_id, viewer.namer.name(each)) for each in runs]
    times = Counter(identity.name for _, identity in identities)
    return [
        {"label": label, "words": f"{_tell_apart(label, identity.name, times)}, {identity.team}"}
        for label, identity in identities
    ]


def _tell_apart(label: str, name: str, times: Mapping[str, int]) -> str:
    return name if times[name] == 1 else f"{name} ({label})"
