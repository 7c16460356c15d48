"""What does a ``board.toml`` say? The same settings as the form, under the same keys, and where the labels lie."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from datetime import UTC, date, datetime, time
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings

from toprung.data.formats.content import refuse_stream
from toprung.errors import InputError
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError, SettingFault, find_faults, spell_measure
from toprung.web.services.boards.defaults import complete, find_mail_faults
from toprung.web.services.boards.toml_reading import SECONDS, receive_toml, send_toml
from toprung.web.services.labels.read import LabelPlan

FILE_NAME = "board.toml"
LARGEST_FILE = 1 << 20
LABELS = "labels"
FORMAT, FORMAT_VERSION = "format", 1
"""A file that does not say its version is of the first; whatever later ones read, they read these as before."""
LABEL_KEYS = ("use", "file", "name", "is_hidden")
NEEDED = {"slug": "a", "title": "A", "task": "A"}
"""Stands in for what is missing, so that the rest can be looked at."""
CLOSE_ENOUGH = 2
"""Of keys that may be meant."""

type FindFile = Callable[[str], Path | None]
"""Where the file of this name lies; None where there is none."""


@dataclass(frozen=True, kw_only=True)
class BoardFile:
    """What a file says: the settings, and the sets of labels."""

    plan: BoardPlan
    labels: tuple[LabelPlan, ...]


def read_board_file(path: Path) -> BoardFile:
    """From a file on this machine; the paths of labels are relative to it."""
    refuse_stream(path)
    if not path.is_file():
        raise BoardRefusedError([SettingFault(key=str(path), says=f"found no such file; expected a {FILE_NAME}.")])
    if path.stat().st_size > LARGEST_FILE:
        raise _too_large(path.stat().st_size)
    return read_board(path.read_bytes(), find_file=lambda name: _existing(path.parent / name))


def read_board(content: bytes, *, find_file: FindFile) -> BoardFile:
    """From the bytes of a file; a BoardRefusedError has every fault that can be seen before labels are read."""
    if len(content) > LARGEST_FILE:
        raise _too_large(len(content))
    return to_board(_parse_apart(content), find_file=find_file)


def to_board(said: Mapping[str, Any], *, find_file: FindFile) -> BoardFile:
    """From what was parsed."""
    if said.get(FORMAT, FORMAT_VERSION) != FORMAT_VERSION:
        later = f"version {FORMAT_VERSION} of this file, or nothing. Install the version of Toprung that wrote it"
        raise BoardRefusedError([_fault(FORMAT, said[FORMAT], later)])
    known = [*(field.name for field in fields(BoardPlan)), LABELS, FORMAT]
    faults = [_unknown(key, known) for key in said if key not in known]
    values: dict[str, Any] = {}
    for field in fields(BoardPlan):
        if field.name in said:
            value = _read_value(field.name, said[field.name])
            if isinstance(value, SettingFault):
                faults.append(value)
            else:
                values[field.name] = value
        elif field.default is MISSING:
            faults.append(SettingFault(key=field.name, says="found nothing; expected some words."))
    labels, label_faults = _read_labels(said.get(LABELS), find_file)
    faults += label_faults
    if faults:
        raise BoardRefusedError([*faults, *_other_faults(values)])
    return BoardFile(plan=BoardPlan(**values), labels=tuple(labels))


def _other_faults(values: Mapping[str, Any]) -> list[SettingFault]:
    """What else is wrong with the settings that could be read: nobody should mend one to be told of the next."""
    plan = complete(BoardPlan(**(NEEDED | dict(values))), ()).plan
    return [fault for fault in (*find_faults(plan), *find_mail_faults(plan)) if fault.key in values]


def uploaded_files(files: Mapping[str, Path]) -> FindFile:
    """For a browser, which sends names without folders: ``labels/official.txt`` is looked up as ``official.txt``."""
    return lambda name: files.get(PurePosixPath(name).name)


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None


def _too_large(size: int) -> BoardRefusedError:
    return BoardRefusedError(
        [SettingFault(key=FILE_NAME, says=f"found {size:,} bytes; expected {LARGEST_FILE:,} at most.")]
    )


def _parse_apart(content: bytes) -> dict[str, Any]:
    """By a child process: a file of a megabyte can keep the parser busy for minutes."""
    limits = replace(settings.ENVIRONMENT.child_limits, cpu_seconds=SECONDS)
    try:
        sent = run_apart(send_toml, content, limits=limits)
        return {key: receive_toml(value) for key, value in sent.items()}
    except ChildEndedError as died:
        says = f"found a file that could not be read to its end ({died}); expected keys and values, see the docs."
    except InputError as error:
        says = str(error)
    raise BoardRefusedError([SettingFault(key=FILE_NAME, says=says)])


def _unknown(key: str, known: list[str]) -> SettingFault:
    close = difflib.get_close_matches(key, known, n=CLOSE_ENOUGH)
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    return SettingFault(key=key, says=f"found a key that is not known; expected some of {', '.join(known)}.{meant}")


def _read_value(key: str, value: Any) -> Any:
    """The value as the plan has it, or the fault."""
    read, expected = READERS.get(key, (_to_text, "text in quotes"))
    found = read(value)
    return _fault(key, value, expected) if found is None else found


def _to_claim(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _to_whole_number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _to_number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _to_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _to_measure(value: Any) -> str | None:
    return spell_measure(value) if isinstance(value, str) else None


def _to_measures(value: Any) -> tuple[str, ...] | None:
    are_names = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return tuple(map(spell_measure, value)) if are_names else None


def _to_moment(value: Any) -> datetime | None:
    """In UTC, unless it says otherwise; a day alone begins at midnight."""
    if isinstance(value, datetime):
        try:
            return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        except OverflowError:
            return None
    return datetime.combine(value, time(), UTC) if isinstance(value, date) else None


A_WHOLE_NUMBER, A_CLAIM = (_to_whole_number, "a whole number"), (_to_claim, "true or false")
A_MARGIN = (_to_number, "a number such as 0.02")
A_MOMENT = (_to_moment, "a day or a time without quotes, such as 2026-12-01 or 2026-12-01T12:00:00Z")
READERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "is_public": A_CLAIM,
    "opens_at": A_MOMENT,
    "closes_at": A_MOMENT,
    "official_measure": (_to_measure, "text in quotes"),
    "cutoff": A_WHOLE_NUMBER,
    "other_measures": (_to_measures, 'a list such as ["nDCG@10"]'),
    "depth": A_WHOLE_NUMBER,
    "alpha": (_to_number, "a number such as 0.05"),
    "answered_margin": A_MARGIN,
    "ranking_margin": A_MARGIN,
    "quota": A_WHOLE_NUMBER,
    "quota_days": A_WHOLE_NUMBER,
    "board_quota": A_WHOLE_NUMBER,
    "refuses_near_duplicates": A_CLAIM,
    "embargo_months": A_WHOLE_NUMBER,
    "seed": A_WHOLE_NUMBER,
}
"""How each value is read, None where it cannot be, and what is expected; others are text."""


def _read_labels(value: Any, find_file: FindFile) -> tuple[list[LabelPlan], list[SettingFault]]:
    if value is None:
        return [], [SettingFault(key=LABELS, says="found no [[labels]]; expected at least the official ones.")]
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return [], [_fault(LABELS, value, "tables, each under its own [[labels]]")]
    plans: list[LabelPlan] = []
    faults: list[SettingFault] = []
    for number, each in enumerate(value, start=1):
        found = list(_label_faults(f"{LABELS} {number}", each, find_file))
        faults += found
        if not found:
            plans.append(_to_label_plan(f"{LABELS} {number}", each, find_file))
    return plans, faults


def _label_faults(key: str, said: dict[str, Any], find_file: FindFile) -> Iterator[SettingFault]:
    for name in said:
        if name not in LABEL_KEYS:
            yield _unknown(f"{key}, {name}", list(LABEL_KEYS))
    for name in ("use", "file"):
        if name not in said:
            yield SettingFault(key=f"{key}, {name}", says="found nothing; expected one for each set of labels.")
    for name in ("use", "file", "name"):
        if not isinstance(said.get(name, ""), str):
            yield _fault(f"{key}, {name}", said[name], "text in quotes")
    if not isinstance(said.get("is_hidden", True), bool):
        yield _fault(f"{key}, is_hidden", said["is_hidden"], "true or false")
    use, file = said.get("use"), said.get("file")
    if isinstance(use, str) and use not in LabelUse.values:
        yield _fault(f"{key}, use", use, f"one of {', '.join(LabelUse.values)}")
    if isinstance(file, str) and ("\0" in file or find_file(file) is None):
        yield SettingFault(key=f"{key}, file", says=f"found no file '{file}'; expected it beside {FILE_NAME}.")


def _to_label_plan(key: str, said: dict[str, Any], find_file: FindFile) -> LabelPlan:
    path = find_file(said["file"])
    assert path is not None  # noqa: S101 - for the type checker: it was looked for before
    return LabelPlan(
        key=key,
        use=said["use"],
        path=path,
        file_name=PurePosixPath(said["file"]).name,
        name=said.get("name", ""),
        is_hidden=said.get("is_hidden", said["use"] != LabelUse.DEV),
    )


def _fault(key: str, value: Any, expected: str) -> SettingFault:
    shown = f"'{value}'" if isinstance(value, str) else str(value)
    return SettingFault(key=key, says=f"found {shown[:80]}; expected {expected}.")
