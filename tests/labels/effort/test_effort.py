"""One plain folder: what was written is there, whole, whatever happened in between."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from toprung.data.judgments import Choice, Judgment
from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "effort")


def judgment(number: int) -> Judgment:
    return Judgment(judgment_id=f"j{number}", query_id="q", left="a", right="b", choice=Choice.LEFT)


def test_a_new_folder_is_made_and_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert Effort.open_or_create(folder).manifest == {"layout": 1}
    assert Effort.open(folder) == Effort.open_or_create(folder)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "holiday.txt").write_text("sun")
    with pytest.raises(InputError, match="found something else than a judging effort"):
        Effort.open_or_create(tmp_path)
    with pytest.raises(InputError, match=r"found no manifest\.json"):
        Effort.open(tmp_path)
    with pytest.raises(InputError, match="found something else"):
        Effort.open_or_create(tmp_path / "holiday.txt")


def test_a_layout_of_another_version_is_refused(effort: Effort) -> None:
    effort.note({"layout": 2})
    with pytest.raises(InputError, match="found layout 2; expected 1"):
        Effort.open(effort.folder)


def test_a_broken_manifest_is_refused(effort: Effort) -> None:
    (effort.folder / "manifest.json").write_text("{")
    with pytest.raises(FormatError, match="text that is not JSON"):
        Effort.open(effort.folder)


def test_notes_are_added_to_the_manifest(effort: Effort) -> None:
    effort.note({"seed": 7})
    effort.note({"depth": 1, "seed": 8})
    assert effort.manifest == {"layout": 1, "seed": 8, "depth": 1}


def test_records_come_back_in_the_order_they_were_written(effort: Effort) -> None:
    assert effort.read("pools") == []
    effort.append("pools", [{"a": 1}, {"b": "ü"}])
    effort.append("pools", [{"c": None}])
    assert effort.read("pools") == [{"a": 1}, {"b": "ü"}, {"c": None}]


def test_a_line_torn_by_a_crash_is_left_out_and_written_over(effort: Effort) -> None:
    effort.append("pools", [{"a": 1}])
    with effort.path_of("pools").open("a") as file:
        file.write('{"b": ' + "x" * 10_000)
    assert effort.read("pools") == [{"a": 1}]
    effort.append("pools", [{"c": 3}])
    assert effort.read("pools") == [{"a": 1}, {"c": 3}]
    assert effort.path_of("pools").read_text() == '{"a": 1}\n{"c": 3}\n'


def test_a_last_line_that_only_lacks_its_end_is_kept(effort: Effort) -> None:
    effort.append("pools", [{"a": 1}])
    with effort.path_of("pools").open("a") as file:
        file.write('{"b": 2}')
    assert effort.read("pools") == [{"a": 1}, {"b": 2}]
    assert effort.torn_files() == []
    effort.append("pools", [{"c": 3}])
    assert effort.read("pools") == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_files_with_half_a_record_at_their_end_are_named(effort: Effort) -> None:
    effort.append("pools", [{"a": 1}])
    effort.append("tasks", [{"a": 1}])
    with effort.path_of("pools").open("a") as file:
        file.write('{"b": 2')
    assert effort.torn_files() == [effort.path_of("pools")]


def test_a_file_that_is_one_torn_line_starts_anew(effort: Effort) -> None:
    effort.path_of("pools").write_text('{"b": ')
    effort.append("pools", [{"c": 3}])
    assert effort.read("pools") == [{"c": 3}]


@pytest.mark.parametrize("broken", ["nonsense", "[1]", '{"a": 1}, {"b": 2}', "", "\udcff", "[" * 100_000])
def test_a_broken_line_is_named_by_its_number(effort: Effort, broken: str) -> None:
    effort.append("pools", [{"a": 1}])
    with effort.path_of("pools").open("ab") as file:
        file.write(broken.encode("utf-8", "surrogateescape") + b"\n")
    with pytest.raises(FormatError, match="line 2: found a line that is no JSON object"):
        effort.read("pools")


def test_judgments_come_back(effort: Effort) -> None:
    effort.add_judgments([judgment(1), judgment(2)])
    assert effort.read_judgments().rows == (judgment(1), judgment(2))


def test_a_record_that_is_no_judgment_is_named_by_its_line(effort: Effort) -> None:
    effort.add_judgments([judgment(1)])
    effort.append("judgments", [{"query_id": "q"}])
    with pytest.raises(FormatError, match=r"judgments\.jsonl, line 2"):
        effort.read_judgments()


def test_a_judgment_written_twice_is_one(effort: Effort) -> None:
    effort.add_judgments([judgment(1), judgment(2), judgment(1)])
    assert effort.read_judgments().rows == (judgment(1), judgment(2))


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("imports", 3, "imports"),
        ("imports", {"x": 3}, "imports.x"),
        ("qrels", 5, "qrels"),
        ("qrels", {"digest": 5}, "qrels.digest"),
        ("judges", {"j": []}, "judges.j"),
        ("tasks", {"seed": "x"}, "tasks.seed"),
        ("tasks", {"seed": -1}, "tasks.seed"),
        ("tasks", {"seed": 2**63}, "tasks.seed"),
        ("tasks", {"per_task": 0}, "tasks.per_task"),
        ("tasks", {"per_task": -3}, "tasks.per_task"),
        ("tasks", {"per_task": True}, "tasks.per_task"),
        ("tasks", {"golds_per_task": -1}, "tasks.golds_per_task"),
        ("tasks", {"release_after": 1e300}, "tasks.release_after"),
        ("tasks", {"release_after": -1}, "tasks.release_after"),
        ("tasks", {"release_after": float("nan")}, "tasks.release_after"),
        ("tasks", {"release_after": True}, "tasks.release_after"),
        ("depth", 0, "depth"),
        ("seed", "x", "seed"),
        ("challenges", [], "challenges"),
        ("queries", 7, "queries"),
    ],
)
def test_a_manifest_edited_by_hand_is_refused_by_its_key(effort: Effort, key: str, value: object, named: str) -> None:
    (effort.folder / "manifest.json").write_text(json.dumps({"layout": 1, key: value}))
    with pytest.raises(FormatError, match=rf"manifest\.json: found .* under '{named}'; expected a"):
        Effort.open(effort.folder)


@pytest.mark.parametrize(
    "noted", [{"release_after": 24}, {"release_after": 0.5}, {"seed": 0, "per_task": 1, "golds_per_task": 0}]
)
def test_a_manifest_edited_by_hand_with_care_is_read(effort: Effort, noted: dict[str, object]) -> None:
    (effort.folder / "manifest.json").write_text(json.dumps({"layout": 1, "tasks": noted}))
    assert Effort.open(effort.folder).manifest["tasks"] == noted


def test_a_state_owns_its_own_files_and_no_others(effort: Effort, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(effort.path_of("judgments"))
    own = (effort.path_of("judgments"), effort.folder / "manifest.json", effort.folder / ".lock", tmp_path / "link")
    assert all(effort.owns(path) for path in own)
    assert not any(effort.owns(path) for path in (effort.folder / "best.qrels", tmp_path / "judgments.jsonl"))


def test_whoever_is_alone_may_ask_again_and_others_wait(effort: Effort) -> None:
    seen = []

    def write() -> None:
        with Effort(effort.folder).alone():
            seen.append("other")

    other = threading.Thread(target=write)
    with effort.alone():
        other.start()
        with effort.alone():
            effort.note({"seed": 1})
        other.join(timeout=0.1)
        seen.append("first")
    other.join()
    assert seen == ["first", "other"]


NOTER = """
import sys
from toprung.labels.effort.effort import Effort
effort = Effort.open_or_create(sys.argv[1])
for number in range(20):
    with effort.alone():
        effort.note({"total": effort.manifest.get("total", 0) + 1})
"""


def test_several_processes_start_a_folder_and_note_at_once_without_loss(tmp_path: Path) -> None:
    folder = tmp_path / "effort"
    noters = [subprocess.Popen([sys.executable, "-c", NOTER, str(folder)]) for _ in range(3)]
    assert [each.wait(timeout=300) for each in noters] == [0, 0, 0]
    assert Effort.open(folder).manifest["total"] == 60
    assert sorted(each.name for each in folder.iterdir()) == [".lock", "manifest.json"]


WRITER = """
import sys
from toprung.labels.effort.effort import Effort
effort = Effort.open(sys.argv[1])
for number in range(20):
    effort.append("events", [{"writer": int(sys.argv[2]), "number": number, "filling": "x" * 500}])
"""


def test_two_processes_write_without_tearing_each_others_lines(effort: Effort) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(effort.folder), str(each)]) for each in range(2)]
    assert [each.wait(timeout=300) for each in writers] == [0, 0]
    records = effort.read("events")
    assert len(records) == 40
    for writer in range(2):
        assert [each["number"] for each in records if each["writer"] == writer] == list(range(20))


def test_the_manifest_is_json_a_person_can_read(effort: Effort) -> None:
    effort.note({"queries": "topics.tsv"})
    assert json.loads((effort.folder / "manifest.json").read_text())["queries"] == "topics.tsv"


def test_what_was_added_since_can_be_read_alone(tmp_path: Path) -> None:
    effort, other = (Effort.open_or_create(tmp_path / "state") for _ in range(2))
    effort.append("votes", [{"n": 1}, {"n": 2}])
    assert effort.read("votes") == [{"n": 1}, {"n": 2}]
    other.append("votes", [{"n": 3}])
    assert effort.read("votes", after=2) == [{"n": 3}]
    assert effort.read("votes", after=3) == []
    assert effort.read("votes", after=1) == [{"n": 2}, {"n": 3}]


def test_a_line_without_its_end_is_read_once(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path / "state")
    effort.append("votes", [{"n": 1}])
    with effort.path_of("votes").open("ab") as file:
        file.write(b'{"n": 2}')
    assert effort.read("votes", after=1) == [{"n": 2}]
    assert effort.read("votes", after=2) == []
    effort.append("votes", [{"n": 3}])
    assert effort.read("votes", after=2) == [{"n": 3}]


def test_records_that_were_taken_out_by_hand_are_missed(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path / "state")
    effort.append("votes", [{"n": 1}, {"n": 2}])
    effort.read("votes")
    effort.path_of("votes").write_text('{"n": 1}\n')
    with pytest.raises(FormatError, match="found 1 records; expected the 2 that were there before"):
        effort.read("votes", after=2)
