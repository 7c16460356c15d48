"""``[NAME=]FILE``: what a file is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from toprung.cli.options.named_files import name_of_file, read_named
from toprung.errors import InputError


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("labels.qrels.gz", "labels"),
        ("labels.qrels", "labels"),
        ("labels.txt.zst", "labels"),
        ("sets/labels.csv", "labels"),
        ("qrels.dev.tsv", "qrels.dev"),
        ("labels", "labels"),
        (".gz", ".gz"),
        ("irds:msmarco-passage/dev", "irds:msmarco-passage/dev"),
    ],
)
def test_a_file_is_called_by_its_name_without_compression_and_ending(path: str, name: str) -> None:
    assert name_of_file(path) == name


def test_a_name_that_is_no_utf8_can_be_written() -> None:
    name_of_file("caf\udce9.qrels").encode("utf-8")


def test_a_name_of_its_own_goes_first() -> None:
    assert read_named("--private", ["new=a.qrels", "b.qrels.gz"]) == {"new": "a.qrels", "b": "b.qrels.gz"}
    assert read_named("--private", ["new=a=b.qrels"]) == {"new": "a=b.qrels"}


def test_a_file_may_have_an_equals_sign_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k=10.qrels").write_text("")
    assert read_named("--private", ["k=10.qrels"]) == {"k=10": "k=10.qrels"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["=a.qrels"], "--labels: found '=a.qrels'; expected FILE, or NAME=FILE"),
        (["a="], "--labels: found 'a='"),
        (["a.qrels", "a=b.qrels"], "--labels: found the name 'a' twice; name them apart, as NAME=FILE"),
        (["x/a.qrels", "y/a.qrels"], "'a' twice"),
    ],
)
def test_what_names_nothing_or_twice_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_named("--labels", texts)
