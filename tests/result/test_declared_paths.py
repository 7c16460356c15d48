"""Every path that a result declares leads somewhere, in an example in which nothing on the way is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from tests.every_result import Cast, make_results, qrels_of, ranks_of, runs_of, submissions_of

from toprung.analyses.policy.find import audit_policy
from toprung.analyses.relabel.find import rescore
from toprung.analyses.seeds.find import seeds
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.result import Arrays, Column, Fact, Facts, Figure, Result, Rows
from toprung.result.figures import each_figure
from toprung.result.paths import Path, find, steps


def is_followed(owner: object, path: Path) -> bool:
    """To its end; a misspelt name raises."""
    if callable(path):
        path(owner)
        return True
    for step in steps(path):
        if owner is None:
            return False
        owner = step(owner)
    return True


def follow_all(owner: object, figures: Iterable[Figure], at: str) -> Iterator[tuple[str, bool]]:
    """Every path below an object, and whether it is followed to its end."""
    for each in each_figure(figures):
        here = f"{at} {each.name}"
        if isinstance(each, Fact | Column):
            yield here, is_followed(owner, each.path or each.name)
        elif isinstance(each, Facts):
            yield here, is_followed(owner, each.of) if each.of else True
            yield from follow_all(find(owner, each.of) if each.of else owner, each.figures, here)
        elif isinstance(each, Arrays):
            yield from follow_all(owner, each.columns, here)
        else:
            yield here, is_followed(owner, each.of or each.name)
            for row in each.find(owner):
                yield from follow_all(row, each.columns, here)


def declared(figures: Iterable[Figure], at: str) -> Iterator[str]:
    for each in each_figure(figures):
        here = f"{at} {each.name}"
        yield from () if isinstance(each, Arrays) else (here,)
        if isinstance(each, Facts):
            yield from declared(each.figures, here)
        elif isinstance(each, Arrays | Rows):
            yield from declared(each.columns, here)


def figures_of(kind: type[Result]) -> Iterator[tuple[str, tuple[Figure, ...]]]:
    yield f"{kind.__name__}:", kind.FIGURES
    yield f"{kind.__name__}, frame:", (kind.FRAME,) if kind.FRAME else ()
    yield f"{kind.__name__}, made from:", kind.MADE_FROM


def make_more() -> Iterator[Result]:
    """Results that reach what those of every kind do not."""
    cast = Cast()
    labels = qrels_of(cast)
    some = Qrels.from_dict({query_id: {f"{cast.document}-label": 1} for query_id in cast.query_ids()[:5]})
    yield rescore(labels, some, runs_of(cast))
    runs, (first, second, _) = runs_of(cast), cast.runs
    yield audit_policy(submissions_of(cast), {**runs, second: runs[first]})
    ranks = ranks_of(cast)
    values = np.hstack([ranks.reciprocal().values, np.full((len(ranks.query_ids), 1), 0.25)])
    four = ScoreTable(query_ids=ranks.query_ids, runs=("a", "b", "c", "d"), values=values, measure="RR@10")
    yield seeds(four, systems={"one": ("a", "c"), "other": ("b", "d")})


def test_every_declared_path_is_followed_to_its_end() -> None:
    results = [*make_results().values(), *make_more()]
    expected = {
        path for kind in set(map(type, results)) for at, all_ in figures_of(kind) for path in declared(all_, at)
    }
    followed = {
        path
        for result in results
        for at, all_ in figures_of(type(result))
        for path, is_at_end in follow_all(result, all_, at)
        if is_at_end
    }
    assert expected - followed == set()
