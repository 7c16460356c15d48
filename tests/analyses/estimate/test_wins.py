from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from toprung.analyses.estimate.result import Estimate
from toprung.analyses.estimate.wins import estimate_wins
from toprung.data.judgments import Pair
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.votes.outcomes import Outcomes, PairOutcome


def runs_of(*names: str, n_queries: int) -> dict[str, Run]:
    """Each run has a first answer of its own name."""
    return {
        name: Run.from_dict({f"q{number:02}": {name: 1.0} for number in range(n_queries)}, name=name) for name in names
    }


def outcomes_of(winners: Iterable[tuple[int, str, str, str | None]]) -> Outcomes:
    """Rows of query, two answers and the better one."""
    found = {}
    for number, one, other, winner in winners:
        pair = Pair.of(f"q{number:02}", one, other)
        found[pair] = PairOutcome(
            pair=pair, wins_a=float(winner == pair.a), wins_b=float(winner == pair.b), ties=int(winner is None), n=1
        )
    return found


def wins_of_x(votes: str) -> Outcomes:
    """For each query x, y or = between the two."""
    return outcomes_of((number, "x", "y", None if vote == "=" else vote) for number, vote in enumerate(votes))


def some(outcomes: Outcomes, numbers: Iterable[int]) -> Outcomes:
    chosen = {f"q{number:02}" for number in numbers}
    return {pair: outcome for pair, outcome in outcomes.items() if pair.query_id in chosen}


def ask(people: Outcomes, model: Outcomes, *names: str, n_queries: int) -> Estimate:
    return estimate_wins(people, model, runs_of(*names, n_queries=n_queries), human_sample="random")


def test_where_people_judged_all_their_share_is_the_answer() -> None:
    found = ask(wins_of_x("xxyx=yxx"), wins_of_x("yyyyyyyy"), "x", "y", n_queries=8)
    assert found["x"].corrected.estimate == pytest.approx(5.5 / 8)
    assert found["y"].corrected.estimate == pytest.approx(2.5 / 8)
    assert found["x"].model == 0
    assert found["x"].bias.estimate == pytest.approx(-5.5 / 8)


def test_a_model_that_votes_as_people_do_gives_the_share_of_all() -> None:
    model = wins_of_x("xxyx=yxxxyxxyxyxxxyx")
    found = ask(some(model, (1, 2, 6, 9, 10, 14, 17)), model, "x", "y", n_queries=20)
    assert found["x"].corrected.estimate == pytest.approx(13.5 / 20)
    assert (found.n_human, found.n_queries) == (7, 20)


def test_same_answers_and_pairs_without_the_model_s_vote_are_no_contests() -> None:
    runs = runs_of("x", "y", n_queries=8) | {"z": runs_of("x", n_queries=8)["x"]}
    votes = wins_of_x("xxyxyyxx")
    found = estimate_wins(votes, some(votes, range(6)), runs, human_sample="random")
    assert found.n_queries == 6
    assert found["z"].corrected.estimate == pytest.approx(found["x"].corrected.estimate)


def test_two_in_common_are_too_few() -> None:
    model = wins_of_x("xxyxyyxx")
    with pytest.raises(InputError, match="Found 2 queries with a pair of first answers that both"):
        ask(some(model, (1, 5)), model, "x", "y", n_queries=8)


def test_a_run_that_people_never_saw_is_named() -> None:
    everyone = [(number, *pair, pair[0]) for number in range(8) for pair in ("xy", "xz", "yz")]
    people = outcomes_of(row for row in everyone if "z" not in row[1:3])
    with pytest.raises(InputError, match="z: found no pair of its first answers that people voted on"):
        ask(people, outcomes_of(everyone), "x", "y", "z", n_queries=8)


def test_how_pairs_were_chosen_must_be_said() -> None:
    with pytest.raises(InputError, match="Found nothing that says how the queries were chosen"):
        estimate_wins(wins_of_x("xxyxyyxx"), wins_of_x("xxyxyyxx"), runs_of("x", "y", n_queries=8))


STRENGTHS = {"x": 0.8, "y": 0.4, "z": 0.0}
RUNS = runs_of(*STRENGTHS, n_queries=60)


def vote(rng: np.random.Generator, one: float, other: float) -> bool:
    return bool(rng.random() < 1 / (1 + np.exp(other - one)))


def simulate_board(rng: np.random.Generator) -> Estimate:
    """People's votes on a third of all pairs, by strength; a model's on all: theirs in three of four, else for z."""
    people, model = [], []
    for number in range(60):
        for one, other in ("xy", "xz", "yz"):
            winner = one if vote(rng, STRENGTHS[one], STRENGTHS[other]) else other
            liked = "z" if "z" in (one, other) else rng.choice([one, other])
            model.append((number, one, other, winner if rng.random() < 0.75 else str(liked)))
            if rng.random() < 1 / 3:
                people.append((number, one, other, winner))
    return estimate_wins(outcomes_of(people), outcomes_of(model), RUNS, human_sample="random")


def test_intervals_hold_though_the_model_likes_one_run() -> None:
    """The truth of a run: its mean chance against the two others."""
    win = {(a, b): 1 / (1 + np.exp(STRENGTHS[b] - STRENGTHS[a])) for a in "xyz" for b in "xyz" if a != b}
    truth = {run: np.mean([chance for (one, _), chance in win.items() if one == run]) for run in "xyz"}
    rng = np.random.default_rng(2)
    rows = [row for _ in range(60) for row in simulate_board(rng).rows]
    assert np.mean([row.corrected.low <= truth[row.run] <= row.corrected.high for row in rows]) >= 0.93
    z = [row for row in rows if row.run == "z"]
    assert np.mean([row.corrected.estimate for row in z]) == pytest.approx(truth["z"], abs=0.02)
    assert np.mean([row.model for row in z]) > truth["z"] + 0.1
    assert np.mean([row.corrected.high - row.corrected.low for row in rows]) < np.mean(
        [row.people.high - row.people.low for row in rows]
    )
