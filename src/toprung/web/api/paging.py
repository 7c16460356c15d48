"""Which part of a list? So many from the first on that was asked for; never more than a hundred."""

from __future__ import annotations

from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Query, Schema
from pydantic import Field

DEFAULT_LIMIT, MOST = 50, 100
LAST_OFFSET = 10_000_000


class PageIn(Schema):
    """Which part of the list."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MOST, description="How many at most.", examples=[20])
    offset: int = Field(0, ge=0, le=LAST_OFFSET, description="How many to leave out before them.", examples=[0])

    def cut(self, rows: QuerySet[Any]) -> list[Any]:
        return list(rows[self.offset : self.offset + self.limit])


AskedPage = Annotated[PageIn, Query()]
