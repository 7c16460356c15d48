"""What was given as labels and runs? Files, objects, frames and dicts become what scoring works on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import replace
from functools import partial
from typing import Any

from toprung.data.foreign import is_hits, name_given, to_plain
from toprung.data.formats.content import DEFAULT_LIMITS, Limits, digest_of, is_file, read_content
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import is_irds, names_for, place_file, read_run
from toprung.data.formats.runs.recognise import RunFormat, first_line_of, recognise_run
from toprung.data.formats.whole_files import note_input
from toprung.data.frames import is_frame
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.records import record

RunSource = Run | str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | Any
"""A run, a file, a dict of dicts, a frame, or a `NamedRun` that is made of one."""


@record(kw_only=True)
class Reading:
    """How run files are to be read."""

    format: str | None = None
    float32_ties: bool = False
    limits: Limits = DEFAULT_LIMITS
    threads: int = 1
    """For each file."""


@record
class NamedRun:
    """A run to be scored: its name, and how to get at it."""

    name: str
    place: Callable[[Qrels], Placement]
    load: Callable[[], Run]
    path: str | None = None

    @property
    def digest(self) -> str | None:
        """SHA-256 of its file."""
        return digest_of(self.path) if self.path is not None and is_file(self.path) else None


def to_qrels(
    labels: Qrels | str | os.PathLike[str] | Mapping[str, Mapping[str, int]] | Any, limits: Limits = DEFAULT_LIMITS
) -> Qrels:
    """Labels from whatever was given."""
    labels = to_plain(labels)
    if isinstance(labels, Qrels):
        return labels
    if isinstance(labels, str | os.PathLike):
        return read_qrels(labels, limits=limits)
    if isinstance(labels, Mapping):
        return Qrels.from_dict(labels)
    if is_frame(labels):
        return Qrels.from_frame(labels)
    raise InputError(f"Found labels of type {type(labels).__name__}; expected a file, Qrels, a dict or a frame.")


def count_runs(runs: Any) -> int:
    """How many runs were given; 0 where that shows only when they are taken."""
    return 1 if _is_one_run(runs) else len(runs) if isinstance(runs, Sized) else 0


def to_named_runs(runs: Any, reading: Reading, *, name_from: str = "file") -> list[NamedRun]:
    """Runs from whatever was given: one, several, or a mapping of names to runs."""
    if isinstance(runs, Mapping) and runs and not _is_dict_run(runs) and not is_hits(runs):
        _refuse_same_names([str(name) for name in runs])
        return [_to_named_run(run, str(name), reading) for name, run in runs.items()]
    sources = [runs] if _is_one_run(runs) else list(runs)
    if not sources or (isinstance(runs, Mapping) and not runs):
        raise InputError("Found no run; expected at least one.")
    paths = [os.fspath(source) for source in sources if isinstance(source, str | os.PathLike)]
    file_names = iter([_tag_of(path, reading) for path in paths] if name_from == "tag" else names_for(paths))
    named = [
        _to_named_run(source, _name_of(source, number, file_names), reading)
        for number, source in enumerate(sources, start=1)
    ]
    _refuse_same_names([run.name for run in named])
    return named


def _is_dict_run(runs: Mapping[Any, Any]) -> bool:
    """Whether this is ``{query_id: {doc_id: score}}`` and not ``{name: run}``."""
    first = next(iter(runs.values()), None)
    return (
        isinstance(first, Mapping) and not is_hits(first) and not isinstance(next(iter(first.values()), None), Mapping)
    )


def _is_one_run(runs: Any) -> bool:
    return (
        isinstance(runs, Run | NamedRun | str | os.PathLike | Mapping)
        or is_frame(to_plain(runs))
        or name_given(runs) is not None
        or not isinstance(runs, Iterable)
    )


def _name_of(source: RunSource, number: int, file_names: Iterable[str]) -> str:
    if isinstance(source, str | os.PathLike):
        return next(iter(file_names))
    return source.name if isinstance(source, Run | NamedRun) else name_given(source) or f"run{number}"


def _to_named_run(source: RunSource, name: str, reading: Reading) -> NamedRun:
    if isinstance(source, NamedRun):
        return replace(source, name=name)
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        note_input(path)  # here too: it may be read by another process
        read = partial(read_run, path, name=name, format=reading.format, limits=reading.limits)
        place = partial(
            place_file,
            path,
            name=name,
            format=reading.format,
            float32_ties=reading.float32_ties,
            limits=reading.limits,
            threads=reading.threads,
        )
        return NamedRun(name, place=place, load=read, path=path)
    source = to_plain(source)
    if not isinstance(source, Run | Mapping) and not is_frame(source):
        raise InputError(f"Found a run of type {type(source).__name__}; expected a file, a Run, a dict or a frame.")
    place = partial(_place, source, name=name, float32_ties=reading.float32_ties)
    return NamedRun(name, place=place, load=partial(_to_run, source, name))


def _place(source: Any, qrels: Qrels, *, name: str, float32_ties: bool) -> Placement:
    from toprung.data.formats.runs.place_table import place_dict, place_frame, place_held

    if isinstance(source, Run):
        return place_held(source, qrels, float32_ties=float32_ties)
    place = place_dict if isinstance(source, Mapping) else place_frame
    return place(source, qrels, name=name, float32_ties=float32_ties)


def _to_run(source: Any, name: str) -> Run:
    if isinstance(source, Run):
        return source
    return Run.from_dict(source, name=name) if isinstance(source, Mapping) else Run.from_frame(source, name=name)


def _tag_of(path: str, reading: Reading) -> str:
    """The tag of a TREC run's first line."""
    if is_irds(path) or not is_file(path):
        raise InputError(f"{path}: found no file; names from the tag need TREC files that can be read twice.")
    content = read_content(path, reading.limits)
    if (reading.format or recognise_run(content, path)) != RunFormat.TREC:
        raise InputError(f"{path}: found no tag column; names from the tag need a TREC run.")
    return first_line_of(content).split()[-1].decode("utf-8", errors="replace")


def _refuse_same_names(names: list[str]) -> None:
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f"Found two runs called '{repeated}'; expected a name of its own for each.")
