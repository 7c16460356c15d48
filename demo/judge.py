"""Judges some of the demo's queries, so that the report can show what assessors prefer. The votes are made up.

The answer of the new labels is the best of its query, the other of its two answers comes next and filler last; one vote
in ten is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import toprung as tr
from toprung.analyses.run_scores import restrict
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.sample import sample_pools
from toprung.labels.pools.store import start_pools
from toprung.labels.votes.audit import AuditPlan, plan_audit, start_audit

N_QUERIES = 400
ERROR_RATE = 0.1
SEED = 2021
AUDITED = "R13"


def main(folder: Path) -> None:
    """Pool, judge and audit in the folder ``judging``, unless that is done."""
    effort = Effort.open_or_create(folder / "judging")
    if effort.read_judgments().rows:
        return
    labels, best = tr.read_qrels(folder / "qrels.txt"), tr.read_qrels(folder / "new.qrels").to_dict()
    runs = {path.name.partition(".")[0]: path for path in sorted((folder / "runs").iterdir())}
    tops = {name: tr.read_run(path, name=name, depth=2) for name, path in runs.items()}
    pools = sample_pools(tr.build_pools(labels, tops), N_QUERIES, seed=SEED)
    plan = plan_audit(restrict(labels, {pool.query_id for pool in pools}), tops[AUDITED])
    start_pools(effort, pools, {"qrels": {"source": labels.source, "digest": labels.digest}, "runs": sorted(runs)})
    start_audit(effort, plan)
    effort.add_judgments(vote(to_pairs(pools, plan), best))


def to_pairs(pools: list[tr.Pool], plan: AuditPlan) -> list[tr.Pair]:
    """What is to be compared, each pair once."""
    of_audit = [tr.Pair.of(each.query_id, each.label, each.other) for each in plan.pairs]
    return list(dict.fromkeys([*(pair for pool in pools for pair in pool.pairs()), *of_audit]))


def vote(pairs: list[tr.Pair], best: Mapping[str, Mapping[str, int]]) -> Iterator[tr.Judgment]:
    rng = np.random.default_rng(SEED)

    def worth(query_id: str, doc_id: str) -> tuple[bool, int]:
        return doc_id in best[query_id], "FED".index(doc_id[0])

    for number, pair in enumerate(pairs, start=1):
        left, right = rng.permutation([pair.a, pair.b]).tolist()
        is_left = (worth(pair.query_id, left) > worth(pair.query_id, right)) != (rng.random() < ERROR_RATE)
        yield tr.Judgment(
            judgment_id=f"made-up-{number}",
            query_id=pair.query_id,
            left=left,
            right=right,
            choice=tr.Choice.LEFT if is_left else tr.Choice.RIGHT,
            assessor=f"assessor {number % 4 + 1}",
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
