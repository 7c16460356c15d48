"""Which runs share a frame on a board? From the top down, each group holds what its first run is not better than.

So the first run of a group does better than every run below that group. Baselines that the holder does better than
stand in a group of their own, the last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from toprung.analyses.leaderboard.evidence import BoardEvidence
from toprung.analyses.standings.rows import BETTER
from toprung.boards.row import AgainstTop, BoardGroup
from toprung.stats.inputs import Ints
from toprung.words.wording import list_names, say_count

TOP_GROUP, BASELINES = "Top group", "Baselines"


def group_runs(evidence: BoardEvidence, baselines: Collection[str]) -> tuple[BoardGroup, ...]:
    """The groups of a board, the holder first in the first of them."""
    runs, holder = evidence.runs, evidence.columns[evidence.holder]
    others = np.array([run for run in range(len(runs)) if run != holder], dtype=np.int64)
    is_below = evidence.relations[holder, others] == BETTER
    is_apart = is_below & np.array([runs[run] in baselines for run in others.tolist()], dtype=bool)
    columns = [[holder, *others[~is_below].tolist()], *_split(others[is_below & ~is_apart], evidence)]
    groups = [
        _name_group(number, [runs[run] for run in group], evidence) for number, group in enumerate(columns, start=1)
    ]
    if is_apart.any():
        names = tuple(runs[run] for run in others[is_apart].tolist())
        words = f"{evidence.holder} does better than {_say_these(names)}."
        groups.append(BoardGroup(number=len(groups) + 1, name=BASELINES, words=words, runs=names))
    return tuple(groups)


def count_upset(groups: Sequence[BoardGroup], evidence: BoardEvidence) -> int:
    """How many runs stand above one that does better than them: a group follows its first run, not every pair.

    The holder is not counted, whom the claims put first, nor are baselines, which stand last wherever they belong.
    """
    shown = [evidence.columns[run] for group in groups if group.name != BASELINES for run in group.runs]
    does_better = evidence.relations[np.ix_(shown, shown)] == BETTER
    return int(np.triu(does_better.T, k=1)[1:].any(axis=1).sum())


def _split(rest: Ints, evidence: BoardEvidence) -> Iterator[list[int]]:
    """Groups of the runs below the top, which come in the order of the board."""
    while len(rest):
        is_below = evidence.relations[rest[0], rest] == BETTER
        yield rest[~is_below].tolist()
        rest = rest[is_below]


def _name_group(number: int, runs: Sequence[str], evidence: BoardEvidence) -> BoardGroup:
    if number == 1:
        name, said = TOP_GROUP, [f"{runs[0]} {evidence.say_first()}"]
    else:
        name, said = f"Group {number}", [f"{evidence.holder} does better than {_say_these(runs)}"]
    words = "; ".join((*said, *_say_others(runs, evidence)))
    return BoardGroup(number=number, name=name, words=f"{words}.", runs=tuple(runs))


def _say_these(runs: Sequence[str]) -> str:
    return "this run" if len(runs) == 1 else "each of these"


def _say_others(runs: Sequence[str], evidence: BoardEvidence) -> Iterator[str]:
    """What the others of a group are to its first run."""
    first, others = runs[0], runs[1:]
    found = evidence.against_all(others, first)
    n_tied = found.count(AgainstTop.TIED)
    if n_tied:
        counted = say_count(n_tied, "run")
        everyone = "the other run" if n_tied == 1 else f"the other {counted}"
        yield f"{everyone if n_tied == len(others) else counted} cannot be told apart from {first}"
    has_claims = first == evidence.holder and evidence.timeline is not None
    for relation in (AgainstTop.CONFLICT, AgainstTop.BETTER):
        named = [run for run, each in zip(others, found, strict=True) if each is relation]
        if named:
            what = _say_better(relation, is_one=len(named) == 1, has_claims=has_claims)
            yield f"{list_names(named)} {'does' if len(named) == 1 else 'do'} better than {first} {what}"


def _say_better(relation: AgainstTop, *, is_one: bool, has_claims: bool) -> str:
    """In which way runs do better than the first of their group, and why they stand below it all the same."""
    if relation is AgainstTop.CONFLICT:
        return "in one way and worse in another"
    return f"as a pair, but {'has' if is_one else 'have'} no supported claim" if has_claims else "in a circle"
