"""Changed files: bytes and pieces of good ones put in, taken out, repeated, or put in the place of others."""

from __future__ import annotations

import random

BYTES = (0, 1, 9, 10, 13, 32, 34, 44, 127, 128, 194, 255)
PIECES = [
    *(
        b" ",
        b"\t",
        b"\n",
        b"\r\n",
        b"\x00",
        b'"',
        b",",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"\\",
        b"\\ud800",
        b"\xff",
        b"\xc3",
    ),
    *(
        b"null",
        b"true",
        b"NaN",
        b"-1",
        b"1e999",
        b"9" * 30,
        b"0" * 40,
        b"2020-02-30",
        b"=1+1",
        b"\xef\xbb\xbf",
        b"[" * 60,
    ),
    *(b'"a":', b"x" * 300, b"\xe2\x80\xa8", b"PAR1", b"'''", b"= [", b"0001-01-01", b"9999-12-31", b"1e-320", b"--"),
]


def change(seed: bytes, rng: random.Random) -> bytes:
    """One to five changes of a good file."""
    data = bytearray(seed)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        _change_once(data, rng)
    return bytes(data)


def _change_once(data: bytearray, rng: random.Random) -> None:
    at, size = rng.randrange(len(data) + 1), rng.choice([1, 1, 2, 4, 8, 30])
    way = rng.randrange(7)
    if way <= 1 and data:
        data[min(at, len(data) - 1)] = rng.choice([*BYTES, rng.randrange(256)])
    elif way == 2 and data:
        data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)
    elif way == 3:
        data[at:at] = rng.choice(PIECES)
    elif way == 4:
        data[at : at + size] = rng.choice(PIECES)
    elif way == 5:
        del data[at : at + size]
    else:  # what stands elsewhere, a line or some bytes, again here
        start = rng.randrange(len(data) + 1)
        line_end = data.find(b"\n", start)
        data[at:at] = data[start : line_end + 1] if rng.random() < 0.5 and line_end >= 0 else data[start : start + size]
