"""The grammar of run lines (docs/reference/formats.md), held by every reader at once."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest
from tests.fuzz.run_lines import differences

from toprung.data.formats.runs.validate import validate_run

GOOD = b"q0 Q0 d0 1 9.5 t\n"
TAKEN = [
    b"q0 Q0 d1 2 1 t\r\n",
    b"q0 Q0 d1 2 1 t\r",
    b"q0  Q0\t d1 2 1 t \n",
    b" q0 Q0 d1 2 1 t\n",
    b"q0 Q0 d1 2 1 t\n\r \n \t\n",
    b"q0 Q0 d1 +02 .5 t\n",
    b"q0 Q0 d1 -2 5. t\n",
    b"q0 Q0 d1 2 -1E+3 t\n",
    b"q0 Q0 d1 000000000000000000000002 1 t\n",
    b"q0 Q0 d\xc2\xa01 2 1 t\n",
    b"q0 Q0 d\xc2\x85 2 1 t\n",
    b'q0 Q0 "d1 2 1 "t\n',
    b"q0 Q0 d\x7f 2 1 t\n",
    b"q0 Q0 \xef\xbb\xbfd1 2 1 t\n",
    b"q0 Q0 d1 2 1e-999 t\n",
    b"q0 Q0 # 2 1 t",
    b"x^2 Q0 d1 2 1 t\n",
]
REFUSED = [
    b"q0  d1 1 2 t\n",
    b"q0 Q0 d1 2 1 t\r \n",
    b"q0 Q0 d1 2 1 t\r\r\n",
    b"\nq0 Q0 d1 2 1 t\n",
    b"q0 Q0 d1 2 1\n",
    b"q0 Q0 d1 2 1 t u\n",
    b"q0 Q0 d1\x0b2 1 t\n",
    b"q0 Q0 d\x001 2 1 t\n",
    b"q0 Q0 d\xff 2 1 t\n",
    b"q0 Q0 d1 2.0 1 t\n",
    b"q0 Q0 d1 2 nan t\n",
    b"q0 Q0 d1 2 1e999 t\n",
    b"q0 Q0 d1 2 1_0 t\n",
    b"q0 Q0 d1 2 0x1 t\n",
    b"q0 Q0 d1 2 . t\n",
    b"q0 Q0 d1 1234567890123456789 1 t\n",
    b"q0 Q0 d1 \xd9\xa1 1 t\n",
    b"q0 Q0 d0 2 1 t\n",
    b"q0\rQ0 d1 2 1 t\n",
    b" \x28\xb5\x2f\xfd Q0 d1 2 1 t\n",
    b" " + zlib.compress(b"q0 Q0 d1 2 1 t\n"),
    b" " + gzip.compress(b"q0 Q0 d1 2 1 t\n", mtime=0),
]


@pytest.mark.parametrize(
    ("line", "is_taken"), [*((line, True) for line in TAKEN), *((line, False) for line in REFUSED)]
)
def test_every_reader_judges_a_line_alike(tmp_path: Path, line: bytes, is_taken: bool) -> None:
    for name, content in (
        ("second", GOOD + line),
        ("alone", line if line.strip() != b"q0 Q0 d0 2 1 t" else GOOD + line),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        assert differences(path) == []
        assert validate_run(path).is_valid == is_taken
