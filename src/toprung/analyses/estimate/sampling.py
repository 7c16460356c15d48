"""Were the queries that people judged drawn at random? Recorded or declared, and not contradicted by the labels."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.store import read_pools
from toprung.stats.inputs import Bools
from toprung.stats.tests.random_subset import differs_from_rest_p, few_blocks_p
from toprung.words.wording import say_p, say_queries

DECLARED = "random"
REFUSED, WARNED = 0.001, 0.05
"""The largest p-value at which scores show that a sample is not random, and at which that is remarked on."""
STANDS_TOGETHER = 0.0001
"""The same of the order: the first queries of a file are far below."""

type HumanSample = str | os.PathLike[str] | None
"""``"random"``, or the folder of a judging effort that records how its queries were drawn."""


@dataclass(frozen=True, kw_only=True)
class SampleEvidence:
    """How the sample is known to be random, and the p-values of what could have shown that it is not."""

    known_by: str
    scores_p: float
    order_p: float
    """Of standing together in the order of the ids, or in that of the model's file."""
    remarks: tuple[str, ...] = ()


def check_sample(
    human_sample: HumanSample, judged: Collection[str], model: ScoreTable, file_order: Sequence[str], *, seed: int = 0
) -> SampleEvidence:
    """Refuse a sample of queries that is not random, or not known to be."""
    is_recorded, known_by = _read_record(human_sample, judged)
    is_judged = _mark(model.query_ids, judged)
    level = model.values.mean(axis=1, keepdims=True)
    scores_p = differs_from_rest_p(np.hstack([level, model.values - level]), is_judged, seed=seed)
    by_id, in_file = (few_blocks_p(_mark(ids, judged)) for ids in (sorted(model.query_ids, key=_by_number), file_order))
    if scores_p <= REFUSED:
        raise InputError(
            f"Found queries judged by people whose scores under the model's labels differ from the rest as those of "
            f"a random sample would not ({say_p(scores_p)}); expected a random sample. {ADVICE}"
        )
    if by_id <= STANDS_TOGETHER and not is_recorded:
        raise InputError(
            f"Found queries judged by people that stand together in the order of their ids, as a random sample would "
            f"not ({say_p(by_id)}); expected a random sample. {ADVICE}"
        )
    remarks = tuple(_remark(scores_p, 1.0 if is_recorded else in_file))
    return SampleEvidence(known_by=known_by, scores_p=scores_p, order_p=min(by_id, in_file), remarks=remarks)


ADVICE = (
    "Draw queries anew and have these judged: `toprung labels pool --sample N --state DIR` draws and records them, and "
    "--human-sample DIR reads the record."
)


def _read_record(human_sample: HumanSample, judged: Collection[str]) -> tuple[bool, str]:
    """Whether it is recorded, and what is known of it."""
    if human_sample is None:
        raise InputError(
            "Found nothing that says how the queries were chosen that people judged; expected a random sample of those "
            "that the model judged, for else the correction is biased. Say --human-sample random if it is one, or "
            "--human-sample DIR with the folder of the judging effort that drew it."
        )
    if human_sample == DECLARED:
        return False, "declared random"
    effort = Effort.open(human_sample)
    sample = effort.manifest.get("sample")
    if sample is None:
        raise InputError(
            f"{effort.folder}: found no sample in its manifest; expected one that `toprung labels pool --sample N` "
            "drew. If all its queries are a random sample all the same, say --human-sample random."
        )
    pooled = {pool.query_id for pool in read_pools(effort)}
    others = sorted(set(judged) - pooled)
    if others:
        raise InputError(
            f"{effort.folder}: found {say_queries(len(others))} judged by people that its sample does not hold, "
            f"'{others[0]}' first; expected queries of the sample alone."
        )
    drawn = f"{sample.get('n')} of {sample.get('of')} queries, seed {sample.get('seed')}"
    return True, f"recorded: {drawn}, of which {len(judged):,} were judged"


def _remark(scores_p: float, in_file: float) -> Iterator[str]:
    if scores_p <= WARNED:
        yield (
            "The queries that people judged differ from the rest by the model's scores more than most random samples "
            f"({say_p(scores_p)}): was it one?"
        )
    if in_file <= STANDS_TOGETHER:
        yield (
            f"The queries that people judged stand together in the file of the model's labels ({say_p(in_file)} for a "
            "random sample): were they taken from its beginning?"
        )


def _mark(query_ids: Sequence[str], chosen: Collection[str]) -> Bools:
    return np.array([query_id in chosen for query_id in query_ids], dtype=bool)


def _by_number(query_id: str) -> tuple[tuple[int, int, str], ...]:
    """So that q9 comes before q10."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", query_id))
