"""What came of a session of ``toprung labels judge``, in words."""

from __future__ import annotations

from collections.abc import Iterator

from toprung.labels.judges.session import Session
from toprung.words.wording import say_count


def say_session(session: Session, budget: float | None) -> Iterator[str]:
    """In a few lines."""
    left = f"; {session.n_left:,} left" if session.n_left else ""
    ended = f" Ended: {session.ended}." if session.ended else ""
    yield f"{say_count(session.n_pairs, 'pair')} judged{left}.{ended}"
    if session.n_tasks_accepted or session.n_tasks_excluded:
        excluded = f"; {session.n_tasks_excluded:,} excluded for a missed gold, and made anew for someone else"
        yield f"{say_count(session.n_tasks_accepted, 'task')} accepted{excluded if session.n_tasks_excluded else ''}."
    for what, n in (
        ("An invalid answer, which is no vote", session.n_invalid),
        ("No answer, still open", session.n_failed),
        ("Skipped, still open", session.n_skipped),
        ("Left out, for there is no text of an answer or of the query", session.n_without_text),
    ):
        if n:
            yield f"{what}: {say_count(n, 'pair')}."
    if session.n_asked_again:
        yield (
            f"Asked again after an invalid answer: {say_count(session.n_asked_again, 'answer')}, of which "
            f"{session.n_mended:,} valid."
        )
    if session.last_failure:
        yield f"Why no answer, the last time: {session.last_failure}"
    if session.n_voided:
        yield f"Taken back, for a missed gold in their task: {say_count(session.n_voided, 'pair')}."
    if session.n_golds:
        yield f"{session.n_golds - session.n_golds_missed:,} of {say_count(session.n_golds, 'gold')} passed."
    if session.tokens_in or session.tokens_out or budget is not None:
        cost = f", {session.cost:.4f} spent now" if session.cost or budget is not None else ""
        yield f"{say_count(session.n_answers, 'answer')}, {session.tokens_in + session.tokens_out:,} tokens{cost}."
