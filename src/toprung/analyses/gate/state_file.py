"""Where is the state of a gate kept? In a JSON file that is replaced whole, and never where it cannot be understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toprung.analyses.gate.state import GateRequest, GateState
from toprung.data.formats.content import refuse_stream
from toprung.data.formats.whole_files import check_folder, replace_file
from toprung.errors import FormatError
from toprung.stats.inputs import check_share
from toprung.stats.sequences.online import read_gamma, spell_gamma

VERSION = 1
KEYS = {"toprung_gate", "measure", "labels", "alpha", "gamma", "requests"}
FOR_ALL = 0o644


def read_gate_state(path: str | Path) -> GateState | None:
    """What the file keeps; None where there is none yet."""
    place = Path(path)
    check_folder(place)
    refuse_stream(place)
    try:
        held = json.loads(place.read_text(encoding="utf-8"))
        return _to_state(held)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise FormatError(
            source=str(place),
            found="a file that is damaged, or of something else",
            expected="a state that `toprung gate` wrote",
            advice="Nothing was changed; bring back a copy, or name another file to begin anew.",
        ) from None


def write_gate_state(path: str | Path, state: GateState) -> None:
    """Keep the state: the file is replaced whole or not at all."""
    held = {
        "toprung_gate": VERSION,
        "measure": state.measure,
        "labels": state.labels,
        "alpha": state.alpha,
        "gamma": spell_gamma(state.gamma),
        "requests": [{"differences": each.differences, "p": each.p} for each in state.requests],
    }
    replace_file(Path(path), json.dumps(held, indent=1, ensure_ascii=False) + "\n", mode=FOR_ALL)


def _to_state(held: Any) -> GateState:
    if not isinstance(held, dict) or set(held) != KEYS or held["toprung_gate"] != VERSION:
        raise ValueError
    if not isinstance(held["requests"], list):
        raise TypeError
    check_share(_number(held["alpha"]), name="alpha")
    return GateState(
        measure=_text(held["measure"]),
        labels=_text(held["labels"]),
        alpha=held["alpha"],
        gamma=read_gamma(_text(held["gamma"])),
        requests=tuple(map(_to_request, held["requests"])),
    )


def _to_request(held: Any) -> GateRequest:
    p = _number(held["p"])
    if set(held) != {"differences", "p"} or not 0 <= p <= 1:
        raise ValueError
    return GateRequest(differences=_text(held["differences"]), p=p)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)
