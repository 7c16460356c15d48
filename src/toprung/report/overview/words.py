"""What should nobody miss in a report? The summary, and what casts doubt on it, the weightiest first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from toprung.analyses.holdout.find import Holdout
from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.policy.find import PolicyAudit
from toprung.analyses.power.find import Power
from toprung.analyses.relabel.tables import Relabelled
from toprung.result import Explanation, Result
from toprung.words.wording import list_names, say_count, say_queries, show_number

MOST_SENTENCES = 3


def say_summary(results: Mapping[str, Result]) -> list[str]:
    """Who may be best, and why; what the first part says where there is no leaderboard."""
    board = results.get("board")
    if isinstance(board, Leaderboard):
        return [part for part in (board.verdict, board.because) if part]
    return [result.sentence for result in results.values()][:1]


def find_concerns(results: Mapping[str, Result], *, span: float) -> Iterator[str]:
    """What casts doubt on it, the weightiest first.

    ``span`` is how far apart two values of the measure were: no difference can be larger.
    """
    board = results.get("board")
    if isinstance(board, Leaderboard) and (failed := board.misalignment):
        yield (
            f"In {failed.n_failed:,} of {say_count(failed.n_pairs, 'pair')} the runs agree no more than chance on "
            "which queries they answer, as if rows were not aligned by query id: then no comparison here would hold."
        )
    yield from _of_private_queries(results.get("holdout"))
    yield from _of_policy(results.get("policy"))
    yield from _of_other_labels(results.get("relabel"), board)
    yield from _of_power(results.get("power"), board, span)


def _of_private_queries(found: Result | None) -> Iterator[str]:
    if not isinstance(found, Holdout):
        return
    runs = list(dict.fromkeys(row.run for each in found.sets for row in each.runs if row.diverges))
    if runs:
        verb = "gains" if len(runs) == 1 else "gain"
        yield f"{list_names(runs)} {verb} more on public than on private queries: a reason to ask, not a finding."


def _of_policy(found: Result | None) -> Iterator[str]:
    if not isinstance(found, PolicyAudit):
        return
    close = [each.submission.run for each in found.broken if each.is_small_change]
    if close:
        verb = "differs" if len(close) == 1 else "differ"
        yield f"{list_names(close)} {verb} little from an earlier run of the same team."


def _of_other_labels(found: Result | None, board: Result | None) -> Iterator[str]:
    """Where another run leads under other labels."""
    if not isinstance(found, Relabelled) or not isinstance(board, Leaderboard):
        return
    leaders = [row.run for row in found.rows if row.place_after == 1]
    if board.reference.run not in leaders and len(found.rows) > 1:
        verb = "leads" if len(leaders) == 1 else "lead"
        tau = show_number(found.tau, 2)
        yield f"Under the other labels {list_names(leaders)} {verb} by {found.measure} (τ of the two orders {tau})."


def _of_power(found: Result | None, board: Result | None, span: float) -> Iterator[str]:
    """How small a difference could have been seen, where runs cannot be told apart."""
    if not isinstance(found, Power) or not isinstance(board, Leaderboard) or len(board.top_group) < 2:
        return
    tied = {row.run for row in board.top_group[1:]}
    seen = [
        detectable
        for run, detectable in zip(found.runs[1:], found.found.detectable.tolist(), strict=True)
        if run in tied and math.isfinite(detectable)
    ]
    if seen and max(seen) >= span:
        few = say_queries(found.found.n).capitalize()
        yield f"{few} are too few to show a difference among the runs that may be best."
    elif seen:
        yield (
            f"Among the runs that may be best a difference in {found.measure} of less than "
            f"{show_number(max(seen), 4)} may go unseen on these queries (power {found.power:g})."
        )


def explain_overview(measure: str) -> Explanation:
    """How a report comes about."""
    return Explanation(
        how=(
            f"Every run is scored by {measure} on the same queries, and each part asks one question of what was found "
            "there, on the same figures and with the same seed. What the inputs do not allow is left out, and said."
        ),
        assumptions=("Each part says what must be so for its answer to hold.",),
    )
