"""How far is a run, and what came out? Its state, its score as far as the board shows it, its place and its claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toprung.client.hosted_board import decimals_of, make_table, show_ranks, show_run, show_scores
from toprung.client.record import Record
from toprung.result import Result, Table, json_safe
from toprung.result.figures import frame_of
from toprung.version import __version__
from toprung.words.wording import say_count, show_interval, show_number

if TYPE_CHECKING:
    import polars as pl

DONE, FAILED, VOIDED = "done", "failed", "voided"
SAID = {"queued": "is queued", "scoring": "is being scored", "scored": "is scored, and waits to be settled"}
COLUMNS = (
    *("label", "name", "team", "state", "submitted_at", "score", "rank_low", "rank_high", "status", "failure", "url"),
)


def is_settled(run: Record) -> bool:
    """Whether it failed, or is done and its place on the board is computed."""
    return run.text("state") == FAILED or (run.text("state") == DONE and not run.claim("is_behind"))


def say_state(run: Record) -> str:
    """How far it is, in a sentence.

    >>> say_state(Record(fields={"label": "R7", "name": "dense", "state": "queued"}, source=""))
    'R7 dense is queued.'
    """
    state = run.text("state")
    if state == FAILED:
        return f"{show_run(run)} failed: {run.text('failure') or 'no reason was given.'}"
    if state == DONE and run.claim("is_behind"):
        return f"{show_run(run)} is scored; the board is computed anew."
    return f"{show_run(run)} {SAID.get(state, f'is {state}')}."


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HostedRuns(Result):
    """The runs of one's teams on a board, the latest first."""

    board: Record
    runs: tuple[Record, ...]

    @property
    def _slug(self) -> str:
        return self.board.text("slug")

    @property
    def sentence(self) -> str:
        if not self.runs:
            return f"You have no run on {self._slug}."
        states = Counter(run.text("state") for run in self.runs)
        said = ", ".join(f"{count:,} {state}" for state, count in states.most_common())
        return f"You have {say_count(len(self.runs), 'run')} on {self._slug}: {said}."

    @property
    def table(self) -> Table:
        return make_table(
            (
                ("run", False, [show_run(run) for run in self.runs]),
                ("team", False, [run.text("team") for run in self.runs]),
                ("date", False, [run.text("submitted_at")[:10] for run in self.runs]),
                ("state", False, [run.text("state") for run in self.runs]),
                ("score", True, show_scores(self.runs, decimals_of(self.board))),
                ("rank", True, [show_ranks(run) for run in self.runs]),
                ("status", False, [run.text("status") for run in self.runs]),
            )
        )

    @property
    def provenance(self) -> Mapping[str, object]:
        return {"server": self.board.source, "board": self._slug, "toprung": __version__}

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        return COLUMNS, [tuple(run.fields.get(name) for name in COLUMNS) for run in self.runs]

    def to_frame(self) -> pl.DataFrame:
        return frame_of(*self.tidy_rows())

    def to_dict(self) -> dict[str, Any]:
        runs = [json_safe(run.fields) for run in self.runs]
        return {"sentence": self.sentence, "runs": runs, "provenance": dict(self.provenance)}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HostedRun(Result):
    """One run, as its team sees it."""

    run: Record
    board: Record

    @property
    def sentence(self) -> str:
        if self.run.text("state") != DONE:
            return say_state(self.run)
        return " ".join(filter(None, (self._say_score(), self.run.text("sentence"), self._say_claim())))

    def _say_score(self) -> str:
        score, called = self.run.number("score"), show_run(self.run)
        if score is None:
            return f"{called} is done."
        ends = self.run.numbers("interval")
        decimals, measure = decimals_of(self.board), self.board.text("measure")
        interval = f" (95% interval {show_interval(*ends, decimals)})" if len(ends) == 2 else ""
        return f"{called} is done: {measure} {show_number(score, decimals)}{interval}."

    def _say_claim(self) -> str:
        claim = self.run.record("claim")
        if not claim.fields:
            return ""
        if claim.number("p") is not None and claim.text("outcome") != VOIDED:
            return claim.text("reason")
        return f"Claim against {claim.text('against')}: {claim.text('outcome')}."

    @property
    def table(self) -> Table:
        header, rows = self.tidy_rows()
        return Table(header=header, rows=tuple(tuple(map(str, row)) for row in rows))

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        return ()  # the sentence says it all

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(filter(None, [self.run.text("url")]))

    @property
    def provenance(self) -> Mapping[str, object]:
        return {"server": self.run.source, "toprung": __version__}

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """What is said of it in one word or number."""
        flat = {name: value for name, value in self.run.fields.items() if isinstance(value, str | int | float)}
        return tuple(flat), [tuple(flat.values())]

    def to_frame(self) -> pl.DataFrame:
        return frame_of(*self.tidy_rows())

    def to_dict(self) -> dict[str, Any]:
        return {"sentence": self.sentence, **json_safe(self.run.fields), "provenance": dict(self.provenance)}
