"""What is told of a file on its way to a board?"""

from __future__ import annotations

from ninja import Schema
from pydantic import ConfigDict, Field

from toprung.web.api.schemas.runs import Text

LARGEST = 2**53


class NewFileIn(Schema):
    """A file that is about to come, in pieces."""

    model_config = ConfigDict(extra="forbid")

    team: Text = Field(description="The slug of the team that it is for.", examples=["kestrel-lab"])
    file_name: Text = Field(max_length=1_000, examples=["run.txt.gz"])
    size: int = Field(ge=1, le=LARGEST, description="In bytes.", examples=[10_485_760])
    digest: str = Field(
        pattern="^sha256:[0-9a-f]{64}$",
        description="SHA-256 of the whole file.",
        examples=["sha256:" + "0123456789abcdef" * 4],
    )


class PieceOut(Schema):
    """How much is there now."""

    id: str
    state: str = Field(description="receiving; waiting once all of it is there.", examples=["receiving"])
    received: int
    size: int


class StartedFileOut(PieceOut):
    """A file to go on with, from `received` on."""

    chunk_bytes: int = Field(description="How large a piece may be.", examples=[8_388_608])


class QuotedLineOut(Schema):
    """A line of the file, with what is wrong in it."""

    number: int
    before: str
    fault: str
    after: str


class FindingOut(Schema):
    """Where it is, what was found and expected, how to correct it or how it is read."""

    severity: str = Field(description="error or warning.", examples=["error"])
    where: str
    what: str
    fix: str
    quoted: list[QuotedLineOut]
    all: list[str]


class ReportOut(Schema):
    """What the check found."""

    is_valid: bool
    sentence: str
    findings: list[FindingOut]
    passed: list[str]


class DevScoresOut(Schema):
    """The dry run on the public development labels."""

    n_queries: int
    scores: dict[str, float | None]


class FileOut(PieceOut):
    """A file, and what its check found."""

    state: str = Field(
        description="receiving, waiting, checking, accepted, dry (dev queries alone), refused or forgotten.",
        examples=["accepted"],
    )
    file_name: str
    team: str
    report: ReportOut | None
    dev_scores: DevScoresOut | None
    run: str | None = Field(description="The label of the run that it was submitted as.")
