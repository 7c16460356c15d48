"""Judgments made elsewhere get in once."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from toprung.data.formats.judgments.files import read_judgments
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.labels.votes.importing import ImportReport, import_judgments
from toprung.report.render import OutputFormat, render


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "effort")


def add(effort: Effort, text: str) -> ImportReport:
    path = effort.folder.parent / "judgments.txt"
    path.write_text(text)
    return import_judgments(effort, read_judgments(path))


def test_a_file_is_added(effort: Effort) -> None:
    found = add(effort, "t a b a\nt b c b\n")
    assert found.sentence.startswith("2 judgments added from ")
    assert found.sentence.endswith("judgments.txt (waterloo).")
    assert [each.winner for each in effort.read_judgments().rows] == ["a", "b"]
    [noted] = effort.manifest["imports"].values()
    assert (noted["format"], noted["judgments"]) == ("waterloo", 2)


def test_the_same_file_again_adds_nothing_and_says_so(effort: Effort) -> None:
    add(effort, "t a b a\nt b c b\n")
    again = add(effort, "t a b a\nt b c b\n")
    assert again.n_added == 0
    assert again.sentence.endswith("judgments.txt adds nothing: its 2 judgments are all there already.")
    assert len(effort.read_judgments()) == 2


def test_judgments_with_ids_of_their_own_are_added_once(effort: Effort) -> None:
    line = '{"judgment_id": "j1", "query_id": "q", "left": "a", "right": "b", "choice": "left"}\n'
    add(effort, line)
    found = add(effort, line + line.replace("j1", "j2"))
    assert (found.n_added, found.n_known) == (1, 1)
    assert found.sentence.endswith("; 1 were there already.")


@pytest.mark.parametrize("grown", ["t a b a\nt b c b\n", "t b c b\r\nt a b a\r\n"])
def test_of_a_file_that_grew_only_what_is_new_is_added(effort: Effort, grown: str) -> None:
    add(effort, "t a b a\n")
    found = add(effort, grown)
    assert (found.n_added, found.n_known) == (1, 1)
    assert any(note.startswith("There already: 1 judgment without an assessor. If others made") for note in found.notes)
    assert len(effort.read_judgments()) == 2


def test_more_repeats_without_an_assessor_are_more_votes(effort: Effort) -> None:
    add(effort, "t a b a\n")
    assert add(effort, "t a b a\nt a b a\nt a b a\n").n_added == 2


def test_a_second_vote_of_an_assessor_in_another_file_is_left_out_and_counted(effort: Effort) -> None:
    add(effort, "worker,left,right,label\nw,a,b,a\n")
    found = add(effort, "worker,left,right,label\nw,b,a,b\nv,a,b,b\n")
    assert (found.n_added, found.n_known, found.n_voted_before) == (1, 0, 1)
    assert found.sentence.endswith("; 1 left out as second votes.")
    assert found.figures["second votes left out"] == 1
    assert any(note.startswith("Left out: 1 vote on a pair that the same assessor had judged") for note in found.notes)
    assert [each.assessor for each in effort.read_judgments().rows] == ["w", "v"]


def test_a_judgment_that_takes_back_another_is_no_second_vote(effort: Effort) -> None:
    line = '{"judgment_id": "j1", "query_id": "q", "left": "a", "right": "b", "choice": "left", "assessor": "w"}\n'
    add(effort, line)
    undone = line.replace("j1", "j2").replace("}", ', "supersedes": "j1"}')
    assert add(effort, undone).n_added == 1
    assert [each.judgment_id for each in effort.read_judgments().current] == ["j2"]


def test_votes_outside_the_pools_are_counted(effort: Effort) -> None:
    assert "outside the pools" not in add(effort, "t a b a\n").figures
    add_pools(effort, [Pool(query_id="t", items=("a", "b"), same_text={"z": "a"})])
    found = add(effort, "t a b b\nt z b z\nt a x a\nu a b a\n")
    assert found.figures["outside the pools"] == 2
    assert "Outside the pools: 2 votes on answers that are not both in the pool of their query." in found.notes


IMPORTER = """
import sys
from toprung.data.formats.judgments.files import read_judgments
from toprung.labels.votes.importing import import_judgments
from toprung.labels.effort.effort import Effort
state, file = Effort.open(sys.argv[1]), read_judgments(sys.argv[2])
print("ready", flush=True)
import_judgments(state, file)
"""


def test_a_file_imported_by_two_processes_at_once_is_imported_once(effort: Effort, tmp_path: Path) -> None:
    path = tmp_path / "votes"
    path.write_text("t a b a\nt b c b\n")
    command = [sys.executable, "-c", IMPORTER, str(effort.folder), str(path)]
    with effort.alone():
        other = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        time.sleep(0.3)  # without the lock it would by now have seen that nothing is there
        import_judgments(effort, read_judgments(path))
    other.communicate(timeout=300)
    assert other.returncode == 0
    assert len(effort.read("judgments")) == 2


def test_what_was_left_out_is_told_with_its_lines(effort: Effort) -> None:
    found = add(effort, "worker,left,right,label,mood\nw,a,b,a,x\nw,a,b,b,x\nw,b,a,a,x\n")
    assert found.notes[:2] == (
        "Column unknown (1): line 1: column 'mood'. It is not read.",
        "Vote given twice (2): line 3: the same pair judged again by 'w', first on line 2; line 4: the same pair "
        "judged again by 'w', first on line 2. The first counts, the others are left out.",
    )
    assert found.to_dict()["warnings"] == {"column unknown": 1, "vote given twice": 2}


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(effort: Effort, output_format: OutputFormat) -> None:
    assert render(add(effort, "t a b a\n"), output_format)
