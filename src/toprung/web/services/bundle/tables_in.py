"""How do the rows of a bundle become rows of this database? Names become keys, in the order tables build on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from django.db import models

from toprung.boards.archive import tables
from toprung.boards.archive.references import REFERENCES
from toprung.boards.archive.rows import Row
from toprung.web.core.models.boards import Board
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Submission, Upload, UploadState
from toprung.web.services.bundle.campaigns_in import add_campaign, read_origins, read_records
from toprung.web.services.bundle.columns_in import read_columns
from toprung.web.services.bundle.fields import decode, plain_fields
from toprung.web.services.bundle.files_in import StoredFiles
from toprung.web.services.bundle.stored_tables import CAMPAIGN_TABLES, STORED_TABLES, Here, find_named


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
    campaigns: dict[str, Campaign] = field(default_factory=dict)

    @property
    def here(self) -> Here:
        return {
            tables.PEOPLE: self.people,
            tables.TEAMS: self.teams,
            tables.LABEL_SETS: self.label_sets,
            tables.RUNS: self.runs,
            tables.CAMPAIGNS: self.campaigns,
        }

    def read(self, rows_of: Callable[[str], Iterable[Row]]) -> Iterator[models.Model]:
        """All rows of the tables that build on labels and runs."""
        yield from read_columns(rows_of(tables.COLUMNS), self.runs, self.label_sets)
        for table in (*STORED_TABLES, *CAMPAIGN_TABLES):
            yield from table.read(rows_of(table.name), self.board, self.here)
        yield from read_origins(rows_of(tables.ORIGINS), self.here)
        yield from read_records(rows_of(tables.RECORDS), self.here)

    def add_campaign(self, row: Row) -> None:
        made = add_campaign(row, self.board, self.here)
        self.campaigns[made.slug] = made

    def add_labels(self, row: Row, place: int) -> None:
        labels = decode(
            LabelSet,
            row,
            others=("published_by", "has_file"),
            board=self.board,
            file=self.files.get(tables.label_file(place), ""),
            **find_named(row, tables.LABEL_SETS, self.here),
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
        label, named = row.text("label"), find_named(row, tables.RUNS, self.here)
        return decode(
            Upload,
            _only(row, Upload),
            board=self.board,
            team=named["team"],
            user=named["sent_by"],
            state=UploadState.ACCEPTED,
            original=self.files[tables.original_file(label)],
            parquet=self.files[tables.parquet_file(label)],
        )

    def _run(self, row: Row, upload: Upload) -> Submission:
        others = (*REFERENCES[tables.RUNS], *(each.name for each in plain_fields(Upload)))
        user = find_named(row, tables.RUNS, self.here)["user"]
        run = decode(Submission, row, others=others, board=self.board, team=upload.team, user=user, upload=upload)
        if not all(isinstance(tag, str) for tag in run.tags):
            row.refuse("tags that are no texts", "words")
        return run


def _only(row: Row, model: type[models.Model]) -> Row:
    """What of a row belongs to this model."""
    names = {each.name for each in plain_fields(model)}
    return replace(row, values={name: value for name, value in row.values.items() if name in names})
