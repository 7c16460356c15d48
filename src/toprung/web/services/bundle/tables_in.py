"""How do the rows of a bundle become rows of this database? Names become keys, in the order tables build on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import models

from toprung.boards.archive import tables
from toprung.boards.archive.rows import Row
from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.labels import LabelAccess, LabelSet
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.results import Standing, StoredResult
from toprung.web.core.models.runs import Charge, MetadataEdit, Submission, Upload, UploadState
from toprung.web.services.bundle.columns_in import read_columns
from toprung.web.services.bundle.drawings import check_content
from toprung.web.services.bundle.fields import decode, plain_fields
from toprung.web.services.bundle.files_in import StoredFiles
from toprung.web.services.bundle.shown_rows import check_board, check_standing

type Rows = Iterable[Row]


@dataclass(frozen=True, kw_only=True)
class TablesIn:
    """One board on its way out of a bundle."""

    board: Board
    files: StoredFiles
    people: dict[str, User]
    teams: dict[str, Team]
    """By the slug they had."""
    label_sets: dict[tuple[str, str, int], LabelSet] = field(default_factory=dict)
    runs: dict[str, Submission] = field(default_factory=dict)

    @property
    def readers(self) -> dict[str, Callable[[Rows], Iterator[models.Model]]]:
        """The tables that build on labels and runs."""
        return {
            tables.REFUSED: self._refused,
            tables.EDITS: self._edits,
            tables.CHARGES: self._charges,
            tables.COLUMNS: lambda rows: read_columns(rows, self.runs, self.label_sets),
            tables.CLAIMS: self._claims,
            tables.STANDINGS: self._standings,
            tables.RESULTS: self._results,
            tables.AUDIT: self._audit,
            tables.ACCESSES: self._accesses,
        }

    def add_labels(self, row: Row, place: int) -> None:
        labels = decode(
            LabelSet,
            row,
            others=("published_by", "has_file"),
            board=self.board,
            published_by=self._person(row, "published_by"),
            file=self.files.get(tables.label_file(place), ""),
        )
        labels.save(force_insert=True)
        self.label_sets[labels.use, labels.name, labels.version] = labels

    def add_runs(self, rows: Sequence[Row]) -> None:
        uploads = [self._upload(row) for row in rows]
        Upload.objects.bulk_create(uploads)
        runs = [self._run(row, upload) for row, upload in zip(rows, uploads, strict=True)]
        Submission.objects.bulk_create(runs)
        for run in runs:
            # Words are on their rows; keeping them for the rest of the import would keep all of them in memory.
            self.runs[run.run_id] = Submission(pk=run.pk, run_id=run.run_id, team_id=run.team_id, number=run.number)

    def _upload(self, row: Row) -> Upload:
        label = row.text("label")
        return decode(
            Upload,
            _only(row, Upload),
            board=self.board,
            team=self._team(row),
            user=self.people[row.text("sent_by")],
            state=UploadState.ACCEPTED,
            original=self.files[tables.original_file(label)],
            parquet=self.files[tables.parquet_file(label)],
        )

    def _run(self, row: Row, upload: Upload) -> Submission:
        others = ("team", "user", "sent_by", *(each.name for each in plain_fields(Upload)))
        run = decode(
            Submission,
            row,
            others=others,
            board=self.board,
            team=upload.team,
            user=self.people[row.text("user")],
            upload=upload,
        )
        if not all(isinstance(tag, str) for tag in run.tags):
            row.refuse("tags that are no texts", "words")
        return run

    def _refused(self, rows: Rows) -> Iterator[Upload]:
        for row in rows:
            yield decode(
                Upload,
                row,
                others=("run", "team", "user"),
                board=self.board,
                team=self._team(row),
                user=self._person(row, "user"),
                before=self._find_run(row),
                state=UploadState.REFUSED,
            )

    def _edits(self, rows: Rows) -> Iterator[MetadataEdit]:
        for row in rows:
            yield decode(
                MetadataEdit,
                row,
                others=("run", "user"),
                submission=self._find_run(row),
                user=self._person(row, "user"),
            )

    def _charges(self, rows: Rows) -> Iterator[Charge]:
        for row in rows:
            run = self._find_run(row)
            yield decode(Charge, row, others=("run", "team"), board=self.board, submission=run, team=self._team(row))

    def _claims(self, rows: Rows) -> Iterator[Claim]:
        for row in rows:
            yield decode(
                Claim,
                row,
                others=("run", "holder", "labels", "voided_by"),
                board=self.board,
                submission=self._find_run(row),
                holder=self._find_run(row, "holder"),
                label_set=self.label_sets[row.labels()],
                voided_by=self._person(row, "voided_by"),
            )

    def _standings(self, rows: Rows) -> Iterator[Standing]:
        for row in rows:
            check_content(row)
            check_standing(row)
            yield decode(Standing, row, others=("run",), board=self.board, submission=self._find_run(row))

    def _results(self, rows: Rows) -> Iterator[StoredResult]:
        for row in rows:
            check_content(row)
            check_board(row, self.runs)
            yield decode(StoredResult, row, board=self.board)

    def _audit(self, rows: Rows) -> Iterator[AuditEntry]:
        for row in rows:
            yield decode(AuditEntry, row, board=self.board)

    def _accesses(self, rows: Rows) -> Iterator[LabelAccess]:
        for row in rows:
            yield decode(
                LabelAccess,
                row,
                others=("labels", "user"),
                board=self.board,
                label_set=self.label_sets[row.labels()],
                user=self._person(row, "user"),
            )

    def _find_run(self, row: Row, name: str = "run") -> Submission:
        return self.runs[row.one_of(name, self.runs, "a run")]

    def _team(self, row: Row) -> Team | None:
        return None if row["team"] is None else self.teams[row.one_of("team", self.teams, "a team")]

    def _person(self, row: Row, name: str) -> Any:
        return None if row[name] is None else self.people[row.one_of(name, self.people, "a person")]


def _only(row: Row, model: type[models.Model]) -> Row:
    """What of a row belongs to this model."""
    names = {each.name for each in plain_fields(model)}
    return replace(row, values={name: value for name, value in row.values.items() if name in names})
