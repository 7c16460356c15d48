"""Small judgments, pools and outcomes, as tests write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.labels.best.tournament import Wins, hold_tournament
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.plan import PLAN, Plan
from toprung.labels.votes.outcomes import PairOutcome


def votes(text: str, *, kind: AssessorKind = AssessorKind.HUMAN) -> Judgments:
    """One vote a line: ``query left right choice [assessor]``."""
    rows = []
    for number, line in enumerate(text.strip().splitlines()):
        query_id, left, right, choice, *assessor = line.split()
        rows.append(
            Judgment(
                judgment_id=f"j{number}",
                query_id=query_id,
                left=left,
                right=right,
                choice=Choice(choice),
                assessor=assessor[0] if assessor else "",
                kind=kind,
            )
        )
    return Judgments.of(rows)


def outcomes_of(beats: Iterable[str], *, query_id: str = "q", ties: Iterable[str] = ()) -> dict[Pair, PairOutcome]:
    """``"AB"`` says that A beats B."""
    found = {}
    for (one, other), is_tie in [*((each, False) for each in beats), *((each, True) for each in ties)]:
        pair = Pair.of(query_id, one, other)
        a_wins = float(not is_tie and one == pair.a)
        b_wins = float(not is_tie and one == pair.b)
        found[pair] = PairOutcome(pair=pair, wins_a=a_wins, wins_b=b_wins, ties=int(is_tie), n=1)
    return found


def survivors(items: Iterable[str], wins: Wins | Mapping[tuple[str, str], float]) -> tuple[str, ...]:
    """The best of items whose pairs are all judged; ``wins`` says how much of a pair the first wins: 1, ½ or 0."""
    lookup = wins if callable(wins) else lambda one, other: wins.get((one, other))
    return hold_tournament("", sorted(items), lookup).best


def note_plan(store: RecordStore, plan: Plan) -> None:
    """As `toprung labels tasks` notes it."""
    store.note({PLAN: plan.to_record()})
