"""Which view of the leaderboard does an address ask for? Order, columns, filters, page; each view has one address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from toprung.web.services.shown.board.columns import BoardColumn, ColumnKind

LONGEST_SEARCH = 100
LONGEST_PAGE = 6
"""Digits."""
BEST, MINE = "best", "mine"


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What an address can ask a board for."""

    columns: Sequence[BoardColumn]
    references: Sequence[str]
    """Runs that others are shown against, the highest score first."""
    tags: Sequence[str]
    usual_sort: str
    """By score, the best first."""

    @property
    def usual_columns(self) -> tuple[str, ...]:
        return tuple(each.key for each in self.columns if each.is_usual)


@dataclass(frozen=True, kw_only=True)
class BoardView:
    """What was asked for; what a board does not have counts as not asked, and is told."""

    search: str = ""
    tag: str = ""
    runs: str = ""
    """``best`` of each team, ``mine``, or empty for all."""
    against: str = ""
    """The label of the run that others are shown against; empty for the highest score."""
    labels: str = ""
    """A version of the labels that was superseded; empty for the one that is shown now."""
    sort: str = ""
    """The key of a column, with a minus where high comes first; empty for the order by score."""
    columns: tuple[str, ...] = ()
    """Their keys in the order of the table; empty for those that the board shows usually."""
    page: int = 1
    unknown: tuple[str, ...] = ()
    """What was asked for and is not there, in words."""

    @classmethod
    def read(cls, asked: Mapping[str, Any], choices: Choices, *, labels: str = "") -> BoardView:
        """From the parameters of an address, in which columns may be parted by commas or given one by one."""
        one = {name: str(asked.get(name, "")) for name in ("q", "tag", "per", "against", "sort", "page")}
        page, (columns, strange) = one["page"], _read_columns(asked, choices)
        is_page = page.isascii() and page.isdecimal() and len(page) <= LONGEST_PAGE
        return cls(
            search=one["q"].strip()[:LONGEST_SEARCH],
            tag=one["tag"] if one["tag"] in choices.tags else "",
            runs=one["per"] if one["per"] in (BEST, MINE) else "",
            against=one["against"] if one["against"] in choices.references[1:] else "",
            labels=labels,
            sort=_read_sort(one["sort"], choices),
            columns=columns,
            page=max(1, int(page)) if is_page else 1,
            unknown=tuple(_name_unknown(one, strange, choices)),
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.search or self.tag or self.runs)

    @property
    def is_by_score(self) -> bool:
        return not self.sort

    @property
    def sort_key(self) -> str:
        return self.sort.removeprefix("-")

    @property
    def is_high_first(self) -> bool:
        return self.sort.startswith("-")

    def shown(self, choices: Choices) -> tuple[BoardColumn, ...]:
        """The columns of the table: names always, the others as chosen."""
        wanted = self.columns or choices.usual_columns
        return tuple(each for each in choices.columns if each.key in wanted or each.kind is ColumnKind.RUN)

    @property
    def address(self) -> str:
        """What follows the path of the page: the shortest that asks for this."""
        asked = {
            "q": self.search,
            "tag": self.tag,
            "per": self.runs,
            "against": self.against,
            "labels": self.labels,
            "sort": self.sort,
            "cols": ",".join(self.columns),
            "page": str(self.page) if self.page > 1 else "",
        }
        asked = {name: value for name, value in asked.items() if value}
        return f"?{urlencode(asked, safe=',')}" if asked else ""

    def turned(self, page: int) -> BoardView:
        return replace(self, page=page)

    def sorted_by(self, sort: str, usual: str) -> BoardView:
        """From the first page; the order by score has no name in an address."""
        return replace(self, sort="" if sort == usual else sort, page=1)


def _read_sort(asked: str, choices: Choices) -> str:
    keys = {each.key for each in choices.columns}
    return asked if asked.removeprefix("-") in keys and asked != choices.usual_sort else ""


def _read_columns(asked: Mapping[str, Any], choices: Choices) -> tuple[tuple[str, ...], list[str]]:
    """Those that are there, in the order of the table, and those that are not; none where they are the usual ones."""
    given = asked.getlist("cols") if hasattr(asked, "getlist") else [asked.get("cols", "")]
    wanted = [key.strip() for each in given for key in str(each).split(",") if key.strip()]
    known = [each.key for each in choices.columns]
    chosen = tuple(key for key in known if key in wanted)
    is_usual = set(chosen) | {"run"} == set(choices.usual_columns) | {"run"}
    return (() if is_usual else chosen), [key for key in wanted if key not in known]


def _name_unknown(one: Mapping[str, str], columns: Sequence[str], choices: Choices) -> Iterator[str]:
    keys = {each.key for each in choices.columns}
    if one["sort"] and one["sort"].removeprefix("-") not in keys:
        yield f"an order by “{_cut(one['sort'])}”"
    for column in columns[:3]:
        yield f"a column “{_cut(column)}”"
    if one["tag"] and one["tag"] not in choices.tags:
        yield f"a tag “{_cut(one['tag'])}”"
    if one["against"] and one["against"] not in choices.references:
        yield f"figures against “{_cut(one['against'])}”"
    if one["per"] not in ("", BEST, MINE):
        yield f"runs “{_cut(one['per'])}”"


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
