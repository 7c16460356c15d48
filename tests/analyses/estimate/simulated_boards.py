"""Boards of which the truth is known: people grade some queries, and a model that is biased grades all.

Documents have a relevance, a length, and a liking of one family of systems for them. People grade by relevance alone.
The model sees relevance through noise, prefers long documents and those that the family likes. Runs see relevance
through noise, part of which they share; the runs of the family go by its liking too, and some go by length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.stats.inputs import Floats
from toprung.stats.models.corrected import correct_scores, t_intervals
from toprung.stats.pairs.results import all_pairs

N_DOCUMENTS, CUTOFF, GRADES = 30, 10, (0.6, 1.3, 2.0)
FITTED = 2


@dataclass(frozen=True, kw_only=True)
class BiasedModel:
    """How well a model sees relevance, from 0 to 1, and how much it likes length and the family."""

    sees: float
    likes_long: float = 0.4
    likes_family: float = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class World:
    """Scores of many queries × runs, by people and by the model: boards draw theirs from these."""

    people: Floats
    model: Floats


def make_world(model: BiasedModel, rng: np.random.Generator, *, n_runs: int = 8, n_queries: int = 4_000) -> World:
    shape = (n_queries, N_DOCUMENTS)
    relevance = 0.5 * rng.normal(size=(n_queries, 1)) + rng.normal(size=shape)
    length, liking = rng.normal(size=shape), rng.normal(size=shape)
    seen = model.sees * relevance + np.sqrt(1 - model.sees**2) * rng.normal(size=shape)
    seen += model.likes_long * length + model.likes_family * liking
    by_people, by_model = np.digitize(relevance, GRADES), np.digitize(seen / seen.std(), GRADES)
    shared = rng.normal(size=shape)
    people, by_its_labels = np.empty((n_queries, n_runs)), np.empty((n_queries, n_runs))
    for run in range(n_runs):
        values = rng.uniform(0.9, 1.3) * relevance + 0.8 * shared + 0.8 * rng.normal(size=shape)
        values += rng.uniform(-0.1, 0.4) * length + (0.5 * liking if run < n_runs / 3 else 0)
        top = np.argsort(-values, axis=1)[:, :CUTOFF]
        people[:, run], by_its_labels[:, run] = ndcg(by_people, top), ndcg(by_model, top)
    has_relevant = by_people.max(axis=1) > 0  # as in Toprung, where others do not count
    return World(people=people[has_relevant], model=by_its_labels[has_relevant])


def ndcg(grades: np.ndarray, top: np.ndarray) -> Floats:
    discounts = 1 / np.log2(np.arange(2, CUTOFF + 2))
    gains = (2.0 ** np.take_along_axis(grades, top, axis=1) - 1) @ discounts
    ideal = (2.0 ** -np.sort(-grades, axis=1)[:, :CUTOFF] - 1) @ discounts
    return np.divide(gains, ideal, out=np.zeros(len(gains)), where=ideal > 0)


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Of many boards: shares of 95% intervals that hold, and what is saved of the error of pair differences."""

    boards: int
    means_covered: float
    means_se: float
    pairs_covered: float
    pairs_se: float
    people_covered: float
    """Of means by people alone."""
    correlation: float
    saved: float
    saved_se: float
    possible: float

    @property
    def reached(self) -> float:
        return self.saved / self.possible

    def __str__(self) -> str:
        return (
            f"rho {self.correlation:.2f}: means {self.means_covered:.3f} ± {self.means_se:.3f} (people alone "
            f"{self.people_covered:.3f}), pairs {self.pairs_covered:.3f} ± {self.pairs_se:.3f}; saved "
            f"{self.saved:+.3f} ± {self.saved_se:.3f} of {self.possible:.3f}"
        )


def simulate_boards(
    model: BiasedModel, *, judged: int, queries: int, worlds: int, boards: int, n_runs: int = 8, seed: int = 1
) -> Figures:
    """So many boards from each of so many worlds, whose first queries people judged."""
    rng = np.random.default_rng(seed)
    rows, ideals = [], []
    for _ in range(worlds):
        world = make_world(model, rng, n_runs=n_runs)
        ideals.append(find_ideal(world, judged / queries))
        rows += [_one_board(world, judged, rng.integers(0, len(world.people), queries)) for _ in range(boards)]
    means, pairs, by_people, error, people_error = np.array(rows).T
    n = len(rows)
    without = 1 - np.sqrt((error.sum() - error) / (people_error.sum() - people_error))
    best, alone, correlation = np.mean(ideals, axis=0)
    return Figures(
        boards=n,
        means_covered=float(means.mean()),
        means_se=float(means.std() / np.sqrt(n)),
        pairs_covered=float(pairs.mean()),
        pairs_se=float(pairs.std() / np.sqrt(n)),
        people_covered=float(by_people.mean()),
        correlation=float(correlation),
        saved=float(1 - np.sqrt(error.mean() / people_error.mean())),
        saved_se=float(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())),
        possible=float(1 - np.sqrt(best / alone)),
    )


def find_ideal(world: World, share: float) -> tuple[float, float, float]:
    """The variance of pair differences with the best weight for each, that by people alone, and the correlation."""
    pairs = all_pairs(world.people.shape[1])
    people, model = (each[:, pairs.second] - each[:, pairs.first] for each in (world.people, world.model))
    people, model = people - people.mean(axis=0), model - model.mean(axis=0)
    variance = (people**2).mean(axis=0)
    correlation = (people * model).mean(axis=0) / np.sqrt(variance * (model**2).mean(axis=0))
    best = variance * (1 - correlation**2 * (1 - share))
    return float(best.mean()), float(variance.mean()), float(correlation.mean())


def _one_board(world: World, judged: int, drawn: np.ndarray) -> tuple[float, float, float, float, float]:
    """Shares of means, pairs and people's means covered; mean squared errors of pairs, corrected and by people."""
    people, model = world.people[drawn[:judged]], world.model[drawn]
    found = correct_scores(people, model[:judged], model[judged:], rng=int(drawn[0])).values
    pairs, truth = all_pairs(people.shape[1]), world.people.mean(axis=0)
    differences, true_differences = (
        found[:, pairs.second] - found[:, pairs.first],
        truth[pairs.second] - truth[pairs.first],
    )
    by_people = people.mean(axis=0)
    return (
        _share_covered(found, truth, fitted=FITTED),
        _share_covered(differences, true_differences, fitted=FITTED),
        _share_covered(people, truth, fitted=1),
        float(((differences.mean(axis=0) - true_differences) ** 2).mean()),
        float(((by_people[pairs.second] - by_people[pairs.first] - true_differences) ** 2).mean()),
    )


def _share_covered(columns: Floats, truth: Floats, *, fitted: int) -> float:
    intervals = t_intervals(columns, fitted=fitted)
    return float(np.mean([each.low <= true <= each.high for each, true in zip(intervals, truth, strict=True)]))
