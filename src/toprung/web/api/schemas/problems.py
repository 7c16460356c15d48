"""What does a refusal look like?"""

from __future__ import annotations

from ninja import Schema
from pydantic import Field


class ProblemOut(Schema):
    """Why it was refused."""

    detail: str = Field(
        description="What was found, and what was expected.",
        examples=["Found a token that does not work; expected another."],
    )


class WrongPlaceOut(ProblemOut):
    """Of a piece of a file: how much is there, so that the sender goes on from there."""

    received: int | None = Field(None, description="Bytes that are there.", examples=[4194304])


EVERYWHERE = (400, 401, 403, 429)
"""Any request may be unreadable, have a token that does not work or reaches less far, or be one too many."""


def problems(*statuses: int) -> dict[int, type[ProblemOut]]:
    """The refusals that a route may give, with those that every route may."""
    return dict.fromkeys(sorted({*EVERYWHERE, *statuses}), ProblemOut)
