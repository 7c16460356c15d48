"""A bundle that verifies may still hold what no page of ours would have let in: refused in words, nothing is stored."""

from __future__ import annotations

import base64
import io
import json
import tarfile
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from tests.web.moving import KEY, Past, import_from, make_newcomer

from toprung.boards.archive.bundle import BUNDLE
from toprung.boards.archive.json_text import write_json
from toprung.boards.archive.manifest import Manifest
from toprung.boards.archive.rows import Row
from toprung.boards.archive.writing import Source, write_archive
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Submission
from toprung.web.services.bundle.columns_in import read_columns

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

type Change = Callable[[dict[str, Any]], object]
BOMB = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()
FORM = "<form action=/x><input name=password>"
FURTHER = {
    "made_by": "https://old.example.org",
    "made_at": "2026-01-01T00:00:00+00:00",
    "imported_at": "2026-01-02T00:00:00+00:00",
    "key": "0" * 64,
    "entries": 1_000_000,
    "people": {"user 1": "Mallory"},
    "has_labels": True,
}
SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

SHARES = ("only_this", "better", "same", "neither", "worse", "only_top")

AROUND = {"kind": "board", "content": {"holder": "R2", "references": ["R2", FORM]}}

UNREADABLE = "a claim whose figures cannot be read"
CHANGES: dict[str, tuple[str, Change, str]] = {
    "a script as an address": ("runs.jsonl", lambda row: row.update(paper="javascript:alert(1)"), "Enter a valid URL"),
    "a name without end": ("runs.jsonl", lambda row: row.update(name="x" * 5000), "at most 80 characters"),
    "a state that is none": ("runs.jsonl", lambda row: row.update(state="winning"), "is not a valid choice"),
    "a day that is none": ("runs.jsonl", lambda row: row.update(anonymous_until="soon"), "cannot be used"),
    "a time without its zone": ("runs.jsonl", lambda row: row.update(submitted_at="2026-01-01"), "without a time zone"),
    "a field that is not known": ("runs.jsonl", lambda row: row.update(is_winner=True), "a field 'is_winner'"),
    "a number too large": ("standings.jsonl", lambda row: row.update(place=1 << 70), "cannot be used"),
    "a number below zero": ("standings.jsonl", lambda row: row.update(place=-1), "cannot be used"),
    "a text in place of a number": ("standings.jsonl", lambda row: row.update(place="first"), "is no number"),
    "a figure with a script": ("results.jsonl", lambda row: row["content"].update(svg=SCRIPT), "the element script"),
    "a team called as none may be": ("teams.jsonl", lambda row: row.update(name="Organisers"), "cannot be used"),
    "a column that unpacks for ever": ("columns.jsonl", lambda row: row.update(packed=BOMB), "of another length"),
    "a column that is none": ("columns.jsonl", lambda row: row.update(packed="AAAA"), "cannot be unpacked"),
    "hosts before that are none": ("board.json", lambda row: row.update(imported=[{"entries": 3}]), "a list of them"),
    "a level above one": ("board.json", lambda row: row.update(alpha=7.0), "cannot be used"),
    "markup as a rank": ("standings.jsonl", lambda row: row["content"].update(rank_low=FORM), "rank_low .* no number"),
    "a score that is none": ("standings.jsonl", lambda row: row["content"].update(score=None), "score .* no number"),
    "shares that are none": (
        "standings.jsonl",
        lambda row: row["content"].update(against={"B1": dict.fromkeys(SHARES, "5")}),
        "only_this .* no number",
    ),
    "a row without figures": ("standings.jsonl", lambda row: row.update(content={}), "a row of the leaderboard"),
    "the row of another run": ("standings.jsonl", lambda row: row["content"].update(run="R9"), "row of another run"),
    "markup as a baseline": ("results.jsonl", lambda row: row.update(AROUND), "runs that are not there"),
    "decimals without end": ("results.jsonl", lambda row: row["content"].update(decimals=10**9), "decimals that no"),
    "decimals of a policy without end": ("board.json", lambda row: row.update(release="rounded:999999999"), "release:"),
    "a policy that is none": ("board.json", lambda row: row.update(gamma="nonsense"), "settings that no board can"),
    "a measure that is none": ("board.json", lambda row: row.update(official_measure="x"), "official_measure:"),
    "measures that are no texts": ("board.json", lambda row: row.update(other_measures=[1]), "no texts"),
    "hosts before that write here": ("board.json", lambda row: row.update(imported=[FURTHER]), "wrote other entries"),
    "tags that are none": ("runs.jsonl", lambda row: row.update(tags=[1]), "tags that are no texts"),
    "a report of another kind": ("runs.jsonl", lambda row: row.update(report=[]), "report is of another kind"),
    "evidence of another kind": ("claims.jsonl", lambda row: row.update(evidence=[]), UNREADABLE),
    "a claim without its parts": ("claims.jsonl", lambda row: row["evidence"].pop("parts"), UNREADABLE),
    "a verdict that is none": ("claims.jsonl", lambda row: row.update(verdict="best"), UNREADABLE),
    "a difference that is no number": (
        "claims.jsonl",
        lambda row: row["evidence"]["parts"]["measure"].update(mean="<b>"),
        UNREADABLE,
    ),
    "words of another kind": ("edits.jsonl", lambda row: row.update(before="x"), "before is of another kind"),
}


def change_row(path: Path, table: str, change: Change, to: Path) -> Path:
    """The same bundle with another first row, signed by the same key."""
    with tarfile.open(path) as tar:
        contents = {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]
    manifest = Manifest.read(contents.pop("manifest.json"), kind=BUNDLE, source="manifest")
    del contents["signature.json"]
    if table == "board.json":
        row = json.loads(contents[table])
        change(row)
        contents[table] = write_json(row, indent=1)
    else:
        first, *others = contents[table].splitlines(keepends=True)
        row = json.loads(first)
        change(row)
        contents[table] = b"".join([write_json(row), *others])
    sources = [
        Source(name=name, size=len(data), open=lambda data=data: io.BytesIO(data))  # type: ignore[misc]
        for name, data in contents.items()
    ]
    with to.open("xb") as file:
        write_archive(file, manifest, sources, key=KEY)
    return to


@pytest.mark.parametrize(("table", "change", "says"), CHANGES.values(), ids=CHANGES)
def test_it_is_refused_in_words(table: str, change: Change, says: str, past: Past, tmp_path: Path) -> None:
    newcomer, stored = make_newcomer(), _stored_files()
    with pytest.raises(InputError, match=says):
        import_from(change_row(past.full, table, change, tmp_path / "bad.toprung"), by=newcomer)
    assert not Board.objects.exists()
    assert not Team.objects.exists()
    assert User.objects.count() == 1
    assert _stored_files() == stored


def test_an_unchanged_one_signed_again_is_taken(past: Past, tmp_path: Path) -> None:
    """So what is refused above is refused for its change."""
    path = change_row(past.full, "runs.jsonl", lambda _: None, tmp_path / "good.toprung")
    assert path.read_bytes() == past.full.read_bytes()
    assert import_from(path, by=make_newcomer()).board.slug == "web-docs"


def test_a_sketch_neither_travels_nor_comes_along(past: Past, tmp_path: Path) -> None:
    """It tells which queries copies are looked for on, and of another form it would end every check of the board."""
    read = []
    path = change_row(past.full, "runs.jsonl", lambda row: read.append(dict(row["report"])), tmp_path / "same.toprung")
    assert path.read_bytes() == past.full.read_bytes()
    assert [sorted({"sketch", "compared_until"} & set(each)) for each in read] == [[]]

    def give_one(row: dict[str, Any]) -> None:
        row["report"] |= {"sketch": [1, 2], "compared_until": "x"}

    board = import_from(
        change_row(past.full, "runs.jsonl", give_one, tmp_path / "sketched.toprung"), by=make_newcomer()
    ).board
    assert not [each for each in board.submissions.select_related("upload") if "sketch" in each.upload.report]


def test_a_column_is_unpacked_a_piece_at_a_time() -> None:
    """Labels may say that they have any number of queries, and some kilobytes unpack to as many values."""
    labels = LabelSet(use="official", name="official", n_queries=12_500_000)
    values = {"run": "R1", "labels": ["official", "official", 1], "measure": None, "mean": None, "packed": BOMB}
    row = Row(source="a.toprung, columns.jsonl", line=1, values=values)
    tracemalloc.start()
    columns = list(read_columns([row], {"R1": Submission()}, {("official", "official", 1): labels}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(columns) == 1
    assert peak < 10_000_000


def _stored_files() -> set[Path]:
    return {path for path in settings.ENVIRONMENT.files.rglob("*") if path.is_file()}
