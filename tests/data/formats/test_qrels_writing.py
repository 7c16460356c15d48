"""Labels written are the labels read."""

from __future__ import annotations

from pathlib import Path

import pytest

from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.qrels_writing import write_qrels
from toprung.data.qrels import Qrels
from toprung.errors import InputError


def test_labels_come_back(tmp_path: Path) -> None:
    qrels = Qrels.from_dict({"q2": {"d1": 1, "d0": -1}, "q1": {"ü": 3}})
    write_qrels(qrels, tmp_path / "new.qrels")
    assert (tmp_path / "new.qrels").read_text(encoding="utf-8") == "q2 0 d1 1\nq2 0 d0 -1\nq1 0 ü 3\n"
    assert read_qrels(tmp_path / "new.qrels").digest == qrels.digest


@pytest.mark.parametrize("bad", ["", "a b", "a\tb"])
def test_ids_that_do_not_fit_are_refused_and_nothing_is_written(tmp_path: Path, bad: str) -> None:
    with pytest.raises(InputError, match="a text file cannot hold ids"):
        write_qrels(Qrels.from_dict({"q": {bad: 1}}), tmp_path / "new.qrels")
    assert list(tmp_path.iterdir()) == []
