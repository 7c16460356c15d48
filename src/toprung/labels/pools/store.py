"""Where are the pools kept? In the state, as records; of several of one query the newest counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toprung.data.judgments import say_value
from toprung.data.utf8 import is_text
from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore
from toprung.labels.pools.pool import Pool

POOLS = "pools"


def read_pools(store: RecordStore) -> list[Pool]:
    """The pool of each query as it is now, in the order of their ids; none if nothing was pooled."""
    newest: dict[str, Pool] = {}
    for number, record in enumerate(store.read(POOLS), start=1):
        try:
            _check(record)
            pool = Pool.from_record(record)
        except InputError as error:
            source = store.name_of(POOLS)
            raise FormatError(source=source, line=number, found=str(error), expected="a pool") from None
        newest[pool.query_id] = pool
    return [newest[query_id] for query_id in sorted(newest)]


def _check(record: Mapping[str, Any]) -> None:
    """Refuse values that a pool cannot hold: the file may have been edited by hand."""
    items, sources, same_text = record.get("items"), record.get("sources", {}), record.get("same_text", {})
    is_right = {
        "query_id": is_text(record.get("query_id")),
        "items": _are_texts(items) and bool(items),
        "sources": isinstance(sources, dict) and all(map(_are_texts, sources.values())),
        "label": record.get("label") is None or is_text(record["label"]),
        "same_text": isinstance(same_text, dict) and _are_texts(list(same_text.values())),
    }
    for name, is_fine in is_right.items():
        if not is_fine:
            raise InputError(f"{name} {say_value(record.get(name))}")
    known = {*record["items"], *same_text}
    stray = [each for each in (*same_text.values(), *sources) if each not in known]
    if stray:
        raise InputError(f"{say_value(stray[0])}, which is not among the items")


def _are_texts(values: Any) -> bool:
    """Whether it is a list of texts; nearly all are in ASCII, which is said of all at once."""
    try:
        return isinstance(values, list) and ("".join(values).isascii() or all(map(is_text, values)))
    except TypeError:
        return False


def add_pools(store: RecordStore, pools: Sequence[Pool]) -> int:
    """Write the pools that are new or have changed; returns how many those are."""
    with store.alone():
        known = {pool.query_id: pool for pool in read_pools(store)}
        changed = [pool for pool in pools if known.get(pool.query_id) != pool]
        if changed:
            store.append(POOLS, (pool.to_record() for pool in changed))
    return len(changed)


def start_pools(effort: Effort, pools: Sequence[Pool], inputs: Mapping[str, Any]) -> int:
    """Write the pools of an effort that has none yet, or exactly these; returns how many were written.

    ``inputs`` says what they were built from; it goes into the manifest.
    """
    with effort.alone():
        known = read_pools(effort)
        if known and known != sorted(pools, key=lambda pool: pool.query_id):
            raise InputError(
                f"{effort.folder}: found other pools, of {len(known):,} queries; expected none, or the same. "
                "Start a new state, or let new runs challenge the best answers (`toprung labels challenge`)."
            )
        written = add_pools(effort, pools)
        effort.note(inputs)
    return written
