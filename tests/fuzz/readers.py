"""Which readers of files from outside are there, and what do good files of each look like?"""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz import api_bodies
from tests.fuzz.changes import change
from tests.fuzz.run_lines import differences, make_run
from tests.fuzz.start_django import start_django

from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.formats.runs.validate import validate_run
from toprung.data.formats.tables.leaderboard_files import read_leaderboard
from toprung.data.formats.tables.matrix_files import read_ranks, read_scores
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.judgments import Choice, Judgment
from toprung.data.qrels import Qrels
from toprung.errors import ToprungError
from toprung.labels.effort.effort import Effort

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
QRELS = Qrels.from_dict({"q1": {"d1": 1}})
type Seeds = Callable[[], list[bytes]]


class DisagreementError(Exception):
    """Two readers of the same file say different things."""


@dataclass(frozen=True, kw_only=True)
class FuzzedReader:
    """A reader, good files for it, and by which errors it may refuse others."""

    read: Callable[[Path], object]
    seeds: Seeds
    make: Callable[[bytes, random.Random], bytes] = change
    refuses_by: tuple[type[Exception], ...] = field(default=(ToprungError,))
    prepare: Callable[[], None] = lambda: None
    """What a process of its own does before the first file."""


def _run_texts() -> list[bytes]:
    rows = [(f"q{i // 5}", f"d{i}", i % 5 + 1, 9.5 - i) for i in range(20)]
    trec = "".join(f"{query} Q0 {doc} {rank} {score} tag\n" for query, doc, rank, score in rows)
    msmarco = "".join(f"{query}\t{doc}\t{rank}\n" for query, doc, rank, _ in rows)
    import bz2
    import gzip

    import zstandard

    text = trec.encode()
    packed = [gzip.compress(text, mtime=0), bz2.compress(text), zstandard.compress(text)]
    return [text, msmarco.encode(), *packed, (EXAMPLES / "bm25.run").read_bytes()]


def _parquet_files(last: str) -> list[bytes]:
    import polars as pl

    n = 60
    frame = pl.DataFrame(
        {
            "query_id": [f"q{i // 10}" for i in range(n)],
            "doc_id": [f"document-{i * 7919 % 1009}" for i in range(n)],
            last: pl.Series([n - i for i in range(n)], dtype=pl.Int64 if last == "grade" else pl.Float64),
        }
    )
    numbers = frame.with_columns(pl.col("query_id").str.slice(1).cast(pl.Int32), pl.lit("x").alias("tag"))
    ways: list[dict[str, Any]] = [{"compression": "zstd"}, {"compression": "snappy"}, {"compression": "uncompressed"}]
    ways += [{"compression": "lz4"}, {"compression": "gzip", "row_group_size": 17}, {"data_page_size": 100}]
    return [_written(table, **options) for table in (frame, numbers) for options in ways]


def _written(frame: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file, **options)
    return file.getvalue()


def _qrels_texts() -> list[bytes]:
    trec = "".join(f"q{i // 4} 0 d{i} {i % 3}\n" for i in range(16))
    beir = "query-id\tcorpus-id\tscore\n" + "".join(f"q{i // 4}\td{i}\t{i % 3}\n" for i in range(16))
    return [trec.encode(), trec.replace(" 0 d", " d").encode(), beir.encode()]


def _judgment_texts() -> list[bytes]:
    row = {"query_id": "q1", "left": "a", "right": "b", "winner": "a"}
    rows = [row | {"right": f"d{i}", "assessor": "x"} for i in range(5)]
    tables = [
        "left,right,winner\na,b,a\nb,c,b\n",
        "worker,left,right,label\nw,a,b,a\n",
        "model_a,model_b,winner\na,b,model_a\n",
    ]
    mturk = [
        "WorkerId,Input.query_id,Input.left,Input.right,Answer.choice.left,Answer.choice.right\nW1,q,a,b,false,true\n",
        "WorkerId,AssignmentStatus,Input.query_id_1,Input.left_id_1,Input.right_id_1,Input.is_gold_1,Answer.choice_1\n"
        'W1,Approved,q1,a,b,true,left\nW2,Rejected,q1,"a, b",b,false,right\n',
    ]
    chosen = {"completed_by": {"id": 3}, "lead_time": 2.5, "result": [{"value": {"selected": "left"}}]}
    studio = [{"id": 1, "data": {"query": "q", "left": "a", "right": "b"}, "annotations": [chosen, {"result": []}]}]
    lines = ["q1 a b a\nq1 b c c\n", "q1\twhere\tB\tqrel\td1\ttext\td2\ttext\nq1\twhere\tB\tother\td1\ta\td3\tb\n"]
    texts = ["".join(json.dumps(each) + "\n" for each in rows), *lines, *tables, *mturk, json.dumps(studio)]
    return [text.encode() for text in texts]


def _read_kept_judgments(path: Path) -> None:
    """As an effort keeps them, in a folder of its own."""
    path.replace(path.with_name("judgments.jsonl"))
    Effort(path.parent).read_judgments()


def _kept_judgments() -> list[bytes]:
    rows = [
        Judgment(
            judgment_id=f"j{number}",
            query_id="q1",
            left="d0",
            right=f"d{number}",
            choice=choice,
            assessor="" if number == 1 else "x",
            slot=number,
            ms=None if number == 2 else 1200,
            is_gold=number == 3,
            supersedes="j1" if number == 4 else None,
        )
        for number, choice in enumerate(Choice, start=1)
    ]
    return ["".join(json.dumps(each.to_record(), ensure_ascii=False) + "\n" for each in rows).encode()]


def _metadata_texts() -> list[bytes]:
    header = "run,team,date,tags,cost,seed,system,is_baseline,embargo_until"
    table = f"{header}\na,x,2020-08-11,p;q,1.5,1,s,no,2021-01-01\nb,,,,,,,yes,\n"
    listed = [{"run": "a", "team": "x", "date": "2020-08-11", "tags": ["p"], "cost": 1.5}, {"run": "b"}]
    return [table.encode(), json.dumps(listed).encode()]


def _examples(*names: str) -> Seeds:
    return lambda: [(EXAMPLES / name).read_bytes() for name in names]


def _read_run(path: Path) -> None:
    with contextlib.suppress(ToprungError):
        validate_run(path)
    with contextlib.suppress(ToprungError):
        place_file(path, QRELS)
    read_run(path)


def _read_matrix(path: Path) -> None:
    with contextlib.suppress(ToprungError):
        read_ranks(path)
    read_scores(path)


def _read_board(path: Path) -> None:
    start_django()
    from toprung.web.services.boards.toml import to_board
    from toprung.web.services.boards.toml_reading import parse_toml

    to_board(parse_toml(path.read_bytes()), find_file=lambda _: path)


def _verify_bundle(path: Path) -> None:
    from toprung.boards.archive.verifying import verify_bundle

    verify_bundle(path)


def _bundles() -> list[bytes]:
    from tests.boards.archive.small_bundle import make_bundle

    return [make_bundle()]


def _make_bundle(data: bytes, rng: random.Random) -> bytes:
    """A changed file, or one that holds a changed part and is signed anew: whoever sends a bundle may sign it."""
    from tests.boards.archive.small_bundle import contents_of, make_rows, sign

    if rng.random() < 0.3:
        return change(data, rng)
    rows = make_rows()
    contents = contents_of(rows)
    name = rng.choice([name for name in contents if contents[name]])
    contents[name] = change(contents[name], rng)
    return sign(contents, rows)


def _compare(path: Path) -> None:
    found = differences(path)
    if found:
        raise DisagreementError("; ".join(found))


READERS = {
    "run-lines": FuzzedReader(read=_compare, seeds=lambda: [b""], make=lambda _, rng: make_run(rng)),
    "run": FuzzedReader(read=_read_run, seeds=_run_texts),
    "run-parquet": FuzzedReader(read=_read_run, seeds=lambda: _parquet_files("score")),
    "qrels": FuzzedReader(read=read_qrels, seeds=_qrels_texts),
    "qrels-parquet": FuzzedReader(read=read_qrels, seeds=lambda: _parquet_files("grade")),
    "judgments": FuzzedReader(read=read_judgments, seeds=_judgment_texts),
    "kept-judgments": FuzzedReader(read=_read_kept_judgments, seeds=_kept_judgments),
    "metadata": FuzzedReader(read=read_metadata, seeds=_metadata_texts),
    "leaderboard": FuzzedReader(read=read_leaderboard, seeds=_examples("leaderboard.csv")),
    "matrix": FuzzedReader(read=_read_matrix, seeds=_examples("submitted-ranks.csv", "season-ranks.csv")),
    "board-toml": FuzzedReader(read=_read_board, seeds=_examples("board.toml")),
    "bundle": FuzzedReader(read=_verify_bundle, seeds=_bundles, make=_make_bundle),
    "api-bodies": FuzzedReader(
        read=api_bodies.send,
        seeds=api_bodies.seeds,
        make=api_bodies.make,
        refuses_by=(api_bodies.RefusedError,),
        prepare=api_bodies.make_tables,
    ),
}
