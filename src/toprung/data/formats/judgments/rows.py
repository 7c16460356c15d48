"""What do the rows of a judgment file say? Every reader hands its rows in here, where they are checked and numbered."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn

from toprung.data.formats import problems
from toprung.data.formats.problems import Problem, ProblemLog
from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments
from toprung.data.utf8 import is_text

EVERY_QUERY = "all"
"""The query of files that compare items without saying for which query."""
SIDES = {"left": Choice.LEFT, "right": Choice.RIGHT, "tie": Choice.TIE, "skip": Choice.SKIP}


class JudgmentFormat(StrEnum):
    """How a judgment file is written."""

    JSONL = "jsonl"
    WATERLOO = "waterloo"
    ARABZADEH = "arabzadeh"
    CROWD_KIT = "crowd-kit"
    EVALICA = "evalica"
    ARENA = "arena"
    LABEL_STUDIO = "label-studio"
    MTURK = "mturk"


@dataclass(frozen=True, kw_only=True)
class JudgmentFile:
    """What a judgment file held: its judgments, and what was left out of them."""

    source: str
    digest: str
    """Of the file, unpacked."""
    format: JudgmentFormat
    judgments: Judgments
    warnings: ProblemLog = field(default_factory=ProblemLog)


class JudgmentRows:
    """Collects the rows of one file. Faults raise; what can be left out without harm is left out and counted."""

    def __init__(
        self,
        source: str,
        digest: str,
        file_format: JudgmentFormat,
        kind: AssessorKind = AssessorKind.IMPORT,
        assessor: str = "",
    ) -> None:
        self.source, self.digest, self.format, self.kind, self.assessor = source, digest, file_format, kind, assessor
        self.warnings = ProblemLog()
        self.judgments: list[Judgment] = []
        self._first_line: dict[tuple[str, str, str, str], int | None] = {}
        self._occurrences: Counter[tuple[str, ...]] = Counter()

    def add(
        self,
        *,
        line: int | None,
        query_id: str,
        left: str,
        right: str,
        choice: Choice,
        assessor: str = "",
        kind: AssessorKind | None = None,
        is_gold: bool = False,
        supersedes: str | None = None,
        **known: Any,
    ) -> None:
        """Take one judgment; ``known`` are other fields that it has. Without kind and assessor they are the file's."""
        assessor = assessor or self.assessor
        for column, value in (("query id", query_id), ("left answer", left), ("right answer", right)):
            if not value:
                self.refuse(problems.missing_id(column, line))
        for value in (query_id, left, right, assessor):
            if not is_text(value):
                self.refuse(problems.half_character(value, line))
        if left == right:
            self.refuse(problems.same_document(left, query_id, line))
        is_first_vote = not is_gold and supersedes is None and choice is not Choice.SKIP
        whose = self.kind if kind is None else kind
        shown = (left, right) if whose is AssessorKind.LLM else (min(left, right), max(left, right))
        if assessor and is_first_vote and self._is_repeat(line, (assessor, query_id, *shown)):
            return
        stream = "llm" if whose is AssessorKind.LLM else ""  # people and models are never taken for each other
        said = (query_id, left, right, choice.value, assessor, stream, "gold" if is_gold else "")
        self.judgments.append(
            Judgment(
                judgment_id=self._to_id(said),
                query_id=query_id,
                left=left,
                right=right,
                choice=choice,
                assessor=assessor,
                kind=whose,
                is_gold=is_gold,
                supersedes=supersedes,
                **known,
            )
        )

    def _to_id(self, said: tuple[str, ...]) -> str:
        """Made of what the judgment says, and of how often the file said so before: a file that grew keeps its ids.

        Where it stands in the file is no part of it, nor how lines end.
        """
        self._occurrences[said] += 1
        return hashlib.sha256(json.dumps((*said, self._occurrences[said])).encode()).hexdigest()[:32]

    def _is_repeat(self, line: int | None, key: tuple[str, str, str, str]) -> bool:
        """Whether who is named first voted on this before. A model is asked in both orders, which are two votes."""
        if key not in self._first_line:
            self._first_line[key] = line
            return False
        self.warnings.add(problems.duplicate_vote(key[0], line, self._first_line[key]))
        return True

    def choose(self, word: str, left: str, right: str, line: int | None, words: Mapping[str, Choice] = SIDES) -> Choice:
        """What a word says of two answers: the side that won, or the answer itself."""
        choice = words.get(word.lower())
        if choice is None and word in (left, right):
            choice = Choice.LEFT if word == left else Choice.RIGHT
        if choice is None:
            self.refuse(problems.bad_choice(word, left, right, line))
        return choice

    def note_unknown(self, header: Collection[str], known: Collection[str]) -> None:
        for name in header:
            if name.lower() not in known:
                self.warnings.add(problems.unknown_column(name))

    def refuse(self, problem: Problem) -> NoReturn:
        raise problem.to_error(self.source)

    def finish(self) -> JudgmentFile:
        if not self.judgments:
            self.refuse(problems.no_judgments(self.warnings.counts.total()))
        return JudgmentFile(
            source=self.source,
            digest=self.digest,
            format=self.format,
            judgments=Judgments.of(self.judgments),
            warnings=self.warnings,
        )
