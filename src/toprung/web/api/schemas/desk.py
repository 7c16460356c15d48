"""What does someone who judges send and get? Steps, a task with its pairs, answers; nothing tells whose texts."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints

AnId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class StudyOut(Schema):
    """A campaign that gives out work."""

    name: str = Field(description="In its address.")
    title: str
    minutes: int = Field(description="That a task takes, as people are told.")
    pay: str = Field(description="For a whole task.")


class StudiesOut(Schema):
    """What an invited assessor can judge now."""

    items: list[StudyOut]
    count: int


class ExampleOut(Schema):
    """A pair of the guidelines."""

    question: str
    left: str
    right: str
    better: str = Field(description="left or right; empty for the pair to try.")
    why: str


class DeskOut(Schema):
    """What is said before a task, and what comes next."""

    campaign: StudyOut
    step: str = Field(description="consent, guidelines or task: what comes next.")
    consent: str = Field(description="In Markdown.")
    consent_version: int
    guidelines: str = Field(description="In Markdown.")
    examples: list[ExampleOut] = Field(description="Two that are worked, and one to try.")
    allows_ties: bool
    lang: str = Field(description="Of passages whose file says none.")


class ConsentIn(Schema):
    """Agreed to, or not."""

    model_config = ConfigDict(extra="forbid")
    version: int = Field(ge=1, description="Of the consent text that was read.")
    agree: bool


class TrialIn(Schema):
    """The answer to the pair to try."""

    model_config = ConfigDict(extra="forbid")
    choice: Literal["left", "right"]


class TrialOut(Schema):
    """Whether it was answered as it should be."""

    is_right: bool
    why: str


class PairOut(Schema):
    """A question and two passages."""

    question: str
    left: str
    right: str
    question_lang: str = Field(description="Of each text: as its file says, else that of the campaign.")
    left_lang: str
    right_lang: str


class DoneOut(Schema):
    """A pair that was answered."""

    slot: int
    id: str = Field(description="Of the answer: the last can be taken back.")


class TaskOut(Schema):
    """A task as it stands; its pairs once it is begun."""

    assignment: str
    n_pairs: int
    pay: str = Field(description="For all of it.")
    is_active: bool
    pairs: list[PairOut]
    open: list[int] = Field(description="Places of pairs that are still to be answered, in the order they are asked.")
    done: list[DoneOut] = Field(description="In the order they were answered.")
    skipped: list[int] = Field(description="Places that were passed over, once for each time.")


class AnswerIn(Schema):
    """Which of the two is better. Sent again with the same id it is kept once."""

    model_config = ConfigDict(extra="forbid")
    assignment: AnId
    slot: int = Field(ge=0, le=999_999, description="The place of the pair in the task, from 0.")
    choice: Literal["left", "right", "tie", "skip"]
    answer_id: AnId = Field(description="A UUID that the program drew for this answer.")
    ms: int | None = Field(None, ge=0, description="How long it took.")


class KeptOut(Schema):
    """An answer that is kept."""

    kept: str
    slot: int
    choice: str


class UndoIn(Schema):
    """The last answer, by its id."""

    model_config = ConfigDict(extra="forbid")
    assignment: AnId
    answer_id: AnId


class UndoneOut(Schema):
    """The place that is open again."""

    undone: int


class ReceiptOut(Schema):
    """What someone did; the same words whatever the checks said."""

    n_pairs: int
    n_answered: int
    pay: str
    may_go_on: bool = Field(description="Whether another task can be asked for.")
