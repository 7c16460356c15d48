"""How does a page carry what is only wanted on a click? As text that is compressed, in a tag that runs nothing."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping

LEVEL = 6
"""Of compression: the highest takes twice as long for a hundredth less."""


def pack(text: str) -> str:
    """The text as gzip in base64; the same text gives the same bytes."""
    return base64.b64encode(gzip.compress(text.encode(), LEVEL, mtime=0)).decode("ascii")


def pack_within(texts: Mapping[str, str], room: int) -> dict[str, str]:
    """As many of the texts as have room, packed: the small ones first, for more readers want one of them."""
    packed = {key: pack(text) for key, text in texts.items()}
    kept = {}
    for key in sorted(packed, key=lambda each: len(packed[each])):
        if len(packed[key]) > room:
            break
        room -= len(packed[key])
        kept[key] = packed[key]
    return kept


def packed_tag(key: str, packed: str) -> str:
    """A browser neither runs nor shows it; the letters of base64 can close no tag."""
    return f'<script type="text/x-packed" id="{key}">{packed}</script>\n'
