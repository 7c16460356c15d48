from __future__ import annotations

import base64
import gzip
import re

from toprung.report.page.packed import pack, pack_within, packed_tag


def test_a_text_is_gzip_in_base64() -> None:
    assert gzip.decompress(base64.b64decode(pack("עברית,0.5\n"))).decode() == "עברית,0.5\n"


def test_the_same_text_gives_the_same_bytes() -> None:
    first = pack("x" * 1000)
    assert base64.b64decode(first)[4:8] == b"\0\0\0\0"  # the time of writing, which would differ
    assert pack("x" * 1000) == first


def test_nothing_packed_can_close_its_tag() -> None:
    assert re.fullmatch(
        r'<script type="text/x-packed" id="a">[A-Za-z0-9+/=]+</script>\n', packed_tag("a", pack("</script>"))
    )


def test_small_files_are_kept_before_large_ones() -> None:
    texts = {"large": "".join(map(str, range(5000))), "small": "a", "middle": "".join(map(str, range(100)))}
    room = len(pack(texts["small"])) + len(pack(texts["middle"]))
    assert list(pack_within(texts, room)) == ["small", "middle"]
    assert list(pack_within(texts, room - 1)) == ["small"]
    assert pack_within(texts, -5) == {}
