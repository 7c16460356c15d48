"""Bundles that were signed, and say what they must not: a clear message for each, never a traceback."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.boards.archive.small_bundle import FILES, KEY, Rows, chain, make_bundle, make_rows, sign, store

from toprung.boards.archive import tables
from toprung.boards.archive.container import BLOCK, make_header
from toprung.boards.archive.json_text import write_json
from toprung.boards.archive.signing import EMPTY_SIGNATURE
from toprung.boards.archive.verifying import verify_bundle
from toprung.cli.main import app
from toprung.errors import FormatError, InputError

type Change = Callable[[Rows], object]


def row(table: str, place: int = 0, **values: Any) -> Change:
    return lambda rows: rows[table][place].update(values)


def add(table: str, **values: Any) -> Change:
    return lambda rows: rows[table].append(rows[table][0] | values if rows[table] else values)


CHANGES: dict[str, tuple[Change, str]] = {
    "an entry that was changed": (row(tables.AUDIT, 1, what="Nothing"), "does not follow from entry 1"),
    "an entry that was left out": (lambda rows: rows[tables.AUDIT].pop(1), "does not follow from entry 1"),
    "an entry whose details are no object": (row(tables.AUDIT, details=[]), "does not follow from entry 0"),
    "a claim without its number": (row(tables.CLAIMS, number=2), "expected claim 1, the next"),
    "a claim against itself": (row(tables.CLAIMS, holder="R1"), "claim 1 of R1 against R1"),
    "two claims of a run": (add(tables.CLAIMS, number=2), "claim 2 of R1"),
    "a claim of nobody": (row(tables.CLAIMS, run="R9"), "run 'R9'; expected a run that is in the bundle"),
    "a claim on labels that are not there": (row(tables.CLAIMS, labels=["official", "official", 2]), "not there"),
    "labels that are no labels": (row(tables.CLAIMS, labels="v1"), "expected use, name and version"),
    "a run without a charge": (lambda rows: rows[tables.CHARGES].clear(), "found no charge for R1"),
    "a charge twice": (add(tables.CHARGES), "a charge of R1"),
    "a charge for another team": (row(tables.CHARGES, team="norrland"), "a charge of R1 for 'norrland'"),
    "a run out of order": (row(tables.RUNS, 1, number=7), "the next run, number 2"),
    "a run of a team that is not there": (row(tables.RUNS, 1, team="norrland"), "expected a team"),
    "a run of nobody": (row(tables.RUNS, user="user 2"), "user 'user 2'"),
    "a run that leads out of the folder": (row(tables.RUNS, label="../../etc/passwd"), "found no file"),
    "a run with another file": (row(tables.RUNS, digest="sha256:" + "0" * 64), "another digest"),
    "public labels without their file": (row(tables.LABEL_SETS, is_hidden=False), "public labels without their file"),
    "a column of single queries": (row(tables.COLUMNS, packed="AAAA"), "scores of queries without their labels"),
    "a campaign twice": (add(tables.CAMPAIGNS), "the campaign 'second-look' twice"),
    "a campaign on hidden labels": (
        row(tables.CAMPAIGNS, labels=["official", "official", 1]),
        "found a campaign on hidden labels; expected none",
    ),
    "answers that hidden labels may have": (
        add(tables.ORIGINS, labels=["official", "official", 1], campaign=None, doubt={"chances": {"q1": {"d1": 99}}}),
        "answers that hidden labels may have; expected none",
    ),
    "golds of no campaign": (row(tables.PROPOSED_GOLDS, campaign="third-look"), "expected a campaign"),
    "a judgment that was taken out": (lambda rows: rows[tables.RECORDS].pop(2), "record 2 of judgments; expected rec"),
    "a record of no campaign": (row(tables.RECORDS, campaign=None), "campaign None; expected a text"),
    "an announcement of nobody": (row(tables.ANNOUNCEMENTS, by="user 9"), "by 'user 9'"),
    "a data file twice": (add(tables.DATA_FILES), "the file 'kit.txt' twice"),
    "another data file": (row(tables.DATA_FILES, digest="sha256:" + "0" * 64), "another digest than that of data/1"),
    "a hidden data file": (row(tables.DATA_FILES, is_hidden=True), "a hidden file; expected none"),
    "texts that nobody asked for": (row(tables.DATA_FILES, kind="queries"), "a file with texts; expected none"),
    "neither file nor link": (row(tables.DATA_FILES, has_file=False), "neither a file nor a link for 'kit.txt'"),
    "an edit of nothing": (row(tables.EDITS, run="R3"), "expected a run"),
    "a person twice": (add(tables.PEOPLE), "'user 1' twice"),
    "a number where a text should be": (row(tables.TEAMS, slug=3), "slug 3; expected a text"),
    "a field that is missing": (lambda rows: rows[tables.RUNS][0].pop("user"), "found no 'user'"),
    "words that drive a terminal": (row(tables.CLAIMS, run="\x1b[31mR9"), r"\[U\+001B\]"),
}


@pytest.mark.parametrize(("change", "says"), CHANGES.values(), ids=CHANGES)
def test_what_does_not_hold_together_is_named(change: Change, says: str, tmp_path: Path) -> None:
    rows = make_rows()
    change(rows)
    with pytest.raises(FormatError, match=says):
        verify_bundle(store(make_bundle(rows), tmp_path))


def test_another_last_entry_than_the_manifest_says_is_found(tmp_path: Path) -> None:
    """Who takes entries from the end leaves a chain that holds; the manifest knows its head."""
    data = make_bundle(make_rows(), audit_head=chain("Created", "Other", "Last")[-1]["digest"])
    with pytest.raises(FormatError, match="another last entry"):
        verify_bundle(store(data, tmp_path))


def test_counts_that_are_not_so_are_found(tmp_path: Path) -> None:
    counts = dict.fromkeys(tables.COUNTED, 1)
    with pytest.raises(FormatError, match="as the manifest says"):
        verify_bundle(store(make_bundle(make_rows(), counts=counts), tmp_path))


def test_hidden_labels_that_the_manifest_denies_are_found(tmp_path: Path) -> None:
    rows, labels = make_rows(), b"q1 0 d1 1\n"
    rows[tables.LABEL_SETS][0] |= {"has_file": True, "digest": f"sha256:{hashlib.sha256(labels).hexdigest()}"}
    with pytest.raises(FormatError, match="found hidden labels; expected none"):
        verify_bundle(store(make_bundle(rows, FILES | {"labels/1": labels}), tmp_path))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a": ' * 50_000, "nested too deeply|expected JSON"),
        (b'{"a": 1, "a": 2}', "a key twice"),
        (b'{"a": NaN}', "the number NaN"),
        (b'{"a": 1e999}', "the number 1e999"),
        (b'{"a": ' + b"1" * 5000 + b"}", "expected JSON"),
        (b'{"a": "\\ud800"}', "a character that cannot be stored"),
        (b'{"a": "\\u0000"}', "a character that cannot be stored"),
        (b'{"a": "\x00"}', "a NUL"),
        (b'{"a": "\xff"}', "no UTF-8"),
        (b"[1]", "found a list; expected a JSON object"),
        (b"", "expected JSON"),
    ],
    ids=[
        "deep lists",
        "deep objects",
        "twice",
        "nan",
        "inf",
        "long",
        "half",
        "nul",
        "raw nul",
        "latin",
        "list",
        "empty",
    ],
)
def test_rows_that_are_no_json_of_ours_are_refused(line: bytes, says: str, tmp_path: Path) -> None:
    rows = make_rows()
    contents = {tables.BOARD: write_json({"slug": "small", "title": "Small board", "holder": None})} | FILES
    contents |= {name: b"".join(map(write_json, each)) for name, each in rows.items()}
    contents[tables.RESULTS] = line + b"\n"
    with pytest.raises(FormatError, match=says):
        verify_bundle(store(sign(contents, rows), tmp_path))


def test_an_escaped_backslash_is_no_escape(tmp_path: Path) -> None:
    rows = make_rows()
    rows[tables.RESULTS][0]["content"] = {"latex": "\\ud800 \\u0000 é"}
    assert verify_bundle(store(make_bundle(rows), tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        lambda said: said["members"][0].update(name="../../etc/passwd"),
        lambda said: said["members"][0].update(name="/etc/passwd"),
        lambda said: said["members"][0].update(name="runs/a/b"),
        lambda said: said["members"][0].update(name="runs/" + "R" * 200),
        lambda said: said["members"][0].update(name="manifest.json"),
        lambda said: said["members"].append(said["members"][-1]),
        lambda said: said["members"].reverse(),
        lambda said: said["members"][0].update(size=1 << 60),
        lambda said: said["members"][0].update(size=1 << 40),
        lambda said: said["members"][0].update(size=-1),
        lambda said: said["members"][0].update(size=True),
        lambda said: said["members"][0].update(sha256="A" * 64),
        lambda said: said["members"][0].update(linkname="/etc/passwd"),
        lambda said: said.update(members={}),
        lambda said: said.update(members=None),
        lambda said: said.update(board=[]),
        lambda said: said.update(board="../x"),
        lambda said: said.update(format_version=3),
        lambda said: said.update(format="zip"),
        lambda said: said.update(made_at="yesterday"),
        lambda said: said.update(counts={}),
        lambda said: said.update(more="x"),
        lambda said: said.pop("audit_head"),
    ],
)
def test_a_manifest_that_is_signed_and_wrong_is_refused(change: Callable[[Any], object], tmp_path: Path) -> None:
    whole = make_bundle()
    said = json.loads(whole[BLOCK : whole.index(b"\0", BLOCK)])
    change(said)
    head = write_json(said, indent=1)
    signature = KEY.sign(head).to_bytes()
    assert len(signature) == len(EMPTY_SIGNATURE.to_bytes())
    data = b"".join(
        make_header(name, len(part)) + part + bytes(-len(part) % BLOCK)
        for name, part in (("manifest.json", head), ("signature.json", signature))
    )
    body = whole.index(make_header("audit.jsonl", len(b"".join(map(write_json, make_rows()[tables.AUDIT])))))
    with pytest.raises(InputError):
        verify_bundle(store(data + whole[body:], tmp_path))


@pytest.mark.parametrize("size", [(8 << 30) - 1, 65 << 20])
def test_a_manifest_of_gigabytes_is_not_read(size: int, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"found no manifest\.json"):
        verify_bundle(store(make_header("manifest.json", size) + b"{", tmp_path))


def test_the_command_says_what_is_wrong_and_exits_with_2(tmp_path: Path) -> None:
    path = store(make_bundle()[:-1], tmp_path)
    command = [sys.executable, "-c", "from toprung.cli.main import main; main()", "verify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("toprung: small.toprung: found ")
    assert "Traceback" not in done.stderr


def test_the_command_tells_what_it_found_as_json(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["verify", "--json", "--key", KEY.fingerprint, str(store(make_bundle(), tmp_path))])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert (found["board"], found["claims"], found["has_hidden_labels"]) == ("small", 1, False)
    assert found["key"] == KEY.fingerprint


def test_neither_django_nor_polars_is_needed_to_verify(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from toprung.boards.archive.verifying import verify_bundle; "
        f"verify_bundle(Path({str(store(make_bundle(), tmp_path))!r})); "
        "print([name for name in ('django', 'polars', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout == "[]\n"
