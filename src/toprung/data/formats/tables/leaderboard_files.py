"""Read a published leaderboard: dates, names and scores of its entries."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import date

from toprung.data.formats.content import DEFAULT_LIMITS, Limits
from toprung.data.formats.tables.cell_values import A_DAY, to_day, to_number
from toprung.data.formats.tables.csv_table import CsvTable, list_columns
from toprung.data.matrices import LARGEST_SCORE
from toprung.data.submissions import (
    DatedEntry,
    PublishedBoard,
    TwiceScored,
    TwiceScoredEntry,
    label_entry,
)
from toprung.errors import InputError
from toprung.words.visible import quoted

ID_COLUMNS = ("id", "run_id", "run")
NAME_COLUMNS = ("description", "name", "model", "system", "run")
TEAM_COLUMNS = ("team", "group", "authors")
SCORE_WORDS = re.compile(
    r"(?<![a-z])(m?rr|esl|n?dcg|m?ap|p|r|recall|success|accuracy|score|eval|test|dev)(?![a-z])", re.IGNORECASE
)
HIDDEN_WORDS = re.compile(r"(?<![a-z])(eval|test)(?![a-z])", re.IGNORECASE)
"""Where a leaderboard has a score on hidden queries and one on public ones, it ranks by the hidden ones."""


def read_leaderboard(
    path: str | os.PathLike[str], *, score_column: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> PublishedBoard:
    """Read a leaderboard as MS MARCO publishes it: a CSV with a header, a row per submission.

    There must be a column ``date`` (2020/08/11 or 2020-08-11), a column that names the run (``id`` or
    ``description``), and one with the score. The score's column is recognised by its name, and where there is one on
    hidden queries (``eval``, ``test``) beside others it is that; otherwise name it. Rows without a date or without a
    score are counted and left out.
    """
    table = CsvTable.read(path, limits)
    dates = table.find(("date",), what="a column 'date'")
    naming = _Naming.of(table)
    scores, others = _score_columns(table, score_column)
    entries: list[DatedEntry] = []
    n_without_date = n_without_score = 0
    for line, row in table.rows:
        if not row[dates]:
            n_without_date += 1
        elif not row[scores]:
            n_without_score += 1
        else:
            run_id, name, team = naming.read(row, line)
            when, score = _to_date(table, row[dates], line), _to_score(table, row[scores], line)
            entries.append(DatedEntry(run_id=run_id, name=name, team=team, date=when, score=score, line=line))
    if not entries:
        raise table.error(f"{len(table.rows)} rows", "at least one row with a date and a score")
    return PublishedBoard(
        source=table.source,
        digest=table.digest,
        score_column=table.header[scores],
        other_score_columns=tuple(table.header[column] for column in others),
        entries=tuple(entries),
        n_without_date=n_without_date,
        n_without_score=n_without_score,
    )


def read_twice_scored(
    path: str | os.PathLike[str], *, public_column: str, private_column: str, limits: Limits = DEFAULT_LIMITS
) -> TwiceScored:
    """Read two score columns of a leaderboard, a public and a hidden one; dates are not needed.

    Rows without one of the two, or without both, are counted and left out.
    """
    table = CsvTable.read(path, limits)
    naming = _Naming.of(table)
    columns = [_score_columns(table, wanted)[0] for wanted in (public_column, private_column)]
    if columns[0] == columns[1]:
        raise InputError(f"Found the column '{table.header[columns[0]]}' as public and private; expected two columns.")
    entries: list[TwiceScoredEntry] = []
    n_one_sided = n_without_score = 0
    for line, row in table.rows:
        scores = [_to_score(table, row[column], line) for column in columns if row[column]]
        if len(scores) == 2:
            run_id, name, team = naming.read(row, line)
            label = label_entry(run_id, name)
            entries.append(TwiceScoredEntry(label=label, team=team, public=scores[0], private=scores[1]))
        n_one_sided += len(scores) == 1
        n_without_score += not scores
    return TwiceScored(
        source=table.source,
        digest=table.digest,
        public_column=table.header[columns[0]],
        private_column=table.header[columns[1]],
        entries=tuple(entries),
        n_one_sided=n_one_sided,
        n_without_score=n_without_score,
    )


@dataclass(frozen=True, kw_only=True)
class _Naming:
    """The columns that say whose run a row is, any of which may be missing."""

    table: CsvTable
    columns: tuple[int | None, int | None, int | None]

    @classmethod
    def of(cls, table: CsvTable) -> _Naming:
        run_id, name, team = (table.look_for(known) for known in (ID_COLUMNS, NAME_COLUMNS, TEAM_COLUMNS))
        if run_id is None and name is None:
            raise table.error(list_columns(table.header), "a column 'id' or 'description' that names the run", line=1)
        return cls(table=table, columns=(run_id, name, team))

    def read(self, row: tuple[str, ...], line: int) -> tuple[str, str, str]:
        """The id, name and team of a row; one of the first two at least."""
        run_id, name, team = ("" if column is None else row[column] for column in self.columns)
        if not run_id and not name:
            raise self.table.error("a row without id and description", "a name for every run", line=line)
        return run_id, name, team


def _to_date(table: CsvTable, text: str, line: int) -> date:
    day = to_day(text)
    if day is None:
        raise table.error(f"date {quoted(text)}", A_DAY, line=line)
    return day


def _to_score(table: CsvTable, text: str, line: int) -> float:
    score = to_number(text)
    if score is None or abs(score) > LARGEST_SCORE:
        expected = "a finite number, or nothing" if score is None else f"a size of at most {LARGEST_SCORE:g}"
        raise table.error(f"score {quoted(text)}", expected, line=line)
    return score


def _score_columns(table: CsvTable, wanted: str | None) -> tuple[int, list[int]]:
    """The column of the score, and the others that could be one."""
    candidates = [
        column
        for column, name in enumerate(table.header)
        if SCORE_WORDS.search(name) and _are_numbers(table.values(column))
    ]
    if wanted is not None:
        chosen = table.look_for([wanted.strip().lower()])
        if chosen is None:
            raise table.error(f"no column {quoted(wanted)}", f"one of the columns {list_columns(table.header)}", line=1)
        return chosen, [column for column in candidates if column != chosen]
    likely = [column for column in candidates if HIDDEN_WORDS.search(table.header[column])]
    for choice in (candidates, likely):
        if len(choice) == 1:
            return choice[0], [column for column in candidates if column != choice[0]]
    advice = "Name the column: --score-column NAME, or score_column=."
    if not candidates:
        raise table.error(
            list_columns(table.header), "a column whose name says that it is a score", line=1, advice=advice
        )
    found = (
        f"{len(candidates)} columns that may be the score, {list_columns([table.header[each] for each in candidates])}"
    )
    raise table.error(found, "one", line=1, advice=advice)


def _are_numbers(texts: list[str]) -> bool:
    return bool(texts) and all(to_number(text) is not None for text in texts)
