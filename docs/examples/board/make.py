"""Makes up a small leaderboard: twelve runs, public and private labels, and pairs of answers that were compared.

Every query has twenty answers, each of some quality. A run sees quality through noise, and some of the words. Labels
came about as sparse labels do: somebody read the five answers that words alone put first and chose the best of them,
so the best answer of all is often not the label, and who finds it is not rewarded. Comparisons go by quality, and now
and then wrong.

Names, dates, costs and everything else are made up, and the numbers below were tried until every figure of the gallery
had something to show: what these files show is evidence of nothing. `python docs/examples/board/make.py` writes
them again.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

N_PUBLIC, N_PRIVATE, N_ANSWERS, DEPTH, READ = 120, 90, 20, 5, 5
AUDITED = "rerank2"
ERROR_RATE = 0.08
N_JUDGED, GRADES = 30, (0.2, 0.9, 1.6)
"""Queries that people graded, and the quality that each grade from 1 asks for."""
N_ENTRIES, FIRST_DAY = 40, date(2025, 1, 6)


class System(NamedTuple):
    """How much a run sees of an answer's quality and of its words, and how much of what it sees is noise."""

    quality: float
    words: float
    noise: float


SYSTEMS = {
    "bm25": System(0.0, 1.0, 0.2),
    "sparse": System(0.4, 1.0, 0.6),
    "dense-1": System(0.8, 0.3, 0.8),
    "dense-2": System(0.8, 0.3, 0.8),
    "dense-3": System(0.8, 0.3, 0.8),
    "hybrid": System(0.9, 0.6, 0.6),
    "tuned": System(0.9, 0.6, 0.6),
    "late-1": System(1.1, 0.5, 0.6),
    "late-2": System(1.1, 0.5, 0.6),
    "late-3": System(1.1, 0.5, 0.6),
    "rerank": System(1.3, 0.4, 0.5),
    "rerank2": System(1.5, 0.4, 0.4),
}
METADATA = """\
run,team,date,tags,cost,latency,system,seed,is_baseline
bm25,organisers,2026-01-05,words,0.02,6,,,yes
sparse,Norrland,2026-01-19,words,0.05,14,,,
dense-1,Halden,2026-02-02,open weights,0.11,28,dense,1,
dense-2,Halden,2026-02-03,open weights,0.11,29,dense,2,
dense-3,Halden,2026-02-04,open weights,0.11,28,dense,3,
hybrid,Norrland,2026-02-16,words;open weights,0.16,41,,,
tuned,Tidewater,2026-03-02,,0.21,52,,,
late-1,Ostra,2026-03-16,open weights,0.30,66,late,1,
late-2,Ostra,2026-03-17,open weights,0.30,67,late,2,
late-3,Ostra,2026-03-18,open weights,0.30,66,late,3,
rerank,Kestrel,2026-03-30,,1.40,310,,,
rerank2,Kestrel,2026-04-13,,2.10,480,,,
"""


def main(folder: Path) -> None:
    rng = np.random.default_rng(2021)
    query_ids = [f"q{n:03}" for n in range(1, N_PUBLIC + 1)] + [f"p{n:03}" for n in range(1, N_PRIVATE + 1)]
    quality = rng.normal(size=(len(query_ids), N_ANSWERS))
    words = 0.3 * quality + rng.normal(size=quality.shape)
    labels = [choose_label(*each) for each in zip(quality, words, strict=True)]
    orders = {name: order_answers(system, quality, words, rng) for name, system in SYSTEMS.items()}
    put_public_labels_first(orders["tuned"], labels, rng)
    for name, order in orders.items():
        text = "".join(run_lines(name, query_ids, order))
        (folder / f"{name}.run.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    label_lines = [
        f"{query_id} 0 {name_of(query_id, label)} 1\n" for query_id, label in zip(query_ids, labels, strict=True)
    ]
    (folder / "qrels.txt").write_text("".join(label_lines[:N_PUBLIC]))
    (folder / "private.qrels").write_text("".join(label_lines[N_PUBLIC:]))
    judged = (
        (query_ids[query], *pair, judge(pair, quality[query], rng)) for query, pair in pairs_to_judge(orders, labels)
    )
    (folder / "judgments.txt").write_text("".join(judgment_line(*each) for each in judged))
    (folder / "runs.csv").write_text(METADATA)
    by_people, by_model = grade_answers(query_ids[:N_PUBLIC], quality, words, orders, np.random.default_rng(17))
    (folder / "people.qrels").write_text("".join(by_people))
    (folder / "model.qrels").write_text("".join(by_model))
    (folder / "leaderboard.csv").write_text("".join(published_lines(rng)))


def choose_label(quality: NDArray[np.float64], words: NDArray[np.float64]) -> int:
    """The best of the answers that were read."""
    read = np.argsort(-words)[:READ]
    return int(read[np.argmax(quality[read])])


def order_answers(
    system: System, quality: NDArray[np.float64], words: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.intp]:
    seen = system.quality * quality + system.words * words + system.noise * rng.normal(size=quality.shape)
    return np.argsort(-seen, axis=1)[:, :DEPTH]


def put_public_labels_first(order: NDArray[np.intp], labels: list[int], rng: np.random.Generator) -> None:
    """What fitting to public labels does: some of the answers that the run found late come first."""
    for query in np.flatnonzero(rng.random(N_PUBLIC) < 0.5):
        rest = [int(each) for each in order[query] if each != labels[query]]
        order[query] = [labels[query], *rest][:DEPTH]


def pairs_to_judge(orders: dict[str, NDArray[np.intp]], labels: list[int]) -> list[tuple[int, tuple[int, int]]]:
    """All pairs of a public query's pool, and what an audit of one run asks for."""
    found: dict[tuple[int, tuple[int, int]], None] = {}
    for query, label in enumerate(labels[:N_PUBLIC]):
        pool = sorted({label, *(int(order[query, 0]) for order in orders.values())})
        audited = next(int(each) for each in orders[AUDITED][query] if each != label)
        found |= {(query, pair): None for pair in combinations(pool, 2)}
        found[query, (min(label, audited), max(label, audited))] = None
    return list(found)


def judge(pair: tuple[int, int], quality: NDArray[np.float64], rng: np.random.Generator) -> int:
    better, worse = sorted(pair, key=lambda each: -quality[each])
    return worse if rng.random() < ERROR_RATE else better


def grade_answers(
    query_ids: list[str],
    quality: NDArray[np.float64],
    words: NDArray[np.float64],
    orders: dict[str, NDArray[np.intp]],
    rng: np.random.Generator,
) -> tuple[list[str], list[str]]:
    """Grades of all that the runs found: by people for some queries, drawn at random; by a model that likes words."""
    seen = 0.9 * quality + 0.5 * words + 0.3 * rng.normal(size=quality.shape)
    judged = set(rng.choice(len(query_ids), size=N_JUDGED, replace=False).tolist())
    by_people, by_model = [], []
    for query, query_id in enumerate(query_ids):
        for answer in sorted({int(each) for order in orders.values() for each in order[query]}):
            line = f"{query_id} 0 {name_of(query_id, answer)}"
            if query in judged:
                by_people.append(f"{line} {np.searchsorted(GRADES, quality[query, answer])}\n")
            by_model.append(f"{line} {np.searchsorted(GRADES, seen[query, answer])}\n")
    return by_people, by_model


def run_lines(name: str, query_ids: list[str], order: NDArray[np.intp]) -> Iterator[str]:
    for query_id, answers in zip(query_ids, order, strict=True):
        for rank, answer in enumerate(answers, start=1):
            yield f"{query_id} Q0 {name_of(query_id, answer)} {rank} {DEPTH + 1 - rank} {name}\n"


def judgment_line(query_id: str, *answers: int) -> str:
    """The query, the two answers and the better one."""
    return " ".join([query_id, *(name_of(query_id, answer) for answer in answers)]) + "\n"


def published_lines(rng: np.random.Generator) -> Iterator[str]:
    """A leaderboard as others publish it: scores alone, of more and more teams that learn from each other."""
    yield "id,date,description,team,dev,eval\n"
    teams = ("Norrland", "Halden", "Tidewater", "Kestrel", "Ostra", "Verge")
    days = np.sort(rng.choice(360, size=N_ENTRIES, replace=False))
    quality = 0.20 + 0.18 * (1 - np.exp(-days / 140)) - rng.exponential(0.012, size=N_ENTRIES)
    scores = quality[:, None] + rng.normal(scale=0.006, size=(N_ENTRIES, 2))
    for number, (day, (dev, hidden)) in enumerate(zip(days.tolist(), scores.tolist(), strict=True), start=1):
        when = FIRST_DAY + timedelta(days=day)
        yield f"E{number:02},{when},entry {number},{teams[rng.integers(len(teams))]},{dev:.3f},{hidden:.3f}\n"


def name_of(query_id: str, answer: int) -> str:
    return f"{query_id}-{answer:02}"


if __name__ == "__main__":
    main(Path(__file__).parent)
