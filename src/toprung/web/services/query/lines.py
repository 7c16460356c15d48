"""How does each query come out between two runs? In words and colours; texts are looked up for what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from toprung.analyses.queries.find import QueryDifferences, queries
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.report.page.bars import OUTCOME_WORDS
from toprung.scoring.catalogue import first_rank_of
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store import texts
from toprung.web.core.store.columns import labels_of, query_ids_of, ranks_asked
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.query.kinds import ATTRIBUTES
from toprung.web.services.query.reading import PublicAnswers

MOST_ANSWERS = 3
LONGEST_PASSAGE = 600
"""Characters of a passage on the page."""
COLOURS = {name: colour for name, colour, _ in OUTCOME_WORDS}


@dataclass(frozen=True, kw_only=True)
class ShownPassage:
    """A document beside a query, and what it says where the board has its text."""

    doc_id: str
    text: str = ""
    is_answer: bool = False
    grade: str = ""
    """In words, where labels are graded."""

    @property
    def beside(self) -> str:
        """What stands behind it."""
        return f" ({self.grade})" if self.grade else ""


@dataclass(frozen=True, kw_only=True)
class QueryLine:
    """One query between B and A; ranks are 0 where nothing was found, scores for boards without ranks."""

    query_id: str
    outcome: str
    words: str
    b: str
    a: str
    """What stands below each run: a rank, "not found", or a score."""
    question: str = ""
    answers: tuple[ShownPassage, ...] = ()
    tops_b: tuple[ShownPassage, ...] = ()
    tops_a: tuple[ShownPassage, ...] = ()
    """What each put first: one document, or some with their grades."""
    has_grades: bool = False

    @property
    def first_b(self) -> ShownPassage | None:
        return next(iter(self.tops_b), None)

    @property
    def first_a(self) -> ShownPassage | None:
        return next(iter(self.tops_a), None)

    @property
    def colour(self) -> str:
        return COLOURS[self.outcome]


@dataclass(frozen=True, kw_only=True)
class PublicPair:
    """Two runs on a set of public queries."""

    board: Board
    labels: LabelSet
    b: str
    a: str
    """What they are called to who looks."""
    of_b: PublicAnswers
    of_a: PublicAnswers

    @cached_property
    def has_ranks(self) -> bool:
        return first_rank_of(self.board.official_measure) is not None

    @cached_property
    def places(self) -> dict[str, int]:
        return {query_id: place for place, query_id in enumerate(query_ids_of(self.labels))}

    @cached_property
    def questions(self) -> dict[str, str]:
        return texts.queries(self.board, tuple(self.places), only_offered=True)

    def find(self, by: str = "") -> QueryDifferences:
        """What the library says of them; ``by`` names an attribute that needs the texts."""
        told = ATTRIBUTES.get(by)
        slices = None
        if told is not None and self.questions:
            slices = {by: {query_id: told(text) for query_id, text in self.questions.items()}}
        return queries(self._matrix(), a=self.a, b=self.b, slices=slices, alpha=self.board.alpha)

    def _matrix(self) -> FirstRanks | ScoreTable:
        import numpy as np

        query_ids, runs = tuple(self.places), (self.a, self.b)
        if not self.has_ranks:
            values = np.column_stack([self.of_a.scores, self.of_b.scores])
            return ScoreTable(query_ids=query_ids, runs=runs, values=values, measure=self.board.official_measure)
        asked = ranks_asked(self.board)
        ranks = np.column_stack([self.of_a.ranks, self.of_b.ranks]).astype(np.int32)
        return FirstRanks(
            query_ids=query_ids, runs=runs, values=ranks, cutoff=asked.cutoff, rel=asked.rel, mth=asked.mth
        )

    def line(self, query_id: str) -> QueryLine:
        place = self.places[query_id]
        outcome = self._rank_outcome(place) if self.has_ranks else self._score_outcome(place)
        return QueryLine(
            query_id=query_id,
            outcome=outcome,
            words=self._say(outcome, place),
            b=self._show(self.of_b, place),
            a=self._show(self.of_a, place),
            question=self.questions.get(query_id, ""),
            has_grades=not self.has_ranks,
        )

    def _rank_outcome(self, place: int) -> str:
        b, a = self.of_b.ranks[place], self.of_a.ranks[place]
        if not b or not a:
            return "only_this" if b else "only_top" if a else "neither"
        return "same" if b == a else "better" if b < a else "worse"

    def _score_outcome(self, place: int) -> str:
        b, a = self.of_b.scores[place], self.of_a.scores[place]
        return "same" if abs(b - a) < 1e-9 else "better" if b > a else "worse"

    def _say(self, outcome: str, place: int) -> str:
        same = "same rank" if self.has_ranks else "same score"
        how = "higher" if self.has_ranks else f"by {abs(self.of_b.scores[place] - self.of_a.scores[place]):.3f}"
        return {
            "only_this": f"only {self.b}",
            "better": f"{self.b} {how}",
            "same": same,
            "neither": "neither",
            "worse": f"{self.a} {how}",
            "only_top": f"only {self.a}",
        }[outcome]

    def _show(self, answers: PublicAnswers, place: int) -> str:
        if not self.has_ranks:
            return f"{answers.scores[place]:.3f}"
        rank = answers.ranks[place]
        return str(rank) if rank else "not found"

    def with_passages(self, lines: Sequence[QueryLine]) -> list[QueryLine]:
        """Answers and what each put first, of the lines that are shown."""
        labels = labels_of(self.labels).to_dict()
        wanted = [self._passages(line, labels[line.query_id]) for line in lines]
        ids = {each.doc_id for line in wanted for each in (*line.answers, *line.tops_b, *line.tops_a)}
        said = texts.passages(self.board, tuple(ids), only_offered=True)

        def told(passages: Sequence[ShownPassage]) -> tuple[ShownPassage, ...]:
            return tuple(replace(each, text=_cut(said.get(each.doc_id, ""))) for each in passages)

        return [
            replace(line, answers=told(line.answers), tops_b=told(line.tops_b), tops_a=told(line.tops_a))
            for line in wanted
        ]

    def _passages(self, line: QueryLine, labels: dict[str, int]) -> QueryLine:
        least = ranks_asked(self.board).rel
        relevant = sorted((doc for doc in labels if labels[doc] >= least), key=lambda doc: -labels[doc])
        place = self.places[line.query_id]

        def show(docs: Sequence[str]) -> tuple[ShownPassage, ...]:
            return tuple(
                ShownPassage(doc_id=doc, is_answer=doc in relevant, grade=self._say_grade(labels.get(doc)))
                for doc in docs
            )

        return replace(
            line,
            answers=show(relevant[:MOST_ANSWERS]),
            tops_b=show(self.of_b.tops[place]),
            tops_a=show(self.of_a.tops[place]),
        )

    def _say_grade(self, grade: int | None) -> str:
        if self.has_ranks:
            return ""
        return "not judged" if grade is None else f"grade {grade}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_PASSAGE else f"{text[:LONGEST_PASSAGE].rstrip()} …"


def call_runs(viewer: Viewer, pair: RunPair) -> tuple[str, str]:
    """B and A as the viewer may know them; by their labels where both go by one name."""
    b, a = (viewer.namer.name(each).name for each in (pair.challenger, pair.holder))
    return (b, a) if b != a else (pair.challenger.run_id, pair.holder.run_id)
