"""How often do two people choose the same? α as published, and as plain code counts it, two votes at a time."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from tests.labels.builders import votes

from toprung.data.judgments import Choice, Judgment
from toprung.labels.assessors.agreement import count_choices, find_agreement, krippendorff_alpha

PUBLISHED = {
    "Krippendorff 2011, A": (("0100000010", "1110010000"), 0.095),
    "Krippendorff 2011, B": (("aabbdcccedda", "babbbccceddd"), 0.692),
    "Krippendorff 2011, C": (("123321412...", "1233224125.3", ".3332342251.", "12332441251."), 0.743),
    "three coders of fifteen units": (("*****34121133*3", "1*213343*******", "**21344*21133*4"), 0.691),
}
"""What each observer said of each unit (* and . are nothing), and the α of nominal values that is printed there."""


@pytest.mark.parametrize("example", PUBLISHED)
def test_alpha_is_as_published(example: str) -> None:
    """Krippendorff, *Computing Krippendorff's alpha-reliability*, 2011; the last is Wikipedia's example."""
    observers, printed = PUBLISHED[example]
    units = [Counter(value for value in unit if value not in "*.") for unit in zip(*observers, strict=True)]
    assert krippendorff_alpha(units)[0] == pytest.approx(printed, abs=0.0005)


def test_a_single_value_of_all_tells_nothing() -> None:
    assert math.isnan(krippendorff_alpha([{"a": 2}, {"a": 3}])[0])
    assert math.isnan(krippendorff_alpha([{"a": 1}, {"b": 1}])[0])


def made_votes(seed: int) -> list[Judgment]:
    """Up to five votes on each of forty pairs, for either answer or neither, on sides tossed by a coin."""
    rng = np.random.default_rng(seed)
    return [
        Judgment(
            judgment_id=f"{pair}-{voter}",
            query_id=f"q{pair}",
            left=sides[0],
            right=sides[1],
            choice=Choice(str(rng.choice(["left", "right", "tie"], p=[0.5, 0.3, 0.2]))),
            assessor=f"a{voter}",
        )
        for pair in range(40)
        for voter in range(rng.integers(0, 6))
        for sides in (("a", "b") if rng.random() < 0.5 else ("b", "a"),)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_agreement_of_a_crowd_is_that_of_plain_code(seed: int) -> None:
    """Every two votes on a pair, and every two votes at all, each compared for itself; each pair under both names."""
    made = made_votes(seed)
    by_pair = [[vote.winner for vote in made if vote.query_id == query] for query in {vote.query_id for vote in made}]
    shared = [given for given in by_pair if len(given) > 1]
    n = sum(map(len, shared))
    observed = (
        sum(sum(one != other for one, other in permutations(given, 2)) / (len(given) - 1) for given in shared) / n
    )
    renamed = {"a": "b", "b": "a", None: None}
    pooled = [each for given in shared for choice in given for each in (choice, renamed[choice])]
    expected = sum(one != other for one, other in permutations(pooled, 2)) / (2 * n * (2 * n - 1))
    twos = [one == other for given in shared for one, other in permutations(given, 2)]

    found = find_agreement(count_choices(made))
    assert found.alpha == pytest.approx(1 - observed / expected)
    assert found.expected == pytest.approx(expected)
    assert (found.n_agreed, found.n_compared) == (sum(twos) // 2, len(twos) // 2)
    assert found.share == pytest.approx(np.mean(twos))


def test_what_documents_are_called_changes_nothing() -> None:
    """Of 40 pairs on which two of three agree, the better answer has the id that comes first, or any."""
    lines = [
        f"q{pair} a b {choice} x{voter}" for pair in range(40) for voter, choice in enumerate(("left", "left", "right"))
    ]
    as_named = find_agreement(count_choices(votes("\n".join(lines)).rows))
    swapped = [
        line.replace(" a b left", " b a left").replace(" a b right", " b a right") if number % 6 < 3 else line
        for number, line in enumerate(lines)
    ]
    as_renamed = find_agreement(count_choices(votes("\n".join(swapped)).rows))
    assert as_named == as_renamed
    assert as_named.alpha == pytest.approx(1 - (2 / 3) / (120 / 239)), "below chance: of three votes two must agree"
