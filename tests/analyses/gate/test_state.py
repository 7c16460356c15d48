from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import zeta

from toprung.analyses.gate.decide import GateOutcome, decide_gate
from toprung.analyses.gate.state import GateState
from toprung.analyses.gate.state_file import read_gate_state, write_gate_state
from toprung.errors import InputError

EMPTY = GateState(measure="RR@10", labels="sha256:1")
LOSS, GAIN = np.full(40, -0.1), np.array([0.5, 0.0, 0.0])


def noise(number: int) -> np.ndarray:
    return np.array([-0.5, 0.25, 0.0, -number / 1_000])


def level_of(t: int) -> float:
    """0.05 (t + 10)^−1.5, divided by the sum over all t from 1, which is ζ(1.5, 11)."""
    return 0.05 * (t + 10) ** -1.5 / float(zeta(1.5, 11))


def test_levels_are_those_of_the_sequence_and_only_changes_below_the_baseline_are_charged() -> None:
    state = EMPTY
    for t in range(1, 6):
        level, state = state.take(noise(t))
        assert level == pytest.approx(level_of(t), rel=1e-4)
        assert state.take(GAIN)[1] is state
    assert len(state.requests) == 5


def test_the_same_change_is_held_to_its_level_again_and_not_charged_twice() -> None:
    level, state = EMPTY.take(noise(1))
    _, state = state.take(noise(2))
    again, after = state.take(noise(1))
    assert (again, after) == (level, state)


def test_a_loss_that_was_shown_hands_its_level_on() -> None:
    """α₂ + α₁, as online fallback has it."""
    level, state = EMPTY.take(LOSS)
    assert decide_gate(LOSS, level=level).outcome is GateOutcome.LOSS
    assert state.take(noise(1))[0] == pytest.approx(level_of(1) + level_of(2), rel=1e-4)


def test_a_state_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    assert read_gate_state(path) is None
    _, state = EMPTY.take(noise(1))
    write_gate_state(path, state)
    assert read_gate_state(path) == state
    assert [each.name for each in tmp_path.iterdir()] == ["gate.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '"text"',
        '{"toprung_gate": 2, "measure": "RR", "labels": "x", "alpha": 0.05, "gamma": "steady:10", "requests": []}',
        '{"toprung_gate": 1, "measure": 3, "labels": "x", "alpha": 0.05, "gamma": "steady:10", "requests": []}',
        '{"toprung_gate": 1, "measure": "RR", "labels": "x", "alpha": 2, "gamma": "steady:10", "requests": []}',
        '{"toprung_gate": 1, "measure": "RR", "labels": "x", "alpha": 0.05, "gamma": "steep", "requests": []}',
        '{"toprung_gate": 1, "measure": "RR", "labels": "x", "alpha": 0.05, "gamma": "steady:10", "requests": [1]}',
        '{"toprung_gate": 1, "measure": "RR", "labels": "x", "alpha": 0.05, "gamma": "steady:10", '
        '"requests": [{"differences": "x", "p": NaN}]}',
        '{"toprung_gate": 1, "measure": "RR", "labels": "x", "alpha": 0.05, "gamma": "steady:10", '
        f'"requests": [{{"differences": "x", "p": {"9" * 400}}}]}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gate.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"expected a state that `toprung gate` wrote\. Nothing was changed"):
        read_gate_state(path)
    assert path.read_text() == text


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="expected a state"):
        read_gate_state(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"found no folder .*missing; make it"):
        read_gate_state(tmp_path / "missing" / "gate.json")


def test_where_writing_fails_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "gate.json"
    write_gate_state(path, EMPTY)

    def fail(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("toprung.data.formats.whole_files.os.replace", fail)
    with pytest.raises(OSError, match="no room"):
        write_gate_state(path, EMPTY.take(LOSS)[1])
    assert json.loads(path.read_text())["requests"] == []
    assert [each.name for each in tmp_path.iterdir()] == ["gate.json"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"measure": "AP"}, "found measure AP; expected RR@10"),
        ({"labels": "sha256:2"}, "found labels sha256:2; expected sha256:1"),
        ({"alpha": 0.1}, "found alpha 0.1; expected 0.05"),
    ],
)
def test_what_is_of_another_sequence_is_refused(asked: dict[str, Any], found: str) -> None:
    own: dict[str, Any] = {"measure": "RR@10", "labels": "sha256:1", "alpha": 0.05}
    with pytest.raises(InputError, match=found):
        EMPTY.check(**(own | asked))
