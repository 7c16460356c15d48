"""Labels of preference judgments are known by their manifest, or by the folder they were made in."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.labels.best.test_preference_qrels import JUDGMENTS, RESULTS

from toprung.errors import InputError
from toprung.labels.best.preference_qrels import (
    PreferenceQrels,
    keep_version,
    manifest_path,
    to_preference_qrels,
    write_preference_qrels,
)
from toprung.labels.best.version_files import find_label_file
from toprung.labels.effort.effort import Effort


def made() -> PreferenceQrels:
    return to_preference_qrels(RESULTS, parent=None, judgments=JUDGMENTS, policy="majority")


def test_a_file_alone_is_as_given(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 d1 1\n")
    found = find_label_file(path)
    assert (found.path, found.is_preference) == (path, False)


def test_a_file_with_its_manifest_is_of_preferences(tmp_path: Path) -> None:
    write_preference_qrels(made(), tmp_path / "qrels.txt")
    assert find_label_file(tmp_path / "qrels.txt").is_preference


def test_a_folder_gives_the_latest_it_made(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path / "effort")
    keep_version(effort, made(), tmp_path / "first.txt")
    later = to_preference_qrels(RESULTS, parent=None, judgments=JUDGMENTS, policy="other")
    keep_version(effort, later, tmp_path / "second.txt")
    found = find_label_file(tmp_path / "effort")
    assert (found.path, found.is_preference) == (tmp_path / "second.txt", True)


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    Effort.open_or_create(tmp_path / "effort")
    with pytest.raises(InputError, match="found no labels; expected some that `toprung labels tournament` made"):
        find_label_file(tmp_path / "effort")


def test_labels_changed_after_they_were_made_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    write_preference_qrels(made(), path)
    path.write_text("q1 0 d1 1\n")
    with pytest.raises(InputError, match=r"as qrels\.txt\.manifest\.json beside it says"):
        find_label_file(path)


def test_a_manifest_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 d1 1\n")
    manifest_path(path).write_text("soon")
    with pytest.raises(InputError, match="found no JSON; expected the manifest of a label version"):
        find_label_file(path)
