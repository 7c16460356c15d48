"""Which runs cannot be told apart? The compact letter display, by insert and absorb (Piepho 2004).

Two runs share a letter exactly if they do not differ significantly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_letters

from toprung.errors import InputError


@dataclass(frozen=True, kw_only=True)
class LetterDisplay:
    """``groups`` are the sets of items that share a letter, each ascending; ``names`` holds their letters.

    ``letters`` has the letters of each item, in one string.
    """

    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    letters: tuple[str, ...]


def letter_display(count: int, different: Iterable[tuple[int, int]]) -> LetterDisplay:
    """Letters for items 0 … count − 1, from the pairs that differ; give the best item first and it gets an "a".

    >>> letter_display(3, [(0, 2)]).letters
    ('a', 'ab', 'b')
    """
    differs_from = _as_masks(count, different)
    columns = [(1 << count) - 1] if count else []
    for item, others in enumerate(differs_from):
        columns = _insert(columns, 1 << item, others)
    groups = sorted(_members(column) for column in columns)
    names = tuple(letter_name(position) for position in range(len(groups)))
    letters = [""] * count
    for name, group in zip(names, groups, strict=True):
        for item in group:
            letters[item] += name
    return LetterDisplay(groups=tuple(groups), names=names, letters=tuple(letters))


def letter_name(position: int) -> str:
    """The name of a group: a … z, A … Z, then a1, b1 and so on, so that letters never run into each other.

    >>> letter_name(0), letter_name(26), letter_name(52)
    ('a', 'A', 'a1')
    """
    turn, letter = divmod(position, len(ascii_letters))
    return ascii_letters[letter] + (str(turn) if turn else "")


def _as_masks(count: int, different: Iterable[tuple[int, int]]) -> list[int]:
    masks = [0] * count
    for i, j in different:
        if not (0 <= i < count and 0 <= j < count) or i == j:
            raise InputError(f"found the pair ({i}, {j}); expected two different items from 0 to {count - 1}.")
        masks[i] |= 1 << int(j)
        masks[j] |= 1 << int(i)
    return masks


def _insert(columns: list[int], item: int, others: int) -> list[int]:
    """Split every column that holds the item and something it differs from; all its pairs at once."""
    kept = [column for column in columns if not (column & item and column & others)]
    split = [column for column in columns if column & item and column & others]
    halves = [column & ~item for column in split] + [column & ~others for column in split]
    return _absorb(kept, halves)


def _absorb(kept: list[int], halves: list[int]) -> list[int]:
    """Add the new columns, without those that lie within another; the old ones lie in no new one."""
    for half in sorted(set(halves), key=int.bit_count, reverse=True):
        if not any(half & ~column == 0 for column in kept):
            kept.append(half)
    return kept


def _members(column: int) -> tuple[int, ...]:
    return tuple(index for index, bit in enumerate(reversed(f"{column:b}")) if bit == "1")
