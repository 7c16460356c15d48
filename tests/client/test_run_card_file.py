"""What does a team say of its run?"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from toprung.client.run_card_file import NAMES, CardFile, read_card
from toprung.data.run_card import RunCard, card_fields
from toprung.data.run_metadata import RunMetadata
from toprung.errors import FormatError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "meta.json"


def read(path: Path, said: Any) -> CardFile:
    path.write_text(said if isinstance(said, str) else json.dumps(said))
    return read_card(path)


def test_every_field_is_read_and_sent(path: Path) -> None:
    said = read(
        path,
        {
            "name": " kestrel-xl ",
            "team": "kestrel-lab",
            "description": "A larger encoder.\nTrained longer.",
            "paper": "https://example.org/paper",
            "code": "https://example.org/code",
            "model": "https://example.org/model",
            "type": "full ranking",
            "tags": ["dense", " late ", "dense", ""],
            "cost": 3,
            "latency": 12.5,
            "system": "kestrel",
            "seed": 7,
            "embargo_until": "2027-05-01",
        },
    )
    assert said.team == "kestrel-lab"
    assert said.card.to_json() == {
        "name": "kestrel-xl",
        "description": "A larger encoder.\nTrained longer.",
        "paper": "https://example.org/paper",
        "code": "https://example.org/code",
        "model": "https://example.org/model",
        "kind": "full ranking",
        "tags": ["dense", "late"],
        "cost": 3.0,
        "latency": 12.5,
        "system": "kestrel",
        "seed": "7",
        "anonymous_until": "2027-05-01",
    }


def test_the_names_of_metadata_files_and_those_of_the_form_are_both_known(path: Path) -> None:
    as_in_files = read(path, {"run": "a", "type": "reranking", "embargo_until": "2027/5/1"})
    as_in_form = read(path, {"name": "a", "kind": "reranking", "anonymous_until": "2027-05-01"})
    assert as_in_files == as_in_form
    assert as_in_form.card == RunCard(name="a", kind="reranking", anonymous_until=date(2027, 5, 1))
    known = {each.columns[0] for each in card_fields()} | set(RunMetadata.__dataclass_fields__)
    assert known - set(NAMES) == {"date", "is_baseline"}, "which a board says itself"


def test_nothing_and_null_are_the_same(path: Path) -> None:
    assert read(path, dict.fromkeys(("name", "tags", "cost", "seed", "embargo_until"))) == CardFile()
    assert read(path, {}) == CardFile()


def test_tags_may_be_a_text(path: Path) -> None:
    assert read(path, {"tags": "dense, late"}).card.tags == ("dense", "late")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"descripton": "x"}, "found 'descripton', which is not known.*Did you mean 'description'?"),
        ({"Name": "x"}, "found 'Name', which is not known.*Did you mean 'name'?"),
        ({"zzz": 1}, "found 'zzz', which is not known; expected some of name, run, team"),
        ({"\x1b[2J": 1}, r"found '\[U\+001B\]\[2J', which is not known"),
        ({"name": "a", "run": "b"}, "found both 'name' and 'run'; expected one of the two"),
        ({"name": 3}, "found 'name': 3; expected text"),
        ({"name": "a\nb"}, "expected text in one line, nothing unseen in it"),
        ({"name": "a\u202eb"}, "expected text in one line, nothing unseen in it"),
        ({"description": ["x"]}, "expected text"),
        ({"description": "\ud800"}, "expected text that UTF-8 can hold"),
        ({"cost": "3"}, "found 'cost': \"3\"; expected a positive number"),
        ({"cost": True}, "expected a positive number"),
        ({"cost": -1}, "found 'cost': -1; expected a positive number"),
        ({"latency": 0}, "expected a positive number"),
        ({"seed": 1.5}, "expected text"),
        ({"tags": [1]}, "expected a list of texts"),
        ({"tags": {"a": 1}}, "expected a list of texts"),
        ({"tags": ["a,b"]}, "expected tags without commas in them"),
        ({"embargo_until": "soon"}, "expected a day such as 2027-05-01"),
        ({"embargo_until": "2027-02-30"}, "expected a day such as 2027-05-01"),
        ({"embargo_until": 2027}, "expected a day such as 2027-05-01"),
        ('{"cost": NaN}', "expected a positive number"),
        ('{"cost": 1e999}', "expected a positive number"),
        ('{"name": "a", "name": "b"}', "found 'name' 2 times; expected it once"),
        ("[]", "found JSON that is no object"),
        ("{", "found text that is not JSON"),
        ("[" * 100_000, "found text that is not JSON"),
        ("", "found text that is not JSON"),
    ],
)
def test_what_is_wrong_is_named(path: Path, said: Any, found: str) -> None:
    with pytest.raises(FormatError, match=f"meta.json: .*{found}"):
        read(path, said)


def test_a_file_of_another_kind_is_not_read_whole(path: Path) -> None:
    with pytest.raises(FormatError, match="found more than 1,048,576 bytes; expected the words of one run"):
        read(path, " " * (1 << 21))


def test_bytes_that_are_no_text_are_refused(path: Path) -> None:
    path.write_bytes(b"\x1f\x8b\x08\x00")
    with pytest.raises(FormatError, match="found text that is not JSON"):
        read_card(path)


def test_another_name_takes_its_place_and_none_does_not() -> None:
    assert CardFile(card=RunCard(name="a")).called("b").name == "b"
    assert CardFile(card=RunCard(name="a")).called("").name == "a"
