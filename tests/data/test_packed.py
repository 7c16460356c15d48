"""Texts one after the other, with where each ends."""

from __future__ import annotations

from toprung.data.packed import PackedTexts


def test_texts_are_packed_in_utf8_with_their_ends() -> None:
    packed = PackedTexts.of(["ab", "", "é", "c"])
    assert packed.data == b"ab\xc3\xa9c"
    assert packed.ends.tolist() == [2, 2, 4, 5]
    assert packed.ends.itemsize == 8


def test_no_texts_pack_to_nothing() -> None:
    packed = PackedTexts.of([])
    assert packed.data == b""
    assert len(packed.ends) == 0
