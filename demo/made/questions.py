"""What are the made-up queries about? Some were written one by one, with four answers; most follow patterns.

Whoever looks at a comparison or judges a pair should have something to read. The answers are sound enough to be told
apart and are advice to nobody.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

WRITTEN, PATTERNS = Path(__file__).with_name("written.jsonl"), Path(__file__).with_name("patterns.json")


@dataclass(frozen=True, kw_only=True)
class Question:
    """A query with its answers, the best first; of those by a pattern only the first answers it."""

    text: str
    answers: tuple[str, ...]
    is_written: bool


def read_questions() -> list[Question]:
    """All there are: those that were written, then those of the patterns."""
    return [*_written(), *_by_pattern()]


def _written() -> list[Question]:
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    return [
        Question(text=said["question"], answers=tuple(said["answers"]), is_written=True)
        for said in map(json.loads, lines)
    ]


def _by_pattern() -> list[Question]:
    """Each has as its second answer what answers another question about the same thing."""
    made = []
    for kind in json.loads(PATTERNS.read_text(encoding="utf-8")):
        for subject in kind["subjects"]:
            spelt = _spellings(subject)
            texts = [each["answer"].format(**spelt) for each in kind["patterns"]]
            for number, each in enumerate(kind["patterns"]):
                answers = (texts[number], texts[number - 1])
                made.append(Question(text=each["question"].format(**spelt), answers=answers, is_written=False))
    return made


def _spellings(x: str) -> dict[str, str]:
    """A thing as a pattern wants it: as it is, at the start of a sentence, without its article."""
    return {"x": x, "X": x[0].upper() + x[1:], "y": x.partition(" ")[2] if x.startswith(("a ", "an ")) else x}
