"""Judgments made elsewhere get in once."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from toprung.data.formats.judgment_files import read_judgments
from toprung.labels.importing import ImportReport, import_judgments
from toprung.labels.pool import Pool
from toprung.labels.pool_store import add_pools
from toprung.labels.state import State
from toprung.report.render import OutputFormat, render


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State.open_or_create(tmp_path / "effort")


def add(state: State, text: str) -> ImportReport:
    path = state.folder.parent / "judgments.txt"
    path.write_text(text)
    return import_judgments(state, read_judgments(path))


def test_a_file_is_added(state: State) -> None:
    found = add(state, "t a b a\nt b c b\n")
    assert found.sentence.startswith("2 judgments added from ")
    assert found.sentence.endswith("judgments.txt (waterloo).")
    assert [each.winner for each in state.read_judgments().rows] == ["a", "b"]
    [noted] = state.manifest["imports"].values()
    assert (noted["format"], noted["judgments"]) == ("waterloo", 2)


def test_the_same_file_again_adds_nothing_and_says_so(state: State) -> None:
    add(state, "t a b a\nt b c b\n")
    again = add(state, "t a b a\nt b c b\n")
    assert again.n_added == 0
    assert again.sentence.endswith("judgments.txt adds nothing: its 2 judgments are all there already.")
    assert len(state.read_judgments()) == 2


def test_judgments_with_ids_of_their_own_are_added_once(state: State) -> None:
    line = '{"judgment_id": "j1", "query_id": "q", "left": "a", "right": "b", "choice": "left"}\n'
    add(state, line)
    found = add(state, line + line.replace("j1", "j2"))
    assert (found.n_added, found.n_known) == (1, 1)
    assert found.sentence.endswith("; 1 were there already.")


@pytest.mark.parametrize("grown", ["t a b a\nt b c b\n", "t b c b\r\nt a b a\r\n"])
def test_of_a_file_that_grew_only_what_is_new_is_added(state: State, grown: str) -> None:
    add(state, "t a b a\n")
    found = add(state, grown)
    assert (found.n_added, found.n_known) == (1, 1)
    assert any(note.startswith("There already: 1 judgment without an assessor. If others made") for note in found.notes)
    assert len(state.read_judgments()) == 2


def test_more_repeats_without_an_assessor_are_more_votes(state: State) -> None:
    add(state, "t a b a\n")
    assert add(state, "t a b a\nt a b a\nt a b a\n").n_added == 2


def test_a_second_vote_of_an_assessor_in_another_file_is_left_out_and_counted(state: State) -> None:
    add(state, "worker,left,right,label\nw,a,b,a\n")
    found = add(state, "worker,left,right,label\nw,b,a,b\nv,a,b,b\n")
    assert (found.n_added, found.n_known, found.n_voted_before) == (1, 0, 1)
    assert found.sentence.endswith("; 1 left out as second votes.")
    assert found.figures["second votes left out"] == 1
    assert any(note.startswith("Left out: 1 vote on a pair that the same assessor had judged") for note in found.notes)
    assert [each.assessor for each in state.read_judgments().rows] == ["w", "v"]


def test_a_judgment_that_takes_back_another_is_no_second_vote(state: State) -> None:
    line = '{"judgment_id": "j1", "query_id": "q", "left": "a", "right": "b", "choice": "left", "assessor": "w"}\n'
    add(state, line)
    undone = line.replace("j1", "j2").replace("}", ', "supersedes": "j1"}')
    assert add(state, undone).n_added == 1
    assert [each.judgment_id for each in state.read_judgments().current] == ["j2"]


def test_votes_outside_the_pools_are_counted(state: State) -> None:
    assert "outside the pools" not in add(state, "t a b a\n").figures
    add_pools(state, [Pool(query_id="t", items=("a", "b"), same_text={"z": "a"})])
    found = add(state, "t a b b\nt z b z\nt a x a\nu a b a\n")
    assert found.figures["outside the pools"] == 2
    assert "Outside the pools: 2 votes on answers that are not both in the pool of their query." in found.notes


IMPORTER = """
import sys
from toprung.data.formats.judgment_files import read_judgments
from toprung.labels.importing import import_judgments
from toprung.labels.state import State
state, file = State.open(sys.argv[1]), read_judgments(sys.argv[2])
print("ready", flush=True)
import_judgments(state, file)
"""


def test_a_file_imported_by_two_processes_at_once_is_imported_once(state: State, tmp_path: Path) -> None:
    path = tmp_path / "votes"
    path.write_text("t a b a\nt b c b\n")
    command = [sys.executable, "-c", IMPORTER, str(state.folder), str(path)]
    with state.alone():
        other = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        time.sleep(0.3)  # without the lock it would by now have seen that nothing is there
        import_judgments(state, read_judgments(path))
    other.communicate(timeout=60)
    assert other.returncode == 0
    assert len(state.read("judgments")) == 2


def test_what_was_left_out_is_told_with_its_lines(state: State) -> None:
    found = add(state, "worker,left,right,label,mood\nw,a,b,a,x\nw,a,b,b,x\nw,b,a,a,x\n")
    assert found.notes[:2] == (
        "Column unknown (1): line 1: column 'mood'. It is not read.",
        "Vote given twice (2): line 3: the same pair judged again by 'w', first on line 2; line 4: the same pair "
        "judged again by 'w', first on line 2. The first counts, the others are left out.",
    )
    assert found.to_dict()["warnings"] == {"column unknown": 1, "vote given twice": 2}


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(state: State, output_format: OutputFormat) -> None:
    assert render(add(state, "t a b a\n"), output_format)
