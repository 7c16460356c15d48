"""What is judged on a board? Campaigns and how far they are, for organisers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field


class CampaignOut(Schema):
    """A campaign: people compare two answers at a time, to find the best answers of a label set."""

    name: str = Field(description="In its address.")
    title: str
    state: str
    access: str
    is_standing: bool = Field(description="Whether challenges of new runs join it.")
    labels_version: int = Field(description="Of the labels that it began with.")
    plan: str
    target: float = Field(description="P(best) from which a query is decided.")
    misses: int = Field(description="So many missed test pairs take a task out of use.")
    reward: str
    budget: str | None
    started_at: datetime | None
    closed_at: datetime | None


class CampaignsOut(Schema):
    """All campaigns of a board, the newest first."""

    items: list[CampaignOut]
    count: int


class CampaignProgressOut(Schema):
    """How far a campaign is, as a task computed it last."""

    campaign: CampaignOut
    computed_at: datetime | None = Field(description="None before the first time.")
    live: dict[str, Any] = Field(description="Judgments, money, queries decided, the forecast and open queries.")
    quality: dict[str, Any] = Field(description="Assessors by number, each with intervals; and what one vote is worth.")
