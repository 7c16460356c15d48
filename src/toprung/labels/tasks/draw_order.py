"""In which order are things drawn? By a number that follows from the seed and the thing, whenever it comes to the rest.

So the same records give the same offers: nothing depends on when a pair was added, or on what was drawn in between.
"""

from __future__ import annotations

import hashlib


def place_in_draw(seed: int, *parts: str) -> int:
    """As good as drawn at random, and always the same.

    >>> place_in_draw(1, "q1", "d1", "d2") == place_in_draw(1, "q1", "d1", "d2") != place_in_draw(2, "q1", "d1", "d2")
    True
    """
    key = seed.to_bytes(16, "big", signed=True)
    told = "\0".join(parts).encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=8, key=key).digest())
