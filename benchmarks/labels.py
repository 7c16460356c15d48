"""What does relabelling cost, from pools to new labels? ``python -m benchmarks.labels``.

The data are made here from a fixed seed: as many queries and runs as the MS MARCO passage leaderboard offered, pools of
about six items, one judgment of every pair. Each step runs in this process and starts from what the one before it gave:
once, but for relabelling as a whole and leave-one-out, of which the least of five counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
import polars as pl

from benchmarks.cost import MAXRSS_UNIT
from benchmarks.figures import keep
from benchmarks.spent import Spent, timed
from toprung.analyses.best_answers.find import derive_labels
from toprung.analyses.relabel.find import rescore
from toprung.analyses.win_ratio.find import win_ratios
from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.labels.best.preference_qrels import to_preference_qrels
from toprung.labels.best.tournament import hold_tournaments
from toprung.labels.doubt.posterior import posterior_of
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool, build_pools
from toprung.labels.votes.outcomes import resolve_pairs

if TYPE_CHECKING:
    from toprung.labels.plans.plan import Plan
    from toprung.labels.tasks.sitting import Sitting

DEPTH = 10
CANDIDATES = 25
"""Documents a query's runs choose from, with skewed odds: sixteen runs have about seven different ones on top."""
SKEW = 1.5
RIGHT = 0.7
"""How often the better answer wins a judgment."""

OFFERED_PAIRS = (1_000, 10_000)
N_OFFERS = 50
POOL = 5
VOTED = list(combinations(range(POOL), 2))

LEFT_OUT_QUERIES, LEFT_OUT_RUNS = 500, 40
ROUNDS = 5


@dataclass(frozen=True, kw_only=True)
class Made:
    """What the steps work on."""

    qrels: Qrels
    runs: dict[str, Run]


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## From pools to new labels\n")
    made = make_data(options.queries, options.runs)
    print(f"- {options.queries:,} queries × {options.runs} runs × {DEPTH} documents")
    pools = step("pools", lambda: build_pools(made.qrels, made.runs))
    pairs = step("pairs", lambda: [pair for pool in pools for pair in pool.pairs()])
    mean = np.mean([len(pool.items) for pool in pools])
    print(f"  - {len(pairs):,} pairs in pools of {mean:.2f} items in the mean")
    time_tasks(pools, pairs)
    time_offers()
    time_commands()
    judgments = make_judgments(pairs)
    time_labels(made, pools, judgments)
    time_leaving_out()
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=7000, help="(default: 7000)")
    parser.add_argument("--runs", type=int, default=16, help="(default: 16)")
    return parser.parse_args(arguments)


def time_tasks(pools: Sequence[Pool], pairs: Sequence[Pair]) -> None:
    from toprung.labels.tasks.golds import Gold
    from toprung.labels.tasks.task import make_tasks

    golds = [
        Gold(query_id=pool.query_id, good=pool.label, bad=f"unrelated-{number}")
        for number, pool in enumerate(pools)
        if pool.label is not None
    ]
    tasks = step("tasks", lambda: make_tasks(pairs, golds, seed=1))
    print(f"  - {len(tasks):,} tasks")


def time_offers() -> None:
    """An offer to someone new while others hand their work in: 10,000 pairs beside 1,000."""
    from toprung.labels.plans.plan import AdaptivePlan, VotesPlan

    for plan in (VotesPlan(), AdaptivePlan()):
        few, many = (offer_seconds(n_pairs, plan) for n_pairs in OFFERED_PAIRS)
        for n_pairs, seconds in zip(OFFERED_PAIRS, (few, many), strict=True):
            print(f"  - an offer at {n_pairs:,} pairs, {plan.say()}: CPU {1000 * seconds:.2f} ms")
        print(f"  - ratio of the two: {many / few:.2f}")


def offer_seconds(n_pairs: int, plan: Plan) -> float:
    """CPU seconds of an offer, in the mean: the task dealt and written, with the votes that came since the last."""
    from toprung.labels.pools.store import add_pools
    from toprung.labels.tasks.make import plan_tasks
    from toprung.labels.tasks.sitting import Sitting

    items = tuple(f"d{number}" for number in range(POOL))
    n_pools = n_pairs // (POOL * (POOL - 1) // 2)
    with tempfile.TemporaryDirectory() as folder:
        state = Effort.open_or_create(Path(folder) / "state")
        add_pools(state, [Pool(query_id=f"q{number}", items=items, label="d0") for number in range(n_pools)])
        plan_tasks(state, golds_per_task=0, plan=plan)
        sitting = Sitting(state)
        hand_in(sitting, "first")  # the dealer is made with the first offer
        return sum(hand_in(sitting, f"assessor {number}") for number in range(N_OFFERS)) / N_OFFERS


def hand_in(sitting: Sitting[Effort], assessor: str) -> float:
    """Do a task; what the offer took."""
    from toprung.labels.tasks.assignments import AssignmentStage

    offered, spent = timed(lambda: sitting.offer(assessor))
    assert offered is not None
    begun = sitting.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    for number in range(len(sitting.tasks[offered.task_id].slots)):
        sitting.answer(begun, number, Choice.LEFT)
    sitting.submit(begun)
    return spent.cpu_seconds


def time_commands() -> None:
    """10,000 votes from a file to labels, each command a process of its own; the least of three times."""
    rng = np.random.default_rng(10)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = [(query, *pair) for query in range(500) for pair in VOTED * 2]
        sides = rng.integers(2, size=len(asked)).tolist()
        votes = [f"{q} {q}-{a} {q}-{b} {q}-{(a, b)[side]}\n" for (q, a, b), side in zip(asked, sides, strict=True)]
        (folder / "votes.txt").write_text("".join(votes), encoding="utf-8")
        labels = [f"{query} 0 {query}-0 1\n" for query in range(500)]
        (folder / "qrels.txt").write_text("".join(labels), encoding="utf-8")
        spent = min(run_commands(folder, f"state-{number}") for number in range(3))
    print(f"  - 10,000 votes through import, outcomes and tournament by strength: CPU {spent:.2f} s")


def run_commands(folder: Path, state: str) -> float:
    """CPU seconds of all commands together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for arguments in (
        ("import", "votes.txt"),
        ("outcomes",),
        ("tournament", "--rule", "strength", "--qrels", "qrels.txt", "--output", f"{state}.qrels"),
    ):
        command = [sys.executable, "-m", "toprung", "labels", *arguments, "--state", state]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_labels(made: Made, pools: Sequence[Pool], judgments: Judgments) -> None:
    print(f"- {len(judgments):,} judgments")
    with tempfile.TemporaryDirectory() as folder:
        state = Effort.open_or_create(Path(folder) / "state")
        step("written", lambda: state.add_judgments(judgments.rows))
        judgments = step("read", state.read_judgments)
        whole = "from the file to labels with P(best), win ratios and both rescored"
        time_relabelling(whole, lambda: relabel_from_file(state, made, pools))
    outcomes = step("outcomes", lambda: resolve_pairs(judgments))
    step("outcomes, weighted votes", lambda: resolve_pairs(judgments, policy="dawid-skene"))
    results = step("tournament", lambda: hold_tournaments(pools, outcomes))
    version = step(
        "new labels and digests",
        lambda: to_preference_qrels(results, parent=made.qrels, judgments=judgments, policy="majority"),
    )
    step("all of that as the command does it, with P(best)", lambda: derive_labels(judgments, pools, parent=made.qrels))
    prior = step("prior of the strengths", lambda: estimate_prior(outcomes))
    largest = max(pools, key=lambda pool: len(pool.items))
    of_query = [outcomes[pair] for pair in largest.pairs()]
    step(f"P(best) of one pool of {len(largest.items)}", lambda: posterior_of(largest, of_query, prior=prior))
    step("win ratios", lambda: win_ratios(outcomes, made.runs, qrels=made.qrels, pools=pools))
    time_rescoring(made, version.qrels)


def relabel_from_file(state: Effort, made: Made, pools: Sequence[Pool]) -> None:
    """What an organiser does when the votes are in."""
    judgments = state.read_judgments()
    report = derive_labels(judgments, pools, parent=made.qrels)
    win_ratios(resolve_pairs(judgments), made.runs, qrels=made.qrels, pools=pools)
    rescore(made.qrels, report.version, made.runs)


def time_relabelling(name: str, work: Callable[[], None]) -> None:
    """As it is, and as where no compiler was at install time; in turns."""
    compiled, plain = [], []
    for _ in range(ROUNDS):
        compiled.append(timed(work)[1])
        with patch.dict(os.environ, TOPRUNG_KERNEL="off"):
            plain.append(timed(work)[1])
    least, without = (min(each, key=lambda spent: spent.cpu_seconds) for each in (compiled, plain))
    print(f"  - {name}, least of {ROUNDS}: {shown(least)}")
    print(f"  - the same without the compiled part, least of {ROUNDS}: {shown(without)}")
    keep("judgments to labels", least.cpu_seconds, {"NumPy": without.cpu_seconds})


def time_rescoring(made: Made, labels: Qrels) -> None:
    step("rescoring under both labels", lambda: rescore(made.qrels, labels, made.runs))


def time_leaving_out() -> None:
    """Each of forty runs left out in turn; every pair of the pools was judged."""
    from toprung.analyses.leave_one_out.find import leave_one_out

    made = make_data(LEFT_OUT_QUERIES, LEFT_OUT_RUNS)
    pools = build_pools(made.qrels, made.runs)
    outcomes = resolve_pairs(make_judgments([pair for pool in pools for pair in pool.pairs()]))
    print(f"- {LEFT_OUT_QUERIES:,} queries × {LEFT_OUT_RUNS} runs, {len(outcomes):,} judged pairs")
    each = [timed(lambda: leave_one_out(pools, outcomes, made.runs))[1] for _ in range(ROUNDS)]
    least = min(each, key=lambda spent: spent.cpu_seconds)
    print(f"  - leave-one-out of all runs, least of {ROUNDS}: {shown(least)}")
    keep("leave-one-out", least.cpu_seconds)


def step[T](name: str, work: Callable[[], T]) -> T:
    """Do it, and print what it took."""
    result, spent = timed(work)
    print(f"  - {name}: {shown(spent)}")
    return result


def shown(spent: Spent) -> str:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
    return (
        f"CPU {spent.cpu_seconds:.2f} s, wall {spent.wall_seconds:.2f} s, "
        f"peak of this process so far {peak / 1e6:.0f} MB"
    )


def make_data(n_queries: int, n_runs: int) -> Made:
    rng = np.random.default_rng(20210711)
    query_ids = [str(1_000_000 + number) for number in range(n_queries)]
    odds = np.arange(1, CANDIDATES + 1) ** -SKEW
    runs = {}
    for number in range(n_runs):
        # Gumbel noise on log odds draws without replacement, for all queries at once.
        keys = np.log(odds) + rng.gumbel(size=(n_queries, CANDIDATES))
        chosen = np.argsort(-keys, axis=1)[:, :DEPTH]
        runs[f"run{number:02d}"] = to_run(f"run{number:02d}", query_ids, chosen)
    labels = rng.choice(CANDIDATES, size=n_queries, p=odds / odds.sum())
    qrels = {query_id: {doc_id_of(query_id, int(doc)): 1} for query_id, doc in zip(query_ids, labels, strict=True)}
    return Made(qrels=Qrels.from_dict(qrels), runs=runs)


def to_run(name: str, query_ids: Sequence[str], chosen: np.ndarray[tuple[int, int], np.dtype[np.intp]]) -> Run:
    frame = pl.DataFrame(
        {
            "query_id": np.repeat(query_ids, DEPTH),
            "doc_id": [
                doc_id_of(query, doc) for query, docs in zip(query_ids, chosen.tolist(), strict=True) for doc in docs
            ],
            "score": np.tile(np.arange(DEPTH, 0, -1.0), len(query_ids)),
        }
    )
    return Run.from_frame(frame, name=name)


def doc_id_of(query_id: str, number: int) -> str:
    return f"{query_id}{number:02d}"


def make_judgments(pairs: Sequence[Pair]) -> Judgments:
    """One judgment a pair, by thirteen-pair sittings; the document of the smaller number is the better one."""
    rng = np.random.default_rng(20210901)
    is_right, is_left = rng.random(len(pairs)) < RIGHT, rng.random(len(pairs)) < 0.5
    return Judgments.of(
        Judgment(
            judgment_id=f"j{number}",
            query_id=pair.query_id,
            left=pair.a if left else pair.b,
            right=pair.b if left else pair.a,
            choice=Choice.LEFT if right == left else Choice.RIGHT,
            assessor=f"assessor{number // 130:04d}",
            task_id=f"task{number // 10:05d}",
            slot=number % 13,
            ms=9000,
        )
        for number, (pair, right, left) in enumerate(zip(pairs, is_right.tolist(), is_left.tolist(), strict=True))
    )


if __name__ == "__main__":
    sys.exit(main())
