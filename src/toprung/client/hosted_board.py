"""What stands on a hosted board? Its sentence and rows, as the server gives them to who asks; nothing is computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toprung.boards.disclosure.release import FullRelease
from toprung.boards.row import MAY_BE_BEST, row_columns
from toprung.client.connection import Connection
from toprung.client.record import Record
from toprung.client.submitting import PAGE
from toprung.result import Result, Table, json_safe
from toprung.result.figures import frame_of
from toprung.version import __version__
from toprung.words.wording import show_interval, show_number, show_share

if TYPE_CHECKING:
    import polars as pl

FIRST_COLUMNS = ("run", "name", "team", "date")
COLUMNS = (
    *FIRST_COLUMNS,
    *(each.name for each in row_columns() if each.name not in FIRST_COLUMNS),
    *("status", "is_baseline", "tags", "url"),
)
"""Of a tidy row, by the names that the server has for them."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HostedBoard(Result):
    """A leaderboard, or as many of its first rows as were asked for."""

    board: Record
    standings: Record
    """The first page: the sentence, the version of the labels, how many there are."""
    rows: tuple[Record, ...]

    @property
    def sentence(self) -> str:
        said = (self.standings.text("sentence"), self.standings.text("because"))
        return " ".join(filter(None, said)) or "Nothing is on this board yet."

    @property
    def table(self) -> Table:
        decimals = decimals_of(self.board)
        return make_table(
            (
                ("place", True, [_show_whole(row, "place") for row in self.rows]),
                ("rank", True, [show_ranks(row) for row in self.rows]),
                (MAY_BE_BEST, False, ["yes" if row.claim("top_group") else "" for row in self.rows]),
                ("run", False, [show_run(row) for row in self.rows]),
                ("team", False, [row.text("team") for row in self.rows]),
                ("date", False, [row.text("date")[:10] for row in self.rows]),
                (self._measure, True, show_scores(self.rows, decimals)),
                ("95%", True, [_show_interval(row, decimals) for row in self.rows]),
                ("answered", True, [_show_share(row, "answered") for row in self.rows]),
                ("ESL", True, [_show_number(row, "mean_esl", 1) for row in self.rows]),
                ("status", False, [row.text("status") for row in self.rows]),
            )
        )

    @property
    def _measure(self) -> str:
        return self.board.text("measure") or "score"

    @property
    def notes(self) -> tuple[str, ...]:
        n_all, version = self.standings.whole("count"), self.standings.number("labels_version")
        shown = f"{len(self.rows):,} of {n_all:,} runs are shown." if len(self.rows) < n_all else ""
        labels = "" if version is None else f"Labels v{version:g}."
        behind = "The board is being computed anew." if self.board.claim("is_behind") else ""
        return tuple(note for note in (shown, labels, behind, self.board.text("url")) if note)

    @property
    def provenance(self) -> Mapping[str, object]:
        return {
            "server": self.standings.source,
            "board": self.board.text("slug"),
            "labels_version": self.standings.number("labels_version"),
            "toprung": __version__,
        }

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        return COLUMNS, [tuple(_flat(row.fields.get(name)) for name in COLUMNS) for row in self.rows]

    def to_frame(self) -> pl.DataFrame:
        return frame_of(*self.tidy_rows())

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            "board": json_safe(self.board.fields),
            "labels_version": self.standings.fields.get("labels_version"),
            "count": self.standings.whole("count"),
            "runs": [json_safe(row.fields) for row in self.rows],
            "provenance": dict(self.provenance),
        }


def read_hosted_board(connection: Connection, board: str, *, labels: int | None = None, limit: int) -> HostedBoard:
    """Ask for the board and its first rows."""
    about = connection.ask(f"boards/{board}")
    path, rows = f"boards/{board}/standings", list[Record]()
    query: dict[str, str | int | None] = {"labels": labels}
    first = page = connection.ask(path, query={**query, "limit": min(PAGE, limit), "offset": 0})
    while items := page.records("items")[: limit - len(rows)]:
        rows += items
        if len(rows) >= min(limit, first.whole("count")):
            break
        page = connection.ask(path, query={**query, "limit": min(PAGE, limit - len(rows)), "offset": len(rows)})
    return HostedBoard(board=about, standings=first, rows=tuple(rows))


def make_table(columns: Iterable[tuple[str, bool, Sequence[str]]]) -> Table:
    """Name, whether it is of numbers, and the cells; columns without any word are left out."""
    shown = [column for column in columns if any(column[2])]
    return Table(
        header=tuple(name for name, _, _ in shown),
        rows=tuple(zip(*(cells for _, _, cells in shown), strict=True)),
        numeric=frozenset(place for place, (_, is_numeric, _) in enumerate(shown) if is_numeric),
    )


def show_run(row: Record) -> str:
    """Its label before its name; once where it has no other name."""
    label, name = row.text("run") or row.text("label"), row.text("name")
    return label if name in ("", label) else f"{label} {name}"


def show_ranks(row: Record) -> str:
    """The ranks a run may have, "1–4"; a dash where none is shown."""
    low, high = row.number("rank_low"), row.number("rank_high")
    if low is None or high is None:
        return "–"
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


def show_scores(rows: Iterable[Record], decimals: int) -> list[str]:
    """A column of scores; a dash where none is shown."""
    return ["–" if (score := row.number("score")) is None else show_number(score, decimals) for row in rows]


def decimals_of(board: Record) -> int:
    """How many the board shows of a score; as many as in full where an older server does not say.

    >>> [decimals_of(Record(fields=fields, source="")) for fields in ({"decimals": 2}, {})]
    [2, 4]
    """
    said = board.number("decimals")
    return FullRelease().decimals if said is None else int(said)


def _show_whole(row: Record, name: str) -> str:
    value = row.number(name)
    return "" if value is None else f"{value:g}"


def _show_interval(row: Record, decimals: int) -> str:
    low, high = row.number("score_low"), row.number("score_high")
    return "" if low is None or high is None else show_interval(low, high, decimals)


def _show_share(row: Record, name: str) -> str:
    value = row.number(name)
    return "" if value is None else show_share(value)


def _show_number(row: Record, name: str, decimals: int) -> str:
    value = row.number(name)
    return "" if value is None else show_number(value, decimals)


def _flat(value: object) -> object:
    return "; ".join(map(str, value)) if isinstance(value, list) else value
