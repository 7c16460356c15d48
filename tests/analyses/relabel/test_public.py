"""What everyone may see of runs under two versions of hidden labels, which share some of their queries."""

from __future__ import annotations

import pytest

from toprung.analyses.relabel.find import rescore
from toprung.analyses.relabel.public import in_public
from toprung.analyses.relabel.tables import Relabelled
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.release import read_release
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError

N_NOW = 1_000


def rescored(n_shared: int) -> Relabelled:
    """The first run finds the answer of the first 30 queries, the second none; the second version has more queries."""
    shared = [f"q{number}" for number in range(n_shared)]
    before = Qrels.from_dict({query: {"right": 1} for query in shared})
    after = Qrels.from_dict({query: {"right": 1} for query in [*shared, *(f"new-{number}" for number in range(9))]})
    runs = {
        "one": Run.from_dict({query: {"right" if place < 30 else "wrong": 1.0} for place, query in enumerate(shared)}),
        "two": Run.from_dict({query: {"wrong": 1.0} for query in shared}),
    }
    return rescore(before, after, runs, measure="RR@10")


def disclosure() -> Disclosure:
    return Disclosure(way=read_release("rounded:3").on_hidden(N_NOW), n_hidden=N_NOW)


def test_no_score_is_finer_than_ten_of_the_queries_that_both_versions_have() -> None:
    """30 of 64 is 0.47: of 64 queries ten are a sixth, up to a round 0.2; of a thousand they would be 0.01."""
    (first, _) = in_public(rescored(64), disclosure()).rows
    assert (first.run, first.before.estimate, first.after.estimate) == ("one", 0.4, 0.4)


def test_of_too_few_nothing_is_told() -> None:
    with pytest.raises(InputError, match="fewer than 50 of them is left out"):
        in_public(rescored(44), disclosure())
