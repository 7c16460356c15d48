"""What do the tables of a bundle say? Rows of the database, with people, teams, runs and labels by name."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toprung.boards.archive import tables
from toprung.boards.archive.checking_judging import WITH_TEXTS
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataFile
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn
from toprung.web.core.store.stages import stage_of
from toprung.web.services.bundle.campaigns_out import CampaignTables
from toprung.web.services.bundle.fields import encode
from toprung.web.services.bundle.people import Mentioned
from toprung.web.services.bundle.stored_tables import BATCH, STORED_TABLES, Rows, name_labels


@dataclass(frozen=True, kw_only=True)
class BoardTables:
    """One board on its way into a bundle; read it inside one `snapshot`."""

    board: Board
    with_hidden: bool
    with_texts: bool
    people: Mentioned

    def write(self) -> Iterator[tuple[str, Rows]]:
        """Every table with its rows; that of the people last, for the others say who they are."""
        yield tables.TEAMS, self._teams()
        yield tables.LABEL_SETS, self._label_sets()
        yield tables.RUNS, self._runs()
        yield tables.COLUMNS, self._columns()
        for table in STORED_TABLES:
            yield table.name, table.write(self.board, self.people)
        yield tables.DATA_FILES, self._data_files()
        yield from CampaignTables(self.board, self.people, with_hidden=self.with_hidden).write()
        self._note_who_acted()
        yield tables.PEOPLE, self.people.rows()

    def board_row(self) -> dict[str, Any]:
        holder = self.board.holder
        return encode(self.board) | {
            "holder": None if holder is None else holder.run_id,
            "created_by": self.people.call(self.board.created_by_id),
        }

    def labels(self) -> list[LabelSet]:
        return list(self.board.label_sets.order_by("pk"))

    def includes(self, labels: LabelSet) -> bool:
        """Whether its file, and what runs score on each of its queries, come along."""
        return bool(labels.file.name) and (self.with_hidden or not labels.is_hidden)

    def data_files(self) -> list[DataFile]:
        """Links, and the files that come along."""
        return [each for each in self.board.data_files.order_by("pk") if each.link or self.includes_data(each)]

    def includes_data(self, file: DataFile) -> bool:
        is_asked_for = self.with_texts or file.kind not in WITH_TEXTS
        return bool(file.file) and is_asked_for and (self.with_hidden or not file.is_hidden)

    @property
    def has_hidden(self) -> bool:
        """Whether anything comes along that the board hides."""
        files = [each for each in self.data_files() if each.is_hidden]
        return bool(files) or any(each.is_hidden and self.includes(each) for each in self.labels())

    def _data_files(self) -> Rows:
        for each in self.data_files():
            yield encode(each) | {
                "added_by": self.people.call(each.added_by_id),
                "has_file": self.includes_data(each),
            }

    def _teams(self) -> Rows:
        teams = Team.objects.filter(submissions__board=self.board) | Team.objects.filter(
            uploads__before__board=self.board
        )
        for team in teams.distinct().order_by("slug"):
            yield encode(team)

    def _label_sets(self) -> Rows:
        for each in self.labels():
            yield encode(each) | {
                "published_by": self.people.call(each.published_by_id),
                "has_file": self.includes(each),
            }

    def _runs(self) -> Rows:
        runs = self.board.submissions.select_related("team", "upload").order_by("number")
        for each in runs.iterator(chunk_size=BATCH):
            yield encode(each.upload) | {
                **encode(each),
                "team": None if each.team is None else each.team.slug,
                "user": self.people.call(each.user_id),
                "sent_by": self.people.call(each.upload.user_id),
            }

    def _columns(self) -> Rows:
        """Means of every set; single queries only of those whose labels come along."""
        sets = {each.pk: each for each in self.labels()}
        ranks = FirstRankColumn.objects.filter(submission__board=self.board).select_related("submission")
        for rank in ranks.order_by("pk").iterator(chunk_size=BATCH):
            if self.includes(sets[rank.label_set_id]):
                yield self._column(rank, sets, measure=None, mean=None)
        scores = ScoreColumn.objects.filter(submission__board=self.board).select_related("submission")
        for score in scores.order_by("pk").iterator(chunk_size=BATCH):
            yield self._column(score, sets, measure=score.measure, mean=score.mean)

    def _column(
        self,
        column: FirstRankColumn | ScoreColumn,
        sets: dict[int, LabelSet],
        *,
        measure: str | None,
        mean: float | None,
    ) -> dict[str, Any]:
        labels = sets[column.label_set_id]
        return {
            "run": column.submission.run_id,
            "labels": name_labels(labels),
            "measure": measure,
            "mean": mean,
            "packed": base64.b64encode(column.packed).decode() if self.includes(labels) else None,
        }

    def _note_who_acted(self) -> None:
        for each in self.board.audit.order_by("number").iterator():
            if stage_of(self.board, each.number) is None:
                self.people.note(each)
