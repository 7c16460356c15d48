"""What was answered elsewhere? A judge that looks its answers up in a file of judgments."""

from __future__ import annotations

from toprung.data.judgments import AssessorKind, Choice, Judgments
from toprung.labels.tasks.protocol import Answer, NoAnswerError, Text

SWAPPED = {Choice.LEFT: Choice.RIGHT, Choice.RIGHT: Choice.LEFT}


class NotOnRecordError(NoAnswerError):
    """The file says nothing of this pair, which is nobody's fault."""


class RecordedJudge:
    """Answers from judgments by their ids; of several answers to a pair the last one counts.

    A language model's answers are looked up in the order that is asked for. Anyone else's hold whichever side the two
    answers stood on.
    """

    def __init__(self, judgments: Judgments, *, name: str, kind: AssessorKind = AssessorKind.HUMAN) -> None:
        self.name = name
        self.kind = kind
        self._choices = {(each.query_id, each.left, each.right): each.choice for each in judgments.current}

    @property
    def asks_both_orders(self) -> bool:
        return self.kind is AssessorKind.LLM

    def compare(self, query: Text, left: Text, right: Text) -> Answer:
        """The answer on record."""
        found = self._choices.get((query.an_id, left.an_id, right.an_id))
        if found is None and not self.asks_both_orders:
            turned = self._choices.get((query.an_id, right.an_id, left.an_id))
            found = SWAPPED.get(turned, turned) if turned is not None else None
        if found is None:
            raise NotOnRecordError(f"query '{query.an_id}': found no answer on record for one of its pairs.")
        return Answer(choice=found)
