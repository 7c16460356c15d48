"""A record is a frozen data class, only quicker to declare: held to what ``dataclasses`` makes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from toprung.records import record


@record
class Rung:
    height: int
    name: str = "top"
    held: list[int] = field(default_factory=list, repr=False)


@record(kw_only=True, eq=False, repr=False)
class Ladder:
    rungs: tuple[Rung, ...]
    steps: int = 0

    def __post_init__(self) -> None:
        if self.steps < 0:
            raise ValueError("steps from 0")

    def __repr__(self) -> str:
        return "a ladder"


ANY_RUNG: Any = Rung
ANY_LADDER: Any = Ladder


@dataclass(frozen=True)
class PlainRung:
    height: int
    name: str = "top"
    held: list[int] = field(default_factory=list, repr=False)


def test_it_says_compares_and_copies_itself_as_a_data_class_does() -> None:
    one, plain = Rung(3, held=[1]), PlainRung(3, held=[1])
    assert repr(one) == repr(plain).replace("PlainRung", "Rung")
    assert [each.name for each in fields(one)] == [each.name for each in fields(plain)]
    assert asdict(one) == asdict(plain) == {"height": 3, "name": "top", "held": [1]}
    assert is_dataclass(one)
    assert one == Rung(3, "top", [1]) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))
    assert one != Rung(3)
    assert one != plain
    assert replace(one, height=4) == Rung(4, "top", [1])


def test_defaults_that_are_made_are_made_anew() -> None:
    assert Rung(1).held is not Rung(1).held


def test_equal_records_have_equal_hashes() -> None:
    @record
    class Place:
        row: int
        column: int = 0

    assert hash(Place(1)) == hash(Place(1, 0)) == hash((1, 0))
    assert len({Place(1), Place(1, 0), Place(2)}) == 2


def test_one_without_equality_is_only_itself() -> None:
    one, other = Ladder(rungs=()), Ladder(rungs=())
    assert one == copy.copy([one])[0]
    assert one != other
    assert len({one, other}) == 2
    assert repr(one) == "a ladder"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda: setattr(Rung(1), "height", 2), "cannot assign to field 'height'"),
        (lambda: setattr(Rung(1), "new", 2), "cannot assign to field 'new'"),
        (lambda: delattr(Rung(1), "height"), "cannot delete field 'height'"),
    ],
)
def test_it_cannot_be_changed(change: Callable[[], Any], said: str) -> None:
    with pytest.raises(FrozenInstanceError, match=said):
        change()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (ANY_RUNG, "Rung: found no height"),
        (lambda: ANY_RUNG(1, "a", [], 4), "Rung: found 4 values by place; expected at most 3"),
        (lambda: ANY_RUNG(1, height=2), "Rung: found height twice"),
        (lambda: ANY_RUNG(1, width=2), "Rung: found width, which is no field"),
        (lambda: ANY_LADDER(()), "Ladder: found 1 values by place; expected at most 0"),
    ],
)
def test_what_does_not_fit_the_fields_is_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        make()


def test_what_is_checked_after_it_is_made_is_checked() -> None:
    with pytest.raises(ValueError, match="steps from 0"):
        Ladder(rungs=(), steps=-1)
