"""What the tests of the data layer share: files to write, labels to look up, and the three readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.data.plain_reader import read_plainly

from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.table_parser import to_table
from toprung.data.formats.runs.text import RunText
from toprung.data.ordered import order_rows
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run

Place = Callable[[RunText, Qrels], Placement]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file of this name into the test's own folder."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture(scope="session")
def scanner() -> Place:
    """The compiled reader."""
    if not compiled.has_scanner():
        pytest.skip("THE COMPILED SCANNER IS NOT TESTED: toprung.data.formats._scan was not built or is switched off")
    return compiled.place_text


@pytest.fixture(scope="session")
def line_reader() -> Place:
    """The reference: every line through the line parser, then ordered and looked up in memory."""

    def place(text: RunText, qrels: Qrels) -> Placement:
        parsed = read_plainly(text.content, text.layout)
        if parsed.problems:
            raise parsed.problems.earliest().to_error(text.source)
        frame = to_table(parsed, text.layout).drop("tag", strict=False)
        run = Run.from_ordered(order_rows(frame, float32_ties=text.float32_ties), name=text.name)
        return place_run(run, qrels, float32_ties=text.float32_ties)

    return place


@pytest.fixture(params=["scanner", "polars", "lines"])
def place(request: pytest.FixtureRequest, line_reader: Place) -> Place:
    """Each of the three readers in turn: what is asserted of one holds for all."""
    if request.param == "scanner":
        reader: Place = request.getfixturevalue("scanner")
        return reader
    return {"polars": table_reader.place_text, "lines": line_reader}[request.param]
