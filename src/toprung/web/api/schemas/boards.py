"""What is told of a board and of where its runs stand?"""

from __future__ import annotations

from datetime import date as Day  # noqa: N812 - a field is called date
from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field

from toprung.boards.row import BoardRow, field_types, row_columns
from toprung.web.api.schemas.declared import with_fields

UNTIL_JUDGED = (
    "Where first answers are not judged yet, of the run or, for who holds the rung, of others: between which scores it "
    "is. Null where all are, and where labels are hidden, but for organisers."
)

LABEL_DOUBT = (
    "How far doubt about labels alone moves the score either way (95%), part of its interval. Null where no votes made "
    "the labels, and where they are hidden, but for organisers."
)


class BoardItemOut(Schema):
    """A board in the list."""

    slug: str = Field(examples=["web-docs"])
    title: str
    task: str
    measure: str = Field(description="The official measure.", examples=["RR@100"])
    opens_at: datetime
    closes_at: datetime | None
    is_open: bool = Field(description="Whether it takes submissions now.")
    final_since: datetime | None = Field(description="Since when its standings are final; null while they may change.")
    url: str = Field(description="Its page.")


class BoardsOut(Schema):
    """A part of the list of boards."""

    items: list[BoardItemOut]
    count: int = Field(description="All that you may see.")


class LabelsOut(Schema):
    """The labels that the leaderboard is on."""

    version: int = Field(examples=[1])
    published_at: datetime
    n_queries: int


class QuotaRuleOut(Schema):
    """How often a team may submit."""

    limit: int = Field(examples=[2])
    days: int = Field(examples=[30])


class UpkeepOut(Schema):
    """How the labels are kept: first answers of runs that nobody has judged challenge them."""

    share_judged: float | None = Field(
        description="Of the first answers of all runs; null before any was looked at, and while new labels are counted."
    )
    n_open: int | None = Field(
        description="To the nearest ten where labels are hidden, but for organisers; null while new labels are counted."
    )
    n_without_text: int | None = Field(
        description="First answers that cannot be judged, for a text is missing or too long; null but for organisers."
    )
    n_held_back: int | None = Field(
        description="Of those open, not asked about while their team has its most; null but for organisers."
    )
    labels_version: int = Field(description="The last version that is shown.")
    current_since: Day | None
    sentence: str


class BoardOut(BoardItemOut):
    """A board: what is ranked, by which rules, who may be best, and who proved an improvement last."""

    cutoff: int = Field(description="Ranks up to which an answer counts as found.", examples=[100])
    depth: int = Field(description="Documents that a run may have for a query.", examples=[1000])
    rule: str = Field(description="What a claim must show: measure, no_harm, both or score.", examples=["no_harm"])
    release: str = Field(description="What everyone sees of scores.", examples=["board-ladder:auto"])
    decimals: int = Field(description="What a score is written with; hidden labels of few queries show few.")
    labels: LabelsOut | None
    quota: QuotaRuleOut
    final_digest: str = Field(description="SHA-256 of its final standings, final.json; empty while there are none.")
    citation: str = Field(description="How final standings are cited; empty while there are none.")
    top_group: list[str] = Field(description="The labels of the runs that may be best.", examples=[["R32", "R37"]])
    holder: str | None = Field(
        description="The label of the run whose claim was the last to pass; null where none has.", examples=["R32"]
    )
    sentence: str = Field(description="Who may be best now; empty while there are no results.")
    is_behind: bool = Field(description="Whether newer results are being computed.")
    upkeep: UpkeepOut | None = Field(description="Null where no campaign takes challenges of new runs.")


class ScoreRangeOut(Schema):
    """What the official score of a run is until its open challenges are decided, with the digits its score has."""

    if_lost: float = Field(description="With all of them lost.")
    if_won: float = Field(description="With all of them won.")


class StandingHeadOut(Schema):
    """Which run it is."""

    run: str = Field(description="Its label.", examples=["R32"])
    name: str = Field(description="Empty while the run is anonymous.")
    team: str = Field(description="Or until when it is anonymous.")


def figures_of_rows() -> dict[str, Any]:
    """The figures of a row, as they are declared; null where they are not released."""
    types = field_types(BoardRow)
    return {each.name: (types[each.name] | None, Field(description=each.about)) for each in row_columns()}


@with_fields(figures_of_rows)
class StandingFiguresOut(StandingHeadOut):
    """The same, and its figures."""


class StandingOut(StandingFiguresOut):
    """A row of the leaderboard; a run whose figures are not released has none."""

    status: str = Field(description="What came of its claim, such as 'last proved gain'; empty where it made none.")
    date: Day
    tags: list[str]
    is_baseline: bool
    until_judged: ScoreRangeOut | None = Field(description=UNTIL_JUDGED)
    label_doubt: float | None = Field(description=LABEL_DOUBT)
    url: str


class StandingsOut(Schema):
    """A part of the leaderboard."""

    sentence: str = Field(description="Who may be best now.")
    because: str = Field(description="Who was the last to prove an improvement; empty where no claims are tested.")
    labels_version: int | None = Field(description="Of the labels that it is under; null while there are no results.")
    items: list[StandingOut]
    count: int


class LabelVersionOut(Schema):
    """A version of labels; what is in hidden ones is never told."""

    use: str = Field(description="official, dev or extra.", examples=["official"])
    name: str
    version: int
    published_at: datetime
    current_since: datetime | None
    n_queries: int
    is_current: bool
    is_hidden: bool
    source: str = Field(description="given, or from preference judgments.", examples=["given"])
    changes: str = Field(description="What is new in it, in Markdown.")
    sureness: str = Field(description="How sure labels are that votes made; empty of others.")
    digest: str = Field(description="Its two ends, to tell one version from another.", examples=["sha256 9f2c…b41e"])


class LabelVersionsOut(Schema):
    """All labels that everyone may know of."""

    items: list[LabelVersionOut]
    count: int
