"""Do two texts say the same?"""

from __future__ import annotations

import pytest

from toprung.labels.pools.near_texts import are_nearly_equal, find_twin

PASSAGE = (
    "The white shark lives in cool coastal waters of all oceans and feeds on seals, fish and carrion; "
    "females grow longer than males and may reach an age of seventy years or even more in the wild"
)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("It is in Rome.", "it is  in rome", True),
        ("It is in Rome.", "It is in Lyon.", False),  # short texts: every word counts
        ("caf\u00e9 \ufb01rst", "cafe\u0301 first", True),
        ("yes", "", False),
        ("!", "?", False),
        ("!", "!", True),
        (PASSAGE, PASSAGE.replace("carrion", "carcasses"), True),  # 1 of 36 words: 70/72 are alike
        (PASSAGE, PASSAGE.replace("carrion", "carcasses").replace("cool", "cold").replace("wild", "sea"), False),
        (PASSAGE, PASSAGE.replace("even more", "not more"), False),
        (PASSAGE.replace("seventy", "70"), PASSAGE.replace("seventy", "90"), False),
        (PASSAGE, f"{PASSAGE} and {PASSAGE}", False),
    ],
)
def test_texts_are_nearly_equal_unless_what_differs_may_turn_the_answer(one: str, other: str, expected: bool) -> None:
    assert are_nearly_equal(one, other) is expected
    assert are_nearly_equal(other, one) is expected


def test_an_equal_text_goes_before_one_that_is_nearly_equal() -> None:
    texts = {"new": "In Rome", "a": "in rome", "b": "In Rome", "c": "", "empty": ""}
    assert find_twin("new", ["a", "b"], texts) == "b"
    assert find_twin("new", ["a", "missing"], texts) == "a"
    assert find_twin("empty", ["c"], texts) is None
