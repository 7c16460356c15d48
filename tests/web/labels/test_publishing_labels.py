"""An organiser publishes a new version of labels: checked as those of a board are, on record, prepared, or given up."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.cast import DEV, OFFICIAL, PRIVATE, Cast
from tests.web.runs import settled
from tests.web.versions import ANSWERS, OTHER_ANSWERS, WHY, do_tasks, publish_labels, version_of, write_labels

from toprung.errors import InputError
from toprung.web.core.models.labels import LabelSet, LabelSource, LabelUse
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.label_versions import shown_versions
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.services.labels.prepare import VersionStage, preparation_of, versions_in_preparation
from toprung.web.services.labels.publish import VersionRefusedError, current_version, give_up, plan_version, publish
from toprung.web.services.labels.rescore import score_slice


def test_a_version_is_stored_with_its_words_and_what_it_changes(cast: Cast, tmp_path: Path) -> None:
    LabelSet.objects.filter(use=LabelUse.OFFICIAL).update(is_hidden=True)
    labels = publish_labels(cast, tmp_path, source=LabelSource.PREFERENCE)
    stored = LabelSet.objects.get(pk=labels.pk)
    assert (stored.version, stored.name, stored.is_hidden, stored.n_queries) == (2, "official", True, 40)
    assert (stored.source, stored.published_by, stored.changes) == ("preference", cast.organiser, WHY)
    assert stored.difference == {
        "queries_added": 0,
        "queries_removed": 0,
        "labels_added": 20,
        "labels_removed": 20,
        "grades_changed": 0,
        "answers_changed": 20,
    }
    assert (stored.is_current, stored.current_since, stored.is_being_prepared) == (False, None, True)
    assert list(versions_in_preparation(cast.board)) == [stored]


def test_it_is_on_record_who_published_what(cast: Cast, tmp_path: Path) -> None:
    labels = publish_labels(cast, tmp_path)
    entry = cast.board.audit.last()
    assert entry is not None
    assert (entry.who, entry.what) == (cast.organiser.reference, "Published labels, official v2")
    assert entry.details["digest"] == labels.digest
    assert entry.details["changes"] == WHY
    assert find_break(cast.board) is None


def test_a_board_without_runs_goes_by_it_at_once(cast: Cast, tmp_path: Path) -> None:
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    old, new = version_of(cast, 1), version_of(cast, 2)
    assert (old.is_current, new.is_current, cast.board.shown_version) == (False, True, 2)
    assert old.superseded_at == new.current_since is not None
    assert [each.version for each in shown_versions(cast.board)] == [2, 1]
    assert cast.board.audit.filter(who="worker", what="Labels official v2 are current").count() == 1


def fault_of(cast: Cast, folder: Path, labels: dict[str, dict[str, int]], **more: str) -> str:
    n_sets = LabelSet.objects.count()
    with pytest.raises(BoardRefusedError) as refused:
        publish_labels(cast, folder, labels, **more)
    assert LabelSet.objects.count() == n_sets
    return str(refused.value)


def test_words_on_what_is_new_are_needed(cast: Cast, tmp_path: Path) -> None:
    assert fault_of(cast, tmp_path, OTHER_ANSWERS, changes=" ").startswith(
        "changes: found nothing; expected some words"
    )
    assert "found 5,001 characters; expected 5,000 at most" in fault_of(
        cast, tmp_path, OTHER_ANSWERS, changes="x" * 5001
    )


def test_the_same_labels_are_no_new_version(cast: Cast, tmp_path: Path) -> None:
    same = "file: new.txt: found the same labels as official v1; expected some that differ."
    assert fault_of(cast, tmp_path, ANSWERS) == same
    assert fault_of(cast, tmp_path, dict(reversed(ANSWERS.items()))) == same, "in another order, so with another digest"


def test_queries_of_other_sets_are_refused(cast: Cast, tmp_path: Path) -> None:
    LabelSet.objects.filter(use=LabelUse.OFFICIAL).update(is_hidden=True)
    private = fault_of(cast, tmp_path, OTHER_ANSWERS | {PRIVATE[0]: {"d": 1}})
    assert "found 1 query of the private labels, v1 in new.txt too ('p01'); expected none" in private
    public = fault_of(cast, tmp_path, OTHER_ANSWERS | {DEV[0]: {"d": 1}})
    assert "public labels would tell hidden ones" in public


def test_queries_of_a_set_that_is_being_prepared_are_refused(cast: Cast, tmp_path: Path) -> None:
    settled(cast, "first", 2)
    private = {query: {f"rel-{query}": 1} for query in [*PRIVATE, "p99"]}
    publish_labels(cast, tmp_path, private, use=LabelUse.PRIVATE)
    fault = fault_of(cast, tmp_path, OTHER_ANSWERS | {"p99": {"d": 1}})
    assert "found 1 query of the private labels, v2 in new.txt too ('p99')" in fault


def test_a_file_that_cannot_be_read_is_called_by_its_name(cast: Cast, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_text("q01 0 d1 one\n")
    current = current_version(cast.board, "official")
    with pytest.raises(BoardRefusedError, match=r"^file: ours\.txt, line 1: found grade 'one'"):
        publish(cast.board, current, plan_version(current, path, "ours.txt"), changes=WHY, by=cast.organiser)


def graded(cast: Cast, folder: Path) -> dict[str, dict[str, int]]:
    """Labels of the board with two grades and a document judged not relevant for each query."""
    labels = {query: {f"rel-{query}": 2, f"near-{query}": 1, f"poor-{query}": 0} for query in OFFICIAL}
    publish_labels(cast, folder, labels)
    do_tasks(cast)
    return labels


@pytest.mark.parametrize("source", ["given", "preference"])
def test_graded_labels_lose_no_judged_document(cast: Cast, tmp_path: Path, source: str) -> None:
    labels = graded(cast, tmp_path)
    fewer = labels | {query: {f"rel-{query}": 2} for query in OFFICIAL[:3]}
    fault = fault_of(cast, tmp_path, fewer, source=source)
    lost = f"new.txt would leave out 6 of the {3 * len(OFFICIAL)} judged documents of official v2"
    assert f"{lost} (queries {OFFICIAL[0]}, {OFFICIAL[1]} and {OFFICIAL[2]}); expected every" in fault
    assert current_version(cast.board, "official").version == 2


def test_votes_lower_no_grade_but_an_organiser_may_correct_one(cast: Cast, tmp_path: Path) -> None:
    labels = graded(cast, tmp_path)
    query = OFFICIAL[0]
    lower = labels | {query: labels[query] | {f"rel-{query}": 1}}
    assert f"would lower 1 grade (query {query}); expected every judged document to keep" in fault_of(
        cast, tmp_path, lower, source="preference"
    )
    assert publish_labels(cast, tmp_path, lower, source="given").version == 3


def test_best_answers_lose_no_query_but_one_may_go_unscored(cast: Cast, tmp_path: Path) -> None:
    query, n = OFFICIAL[0], len(OFFICIAL)
    fewer = {each: docs for each, docs in OTHER_ANSWERS.items() if each != query}
    fault = fault_of(cast, tmp_path, fewer)
    assert f"new.txt would leave out 1 of the {n} queries and 1 of the {n} judged documents" in fault
    assert fault.endswith("a query whose documents all have the grade 0 is not scored.")
    published = publish_labels(cast, tmp_path, fewer | {query: dict.fromkeys(ANSWERS[query], 0)})
    assert published.n_queries == n - 1


def test_where_they_come_from_is_one_of_two(cast: Cast, tmp_path: Path) -> None:
    fault = fault_of(cast, tmp_path, OTHER_ANSWERS, source="heaven")
    assert fault == "source: found 'heaven'; expected one of given, preference."


def test_a_second_version_waits_for_the_first(cast: Cast, tmp_path: Path) -> None:
    settled(cast, "first", 2)
    publish_labels(cast, tmp_path)
    fault = fault_of(cast, tmp_path, {query: {"d": 1} for query in OFFICIAL})
    assert "found official v2 being prepared; expected to wait until it is current, or to give it up" in fault


def test_a_version_of_a_version_that_is_not_current_any_more_is_refused(cast: Cast, tmp_path: Path) -> None:
    old = current_version(cast.board, "official")
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    plan = plan_version(old, write_labels(tmp_path / "third.txt", {query: {"d": 1} for query in OFFICIAL}), "third.txt")
    with pytest.raises(BoardRefusedError, match="found a newer version than official v1"):
        publish(cast.board, old, plan, changes=WHY, by=cast.organiser)


def test_a_set_that_is_not_there_is_named(cast: Cast) -> None:
    with pytest.raises(VersionRefusedError, match="Found 0 sets of extra labels named 'deep'; expected one of: none"):
        current_version(cast.board, "extra", "deep")


def test_what_is_given_up_is_never_shown_and_keeps_its_number(cast: Cast, tmp_path: Path) -> None:
    settled(cast, "first", 2)
    labels = publish_labels(cast, tmp_path)
    score_slice(labels.pk, 1, 50)
    assert FirstRankColumn.objects.filter(label_set=labels).count() == 1
    give_up(labels, by=cast.organiser)
    do_tasks(cast)
    assert (cast.board.shown_version, version_of(cast, 1).is_current) == (1, True)
    assert preparation_of(version_of(cast, 2)).stage is VersionStage.GIVEN_UP
    assert not FirstRankColumn.objects.filter(label_set=labels).exists()
    assert not ScoreColumn.objects.filter(label_set=labels).exists()
    assert not cast.board.results.filter(labels_version=2).exists()
    assert cast.board.audit.filter(what="Gave up labels, official v2").count() == 1
    assert publish_labels(cast, tmp_path).version == 3


def test_what_is_current_cannot_be_given_up(cast: Cast, tmp_path: Path) -> None:
    labels = publish_labels(cast, tmp_path)
    do_tasks(cast)
    with pytest.raises(InputError, match="Found official v2 current or superseded; expected a version that is being"):
        give_up(labels, by=cast.organiser)


def test_dev_labels_are_current_at_once(cast: Cast, tmp_path: Path) -> None:
    settled(cast, "first", 2)
    labels = publish_labels(cast, tmp_path, {query: {"d1": 1} for query in DEV}, use=LabelUse.DEV)
    assert (labels.is_current, labels.version) == (True, 2)
    assert cast.board.label_sets.get(use=LabelUse.DEV, version=1).superseded_at is not None
    do_tasks(cast)
    assert cast.board.shown_version == 1


def test_a_version_of_private_labels_leaves_the_leaderboard_as_it_is(cast: Cast, tmp_path: Path) -> None:
    run = settled(cast, "first", 2)
    labels = publish_labels(
        cast, tmp_path, {query: {f"rel-{query}": int(query in PRIVATE[:10])} for query in PRIVATE}, use=LabelUse.PRIVATE
    )
    do_tasks(cast)
    labels.refresh_from_db()
    assert (labels.is_current, labels.n_queries) == (True, 10)
    assert cast.board.shown_version == 1
    assert ScoreColumn.objects.get(submission=run, label_set=labels).mean == 1.0
    assert cast.board.results_done == cast.board.results_due
