from __future__ import annotations

from pathlib import Path

import pytest

from toprung.data.formats.tables.slice_files import read_slices
from toprung.errors import FormatError


def write(folder: Path, text: str) -> Path:
    path = folder / "slices.csv"
    path.write_text(text)
    return path


def test_each_attribute_has_the_values_of_queries_that_have_one(tmp_path: Path) -> None:
    path = write(tmp_path, 'query_id,type,"word count"\nq1,who,short\nq2,,long\nq3,who,\n')
    assert read_slices(path) == {"type": {"q1": "who", "q3": "who"}, "word count": {"q1": "short", "q2": "long"}}


def test_the_column_of_queries_may_stand_anywhere(tmp_path: Path) -> None:
    assert read_slices(write(tmp_path, "type,QID\nwho,7\n")) == {"type": {"7": "who"}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query,type\nq1,who\n", "line 1: found 'query', 'type'; expected a column 'query_id' and one for each"),
        ("query_id\nq1\n", "line 1: found 'query_id'; expected a column 'query_id' and one for each attribute"),
        ("query_id,type,Type\nq1,a,b\n", "line 1: found 2 columns 'type'; expected each attribute once"),
        ("query_id,type,\nq1,a,b\n", "line 1: found a column without a name; expected a name for each attribute"),
        ("query_id,type\nq1,a\nq2,b\nq1,a\n", "line 4: found query 'q1' again, first on line 2; expected each query"),
        ("query_id,type\n,a\n", "line 2: found no query id; expected one on every line"),
        ("query_id,type\n", "found no rows below the header; expected a row for every query"),
        ("query_id,type\nq1,a,b\n", "line 2: found 3 columns; expected 2 as in the header"),
        ("", "expected"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FormatError) as error:
        read_slices(write(tmp_path, text))
    assert said in str(error.value)
