"""What is told of the files that a board offers, and of their terms?"""

from __future__ import annotations

from datetime import datetime

from ninja import Schema
from pydantic import ConfigDict, Field

A_DIGEST = "sha256:" + "0123456789abcdef" * 4


class DataFileOut(Schema):
    """A file to work with."""

    name: str = Field(examples=["queries-dev.tsv"])
    kind: str = Field(description="queries, passages, corpus, labels, run, kit or other.", examples=["queries"])
    note: str
    size: int | None = Field(description="In bytes; null where nobody said it of a link.")
    digest: str = Field(description="SHA-256 of the file.", examples=[A_DIGEST])
    link: str | None = Field(description="Where it lies, if not here; null until its terms are accepted.")
    needs_terms: bool = Field(description="Whether its terms come first: before it is sent, or its link is told.")


class DataTermsOut(Schema):
    """The terms that hold, in Markdown."""

    text: str
    digest: str = Field(examples=[A_DIGEST])
    at: datetime
    is_accepted: bool = Field(description="Whether you accepted this version.")


class OfferedDataOut(Schema):
    """All that a board offers."""

    files: list[DataFileOut]
    terms: DataTermsOut | None


class AcceptTermsIn(Schema):
    """The version of the terms that was read."""

    model_config = ConfigDict(extra="forbid")

    digest: str = Field(pattern="^sha256:[0-9a-f]{64}$", examples=[A_DIGEST])
