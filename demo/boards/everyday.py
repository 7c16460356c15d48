"""Everyday questions: one answer each, labels open to all, 14 named runs of which some truly improve on others.

What the board should find was planted: runs of the same skill differ by luck alone, those of another by far more than
932 questions leave in doubt.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from demo.made.files import place, shuffle_a_little, write_labels, write_run
from demo.made.questions import Question, read_questions
from demo.made.ranks import DEPTH, Skill, draw_ranks
from demo.made.run import MadeRun, read_runs
from demo.made.texts import write_texts

SEED = 14
MISLABELLED = 7
"""Of so many questions by a pattern one has a label that is not its best answer."""
RUNS = read_runs(Path(__file__).with_suffix(".csv"), Skill.from_row)
PROVED = ("kestrel-mono", "meridian-a", "mono-xl")
"""Made better than whoever held the rung when they came, by much; all later ones are as good as mono-xl or worse."""
MAY_BE_BEST = ("mono-xl", "bau-ensemble", "kestrel-xl", "list-13b", "meridian-d")
"""Made equally good, and better than all others."""


def build(folder: Path) -> None:
    """Labels, texts, and a run file for each run."""
    questions = read_questions()
    docs = number_answers(questions)
    labels = {
        query_id: docs[_label(question, number)] for number, (query_id, question) in enumerate(with_ids(questions))
    }
    write_labels(folder / "qrels.txt", {query_id: {doc_id: 1} for query_id, doc_id in labels.items()})
    write_texts(folder / "queries.jsonl", "query_id", {query_id: each.text for query_id, each in with_ids(questions)})
    write_texts(folder / "passages.jsonl", "doc_id", {doc_id: text for text, doc_id in docs.items()})
    ranks = draw_ranks([run.skill for run in RUNS], len(questions), seed=SEED)
    nearby = _nearby(questions, docs)
    for column, run in enumerate(RUNS):
        rng = np.random.default_rng([SEED, column])
        rankings = {
            query_id: place(labels[query_id], int(ranks[row, column]), _around(nearby[row], run, rng))
            for row, (query_id, _) in enumerate(with_ids(questions))
        }
        write_run(folder / "runs", run.name, rankings)


def with_ids(questions: list[Question]) -> list[tuple[str, Question]]:
    return [(f"q{number}", question) for number, question in enumerate(questions, start=1)]


def number_answers(questions: list[Question]) -> dict[str, str]:
    """The id of each text that answers something, once."""
    texts = dict.fromkeys(text for question in questions for text in question.answers)
    return {text: f"p{number}" for number, text in enumerate(texts, start=1)}


def _label(question: Question, number: int) -> str:
    """The answer that somebody labelled: of every other question that was written, and some more, not the best one."""
    is_second = number % 2 if question.is_written else number % MISLABELLED == 0
    return question.answers[1 if is_second else 0]


def _nearby(questions: list[Question], docs: dict[str, str]) -> list[list[str]]:
    """What runs find for each question beside its label: its other answers, then those of questions like it."""
    rng = np.random.default_rng(SEED)
    every = list(docs.values())
    found = []
    for number, question in enumerate(questions):
        own = [docs[text] for text in question.answers]
        start = max(0, number - DEPTH // 2)
        like_it = rng.permutation(every[start : start + DEPTH]).tolist()
        found.append(list(dict.fromkeys([*own, *like_it, *rng.choice(every, DEPTH).tolist()])))
    return found


def _around(nearby: list[str], run: MadeRun[Skill], rng: np.random.Generator) -> list[str]:
    """In the order of a run: the better it is, the more its order is that of the answers."""
    return shuffle_a_little(nearby, rng, amount=2.0 - 1.5 * run.skill.places)
