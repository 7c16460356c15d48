"""How does the work stand, in words? For who waits for a file or a run, and for organisers, who can do something."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from toprung.web.core.config.databases import noted_damage
from toprung.web.core.work.running import find_trouble
from toprung.web.core.work.workers import is_worker_there, seconds_since_worker, waiting_work
from toprung.words.wording import say_count


@dataclass(frozen=True, kw_only=True)
class WorkState:
    """What waits, and whether anyone does it."""

    n_waiting: int
    oldest: float
    """Seconds that the oldest of what waits has waited."""
    is_silent: bool
    silent_for: float | None
    """Seconds since a worker was seen; None where none ever was."""
    trouble: tuple[str, ...] = ()

    @classmethod
    def find(cls) -> WorkState:
        n_waiting, oldest = waiting_work()
        return cls(
            n_waiting=n_waiting,
            oldest=oldest,
            is_silent=not is_worker_there(),
            silent_for=seconds_since_worker(),
            trouble=(*find_trouble(settings.ENVIRONMENT.data_folder), *_say_damage()),
        )

    @property
    def queue(self) -> str:
        """What waits."""
        if not self.n_waiting:
            return "Nothing waits for a check or a score."
        one = self.n_waiting == 1
        waits = f"{'waits' if one else 'wait'} for a check or a score, {'for' if one else 'the oldest for'}"
        return f"{say_count(self.n_waiting, 'file or run', 'files and runs')} {waits} {say_seconds(self.oldest)}."

    @property
    def silence(self) -> str:
        """That nobody works, to who waits; empty where somebody does."""
        if not self.is_silent:
            return ""
        return (
            f"{self._unseen}, so nothing is checked or scored now. What you sent is kept, and is taken up when one is "
            "there again; organisers see this too."
        )

    @property
    def for_organisers(self) -> list[str]:
        """What is wrong, and what to look at; empty where nothing is."""
        silence = f"{self._unseen}. {self.queue} Is toprung serve, or toprung worker, running? Its log says more."
        return [*([silence] if self.is_silent else []), *self.trouble]

    @property
    def _unseen(self) -> str:
        if self.silent_for is None:
            return "No worker was seen yet"
        return f"No worker has been seen for {say_seconds(self.silent_for)}"


def _say_damage() -> list[str]:
    found = noted_damage(settings.ENVIRONMENT)
    return [f"The database is damaged: {found}. Stop the server and restore the last good backup."] if found else []


def say_seconds(seconds: float) -> str:
    """A duration that people read.

    >>> say_seconds(0.4), say_seconds(75), say_seconds(600), say_seconds(9000)
    ('less than 1 s', '75 s', '10 min', '2 h 30 min')
    """
    whole = int(seconds)
    if not whole:
        return "less than 1 s"
    if whole < 120:
        return f"{whole} s"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
