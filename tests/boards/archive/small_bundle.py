"""A bundle small enough to write by hand: a baseline, a run that claims the rung, three audit entries, no labels."""

from __future__ import annotations

import hashlib
import io
import tempfile
from pathlib import Path
from typing import Any

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import BUNDLE, BundleFacts
from toprung.boards.archive.chain import digest_entry
from toprung.boards.archive.json_text import write_json
from toprung.boards.archive.manifest import Manifest
from toprung.boards.archive.signing import SigningKey
from toprung.boards.archive.writing import Source, write_archive

KEY = SigningKey(bytes(range(32)))
OTHER_KEY = SigningKey(bytes(range(1, 33)))
FILES = {
    "labels/2": b"q1 0 d1 1\n",
    "data/1": b"Read this first.\n",
    "runs/B1.original": b"q1 Q0 d1 1 1.0 bm25\n",
    "runs/B1.parquet": b"PAR1 of B1" * 60,
    "runs/R1.original": b"q1 Q0 d2 1 1.0 dense\n",
    "runs/R1.parquet": b"",
}

type Rows = dict[str, list[dict[str, Any]]]


def make_rows() -> Rows:
    return {
        tables.PEOPLE: [{"who": "user 1", "name": "Ada"}],
        tables.TEAMS: [{"slug": "kestrel", "name": "Kestrel Lab"}],
        tables.LABEL_SETS: [
            {
                "use": "official",
                "name": "official",
                "version": 1,
                "is_hidden": True,
                "digest": "sha256:" + "a" * 64,
                "published_by": None,
                "has_file": False,
            },
            {
                "use": "dev",
                "name": "dev",
                "version": 1,
                "is_hidden": False,
                "digest": f"sha256:{hashlib.sha256(FILES['labels/2']).hexdigest()}",
                "published_by": None,
                "has_file": True,
            },
        ],
        tables.RUNS: [_run("B1", 1, None), _run("R1", 2, "kestrel")],
        tables.REFUSED: [],
        tables.EDITS: [{"run": "R1", "user": "user 1"}],
        tables.CHARGES: [{"run": "R1", "team": "kestrel"}],
        tables.COLUMNS: [
            {"run": "R1", "labels": ["official", "official", 1], "measure": "RR@10", "mean": 0.5, "packed": None}
        ],
        tables.CLAIMS: [
            {"number": 1, "run": "R1", "holder": "B1", "labels": ["official", "official", 1], "voided_by": None}
        ],
        tables.STANDINGS: [{"run": "B1"}, {"run": "R1"}],
        tables.RESULTS: [{"kind": "board", "content": {"sentence": "R1 holds the top rung."}}],
        tables.AUDIT: chain("Created the board", "Submitted R1", "R1 scores above B1"),
        tables.ACCESSES: [],
        tables.ANNOUNCEMENTS: [{"by": "user 1", "headline": "It begins."}],
        tables.DATA_FILES: [
            {
                "name": "kit.txt",
                "kind": "kit",
                "is_hidden": False,
                "link": "",
                "digest": f"sha256:{hashlib.sha256(FILES['data/1']).hexdigest()}",
                "added_by": "user 1",
                "has_file": True,
            }
        ],
        tables.TERMS: [],
        tables.TEXT_ACCESSES: [],
        tables.CAMPAIGNS: [{"slug": "second-look", "labels": ["dev", "dev", 1], "created_by": "user 1"}],
        tables.DESIGNS: [{"campaign": "second-look"}],
        tables.PROPOSED_GOLDS: [{"campaign": "second-look"}],
        tables.REFUSED_LABELS: [],
        tables.CHALLENGES: [],
        tables.ORIGINS: [],
        tables.RECORDS: [
            {"campaign": "second-look", "kind": kind, "number": number, "content": {}}
            for kind in ("pools", "judgments")
            for number in (1, 2)
        ],
    }


def chain(*said: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for number, what in enumerate(said, start=1):
        entry = {
            "number": number,
            "at": f"2026-01-0{number}T00:00:00+00:00",
            "who": "user 1",
            "what": what,
            "details": {"é": [1, 0.5, None]},
            "previous": entries[-1]["digest"] if entries else "",
        }
        entries.append(entry | {"digest": digest_entry(board="small", **entry)})
    return entries


def make_bundle(
    rows: Rows | None = None, files: dict[str, bytes] | None = None, *, key: SigningKey = KEY, **changed: Any
) -> bytes:
    """Signed, whatever it says: what is wrong inside is for the reader to find."""
    rows = make_rows() if rows is None else rows
    return sign(contents_of(rows, files), rows, key=key, **changed)


def contents_of(rows: Rows, files: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """What lies in it, by name."""
    board = {"slug": "small", "title": "Small board", "holder": "R1"}
    contents = {tables.BOARD: write_json(board, indent=1)} | (FILES if files is None else files)
    return contents | {name: b"".join(map(write_json, each)) for name, each in rows.items()}


def sign(contents: dict[str, bytes], rows: Rows, *, key: SigningKey = KEY, **changed: Any) -> bytes:
    audit = rows[tables.AUDIT]
    fields: dict[str, Any] = {
        "board": "small",
        "title": "Small board",
        "made_by": "https://board.example.org",
        "has_hidden_labels": False,
        "has_texts": False,
        "counts": {
            "runs": len(rows[tables.RUNS]),
            "teams": len(rows[tables.TEAMS]),
            "claims": len(rows[tables.CLAIMS]),
            "charges": len(rows[tables.CHARGES]),
            "label_sets": len(rows[tables.LABEL_SETS]),
            "results": len(rows[tables.RESULTS]),
            "audit_entries": len(audit),
            "announcements": len(rows[tables.ANNOUNCEMENTS]),
            "data_files": len(rows[tables.DATA_FILES]),
            "campaigns": len(rows[tables.CAMPAIGNS]),
            "judging_records": len(rows[tables.RECORDS]),
        },
        "audit_head": audit[-1]["digest"] if audit else "",
    }
    facts = BundleFacts(**(fields | changed))
    about = Manifest(kind=BUNDLE, toprung="1.0", made_at="2026-02-01T12:00:00+00:00", facts=facts)
    sources = [
        Source(name=name, size=len(data), open=lambda data=data: io.BytesIO(data))  # type: ignore[misc]
        for name, data in contents.items()
    ]
    with tempfile.TemporaryFile() as file:
        write_archive(file, about, sources, key=key)
        file.seek(0)
        return file.read()


def store(data: bytes, folder: Path, name: str = "small.toprung") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _run(label: str, number: int, team: str | None) -> dict[str, Any]:
    digest = hashlib.sha256(FILES[f"runs/{label}.original"]).hexdigest()
    return {
        "label": label,
        "number": number,
        "team": team,
        "user": "user 1",
        "sent_by": "user 1",
        "state": "done",
        "is_baseline": team is None,
        "digest": f"sha256:{digest}",
    }
