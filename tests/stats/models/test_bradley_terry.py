from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.errors import InputError
from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import Strengths, fit_strengths
from toprung.stats.models.strength_prior import estimate_tie_rate


def transitive(n: int) -> Floats:
    """Each item beats all behind it once."""
    return np.triu(np.ones((n, n)), k=1)


CYCLE = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)


@pytest.mark.parametrize(
    ("wins", "strengths"),
    [
        (transitive(3), (0.9854, 0, -0.9854)),
        (transitive(4), (1.2926, 0.4128, -0.4128, -1.2926)),
        (CYCLE, (0, 0, 0)),
    ],
)
def test_a_pool_judged_once_has_the_listed_strengths(wins: Floats, strengths: tuple[float, ...]) -> None:
    assert fit_strengths(wins, penalty=0.4).values[0] == pytest.approx(strengths, abs=5e-5)


def test_one_win_has_the_strength_that_solves_its_equation() -> None:
    # 1 − σ(2θ) = 0.4 θ
    from scipy.optimize import brentq
    from scipy.special import expit

    theta = brentq(lambda x: 1 - expit(2 * x) - 0.4 * x, 0, 5)
    assert fit_strengths([[0, 1], [0, 0]], penalty=0.4).values[0] == pytest.approx((theta, -theta), abs=1e-9)


def test_the_fit_is_the_maximum_that_scipy_finds() -> None:
    from scipy.optimize import minimize

    wins = np.random.default_rng(4).integers(0, 6, size=(5, 5)) * (1.0 - np.eye(5))

    def loss(theta: Floats) -> float:
        lead = theta[:, None] - theta[None, :]
        return float((wins * np.logaddexp(0, -lead)).sum() + 0.2 * (theta**2).sum())

    found = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-8})
    assert fit_strengths(wins, penalty=0.4).values[0] == pytest.approx(found.x, abs=1e-5)


def test_without_penalty_two_items_have_the_odds_of_their_wins() -> None:
    fitted = fit_strengths([[0, 3], [1, 0]], penalty=0)
    assert fitted.values[0] == pytest.approx((np.log(3) / 2, -np.log(3) / 2))
    assert fitted.shares[0] == pytest.approx((0.75, 0.25))


@pytest.mark.parametrize(
    "wins",
    [transitive(3), [[0, 1, 0], [1, 0, 0], [0, 0, 0]], [[0, 2, 1, 1], [2, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0]]],
    ids=["nobody beats the first", "never compared", "two groups"],
)
def test_without_penalty_a_fit_that_does_not_exist_is_refused(wins: Floats) -> None:
    with pytest.raises(InputError, match=r"Found 1 of 1 pools .* Give a penalty above 0, such as 1"):
        fit_strengths(wins, penalty=0)


def test_steps_that_overshoot_are_shortened() -> None:
    # counts of very different size: plain Newton steps go astray and end at (8.1, −5.8, −8.1, 5.8)
    wins = np.array([[0, 0, 5394913, 0], [30, 0, 0, 279], [0, 0, 0, 0], [6, 31546031, 10861, 0]])
    values = fit_strengths(wins, penalty=0.01).values[0]
    surprise = wins / (1 + np.exp(values[:, None] - values[None, :]))
    gain, loss = surprise.sum(axis=1), surprise.sum(axis=0) + 0.01 * values
    assert gain == pytest.approx(loss, rel=1e-6, abs=1e-6)


@settings(max_examples=60)
@given(
    wins=st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.sampled_from([0, 0.5, 1, 3]), min_size=n, max_size=n), min_size=n, max_size=n)
    ),
    data=st.data(),
)
def test_items_in_another_order_have_the_same_strengths(wins: list[list[float]], data: st.DataObject) -> None:
    counts = np.array(wins) * (1 - np.eye(len(wins)))
    order = data.draw(st.permutations(range(len(wins))))
    values = fit_strengths(counts).values[0]
    assert values.sum() == pytest.approx(0, abs=1e-9)
    assert fit_strengths(counts[np.ix_(order, order)]).values[0] == pytest.approx(values[list(order)], abs=1e-8)


def test_a_pool_has_the_same_figures_whichever_pools_stand_beside_it() -> None:
    alone, together = fit_strengths(transitive(3)), fit_strengths(np.array([CYCLE, transitive(3), 5 * transitive(3)]))
    assert together.values[1] == pytest.approx(alone.values[0], abs=1e-12)


@pytest.mark.parametrize(
    ("wins", "options", "message"),
    [
        ([[0, 1]], {}, r"found an array of shape \(1, 1, 2\)"),
        ([[0, -1], [0, 0]], {}, "negative or not finite"),
        ([[0, np.nan], [0, 0]], {}, "negative or not finite"),
        ([[1, 0], [0, 0]], {}, "an item that beat itself"),
        ([[0, 1], [0, 0]], {"penalty": -1}, "penalty: found -1"),
    ],
)
def test_what_is_no_table_of_wins_is_refused(wins: list[list[float]], options: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_strengths(wins, **options)


def read_evalica(folder: Path, name: str, algorithm: str) -> tuple[Floats, Floats]:
    """The wins of a file with ties as half a win each, and evalica's scores of the same items."""
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with (folder / f"{name}-golden.csv").open(encoding="utf-8") as file:
        scores = {row["item"]: float(row["score"]) for row in csv.DictReader(file) if row["algorithm"] == algorithm}
    index_of = {item: index for index, item in enumerate(sorted(scores))}
    wins = np.zeros((len(index_of), len(index_of)))
    for row in rows:
        left, right = index_of[row["left"]], index_of[row["right"]]
        wins[left, right] += {"left": 1.0, "tie": 0.5}.get(row["winner"], 0.0)
        wins[right, left] += {"right": 1.0, "tie": 0.5}.get(row["winner"], 0.0)
    return wins, np.array([scores[item] for item in sorted(scores)])


def fit_without_penalty(wins: Floats) -> Strengths:
    return fit_strengths(wins, penalty=0)


@pytest.mark.parametrize(("name", "digits"), [("simple", 10), ("food", 8), ("llmfao", 13)])
def test_shares_are_evalicas_bradley_terry_scores(shared_data: Path, name: str, digits: int) -> None:
    # evalica: plain maximum likelihood, a tie is half a win, exp(θ) scaled to sum to 1; it stops a little early.
    wins, expected = read_evalica(shared_data / "prefs", name, "bradley_terry")
    assert fit_without_penalty(wins).shares[0] == pytest.approx(expected, rel=10.0**-digits)


def count_ties(folder: Path, name: str) -> int:
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        return sum(row["winner"] == "tie" for row in csv.DictReader(file))


@pytest.mark.parametrize(("name", "digits"), [("simple", 4), ("food", 4), ("llmfao", 4)])
def test_with_a_tie_rate_scores_are_evalicas_newman_scores(shared_data: Path, name: str, digits: int) -> None:
    # Newman 2023: ties are outcomes of their own; evalica scales to a geometric mean of 1 and stops a little early.
    folder = shared_data / "prefs"
    wins, expected = read_evalica(folder, name, "newman")
    rate = estimate_tie_rate([wins[None]], count_ties(folder, name), penalty=0)
    scores = np.exp(fit_strengths(wins, penalty=0, tie_rate=rate).values[0])
    geometric_mean = np.exp(np.log(expected).mean())
    assert scores == pytest.approx(expected / geometric_mean, rel=10.0**-digits)


@pytest.mark.parametrize("name", ["simple", "food", "llmfao"])
def test_wins_of_rows_are_evalicas_counts(shared_data: Path, name: str) -> None:
    wins, expected = read_evalica(shared_data / "prefs", name, "counting")
    assert wins.sum(axis=1) == pytest.approx(expected)
