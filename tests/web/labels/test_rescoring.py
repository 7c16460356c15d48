"""A new version of the labels: every run is scored on it in the background, then all changes at once, and nothing else.

The scores are those of the table in ``tests.web.versions``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast, even_ranks, run_text
from tests.web.runs import accepted, settled
from tests.web.versions import NO_ANSWERS, OTHER_ANSWERS, do_tasks, publish_labels, version_of

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.runs import FirstRankColumn, RunState, ScoreColumn, Submission
from toprung.web.services.claims import settle as settling
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.labels.adopt import adopt_version
from toprung.web.services.labels.prepare import VersionStage, preparation_of
from toprung.web.services.labels.publish import try_again
from toprung.web.services.labels.rescore import score_slice
from toprung.web.services.runs import score as scoring
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit

pytestmark = pytest.mark.postgres


def scores_of(cast: Cast) -> dict[str, float | None]:
    return dict(cast.board.submissions.order_by("number").values_list("run_id", "score"))


def shown_of(cast: Cast) -> dict[str, float | None]:
    return dict(cast.board.submissions.order_by("number").values_list("run_id", "shown_score"))


def three_runs(cast: Cast) -> list[Submission]:
    """R1 scores 1/4; R2 takes the rung with 1; R3 scores 1/2."""
    other = {"team": cast.other_team, "user": cast.stranger}
    return [settled(cast, "fourth", 4), settled(cast, "top", 1, **other), settled(cast, "second", 2)]


def test_every_run_has_its_score_under_the_new_labels_once_they_are_current(cast: Cast, tmp_path: Path) -> None:
    three_runs(cast)
    assert scores_of(cast) == {"R1": 0.25, "R2": 1.0, "R3": 0.5}
    labels = publish_labels(cast, tmp_path)
    do_tasks(cast)
    assert scores_of(cast) == {"R1": 0.625, "R2": 0.5, "R3": 0.75}
    assert shown_of(cast) == {"R1": 0.625, "R2": 0.5, "R3": 0.75}
    assert cast.board.shown_version == 2
    assert FirstRankColumn.objects.filter(label_set=labels).count() == 3
    assert FirstRankColumn.objects.filter(label_set=version_of(cast, 1)).count() == 3, "those of before are kept"


def test_claims_and_holder_stand_as_recorded(cast: Cast, tmp_path: Path) -> None:
    _, top, _ = three_runs(cast)
    before = list(cast.board.claims.values())
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    (claim,) = cast.board.claims.values()
    assert claim | {"was_shown": None} == before[0]
    assert (claim["was_shown"], claim["label_set_id"]) == (True, version_of(cast, 1).pk)
    assert cast.board.holder == top


def test_later_runs_are_settled_under_the_new_labels(cast: Cast, tmp_path: Path) -> None:
    """A run at rank 2 everywhere scores 3/4, above the holder's 1/2; before it would have been 1/2 against 1."""
    three_runs(cast)
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    later = settled(cast, "later", 2, team=cast.other_team, user=cast.stranger)
    assert later.score == 0.75
    claim = cast.board.claims.get(submission=later)
    assert (claim.number, claim.label_set.version, claim.holder.run_id) == (2, 2, "R2")


def test_until_all_is_there_the_board_goes_by_the_labels_before(cast: Cast, tmp_path: Path) -> None:
    three_runs(cast)
    labels = publish_labels(cast, tmp_path)
    assert not adopt_version(labels.pk), "no run is scored on them"
    assert not score_slice(labels.pk, 1, 2), "one of three is left"
    assert (preparation_of(labels).stage, preparation_of(labels).n_scored) == (VersionStage.SCORING, 2)
    cast.board.refresh_from_db()
    assert (cast.board.shown_version, scores_of(cast)["R1"]) == (1, 0.25)
    assert score_slice(labels.pk, 3, 50)
    assert preparation_of(labels).stage is VersionStage.COMPUTING
    assert adopt_version(labels.pk)
    labels.refresh_from_db()
    assert preparation_of(labels).stage is VersionStage.CURRENT
    assert not adopt_version(labels.pk), "once only"
    assert cast.board.audit.filter(what="Labels official v2 are current").count() == 1


def test_a_slice_that_is_begun_again_finds_what_is_done(cast: Cast, tmp_path: Path) -> None:
    three_runs(cast)
    labels = publish_labels(cast, tmp_path)
    for _ in range(2):
        assert score_slice(labels.pk, 1, 50)
    assert ScoreColumn.objects.filter(label_set=labels).count() == 3


def test_a_slice_that_two_workers_have_is_recorded_once(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second does all of it while the first is in the middle, as when it was slow and was taken for dead."""
    three_runs(cast)
    labels = publish_labels(cast, tmp_path)
    score_each, is_first = scoring.score_each, [True]

    def slow(*arguments: object) -> object:
        if is_first.pop() if is_first else False:
            score_slice(labels.pk, 1, 50)
        return score_each(*arguments)  # type: ignore[arg-type]  # whatever it is called with

    monkeypatch.setattr("toprung.web.services.labels.rescore.score_each", slow)
    assert score_slice(labels.pk, 1, 50)
    assert sorted(ScoreColumn.objects.filter(label_set=labels).values_list("mean", flat=True)) == [0.5, 0.625, 0.75]


def test_a_run_that_comes_meanwhile_is_scored_on_both_and_settled_under_the_current(cast: Cast, tmp_path: Path) -> None:
    three_runs(cast)
    labels = publish_labels(cast, tmp_path)
    late = settled(cast, "late", 5, team=cast.other_team, user=cast.stranger)
    assert late.score == 0.2
    assert ScoreColumn.objects.get(submission=late, label_set=labels).mean == pytest.approx(0.6)
    do_tasks(cast)
    assert scores_of(cast) == pytest.approx({"R1": 0.625, "R2": 0.5, "R3": 0.75, "R4": 0.6})


def test_labels_published_while_a_run_is_scored_are_not_missed(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its scoring began before there was a version 2, and ends when that is current: it is scored on that too."""
    three_runs(cast)
    upload = accepted(cast, run_text(even_ranks(5)), team=cast.other_team, user=cast.stranger)
    late = submit(upload, RunCard(name="late"), by=cast.stranger)
    score_apart, is_first = scoring._score_apart, [True]

    def slow(*arguments: object) -> object:
        if is_first.pop() if is_first else False:
            labels = publish_labels(cast, tmp_path)
            score_slice(labels.pk, 1, 50)
            assert adopt_version(labels.pk)
        return score_apart(*arguments)  # type: ignore[arg-type]  # whatever it is called with

    monkeypatch.setattr(scoring, "_score_apart", slow)
    assert score_submission(late.pk)
    late.refresh_from_db()
    assert (late.state, late.score) == (RunState.SCORED, pytest.approx(0.6))
    of_sets = ScoreColumn.objects.filter(submission=late, label_set__use=LabelUse.OFFICIAL)
    assert [each.label_set.version for each in of_sets] == [2], "version 1 is not in use any more"
    assert settle_board(cast.board.pk) == 1


def test_a_run_whose_file_is_gone_keeps_the_labels_before(cast: Cast, tmp_path: Path) -> None:
    runs = three_runs(cast)
    path = Path(runs[1].upload.parquet.path)
    content = path.read_bytes()
    path.unlink()
    labels = publish_labels(cast, tmp_path)
    do_tasks(cast)
    labels.refresh_from_db()
    assert labels.failure.startswith("R2 could not be scored on official v2: FileNotFoundError")
    assert (labels.is_being_prepared, cast.board.shown_version) == (True, 1)
    assert preparation_of(labels).n_scored == 2
    path.write_bytes(content)
    try_again(labels, by=cast.organiser)
    do_tasks(cast)
    labels.refresh_from_db()
    assert (labels.is_current, labels.failure, cast.board.shown_version) == (True, "", 2)
    assert scores_of(cast) == {"R1": 0.625, "R2": 0.5, "R3": 0.75}


def test_results_that_cannot_be_computed_keep_the_labels_before_and_say_why(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three_runs(cast)
    labels = publish_labels(cast, tmp_path)
    score_slice(labels.pk, 1, 50)

    def breaks(_: object) -> None:
        raise ZeroDivisionError("no spread")

    with monkeypatch.context() as patched:
        patched.setattr("toprung.web.services.results.compute.store_results", breaks)
        with pytest.raises(ZeroDivisionError):
            adopt_version(labels.pk)
    labels.refresh_from_db()
    assert labels.failure == "What the pages show could not be computed: ZeroDivisionError: no spread"
    assert adopt_version(labels.pk)
    labels.refresh_from_db()
    assert (labels.is_current, labels.failure) == (True, "")


def test_withdrawn_runs_are_scored_too_and_stay_off_the_board(cast: Cast, tmp_path: Path) -> None:
    _, top, second = three_runs(cast)
    withdraw(second, by=cast.participant)
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    assert scores_of(cast)["R3"] == 0.75
    rows = cast.board.standings.filter(labels_version=2, audience="public")
    assert sorted(rows.values_list("submission__run_id", flat=True)) == ["R1", "R2"]
    assert cast.board.holder == top


def test_runs_without_a_query_of_the_new_labels_find_nothing(cast: Cast, tmp_path: Path) -> None:
    three_runs(cast)
    publish_labels(cast, tmp_path, NO_ANSWERS | {"q98": {"d": 1}, "q99": {"d": 1}})
    do_tasks(cast)
    assert scores_of(cast) == {"R1": 0.0, "R2": 0.0, "R3": 0.0}


def test_many_runs_are_shared_out_in_slices(cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.web.services.labels.rescore.SLICE", 2)
    three_runs(cast)
    slices: list[tuple[int, int]] = []

    def note(_: int, first: int, last: int) -> bool:
        slices.append((first, last))
        return False

    monkeypatch.setattr("toprung.web.services.labels.rescore.score_slice", note)
    publish_labels(cast, tmp_path)
    run_tasks(raise_failures=True)
    assert sorted(slices) == [(1, 2), (3, 4)]


# ---- the release policy ----


def make_ladder(cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(release="ladder:0.1", quota=10)
    cast.board.refresh_from_db()


def test_a_ladder_is_climbed_anew_under_the_new_labels(cast: Cast, tmp_path: Path) -> None:
    """One team: 1, then 1/2, then 1/4. Before, only the first moved its score; now it is 1/2, 3/4, 5/8 in turn."""
    make_ladder(cast)
    for name, rank in (("top", 1), ("second", 2), ("fourth", 4)):
        settled(cast, name, rank)
    assert shown_of(cast) == {"R1": 1.0, "R2": None, "R3": None}
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    assert scores_of(cast) == {"R1": 0.5, "R2": 0.75, "R3": 0.625}
    assert shown_of(cast) == {"R1": 0.5, "R2": 0.8, "R3": None}, "0.75 is shown to a multiple of the step"
    rows = cast.board.standings.filter(audience="public").order_by("labels_version", "submission__number")
    listed = list(rows.values_list("labels_version", "submission__run_id"))
    assert listed == [(1, "R1"), (2, "R1"), (2, "R2")]


def test_who_holds_the_rung_or_held_it_is_shown_whatever_the_ladder_says(cast: Cast, tmp_path: Path) -> None:
    """Under the new labels the team's first run scores 5/8, and its second, which holds the rung, 1/2."""
    make_ladder(cast)
    settled(cast, "fourth", 4)
    holder = settled(cast, "top", 1)
    assert cast.board.holder == holder
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    assert scores_of(cast) == {"R1": 0.625, "R2": 0.5}
    assert shown_of(cast) == {"R1": 0.6, "R2": 0.5}


def test_a_ladder_that_looks_at_single_queries_is_climbed_with_those_of_the_new_labels(
    cast: Cast, tmp_path: Path
) -> None:
    """New labels of 20 queries: to climb with columns of 40 would raise."""
    Board.objects.filter(pk=cast.board.pk).update(release="ladder:free")
    cast.board.refresh_from_db()
    for name, rank in (("fourth", 4), ("second", 2)):
        settled(cast, name, rank)
    publish_labels(cast, tmp_path, NO_ANSWERS | {query: OTHER_ANSWERS[query] for query in OFFICIAL[20:]})
    do_tasks(cast)
    assert shown_of(cast) == {"R1": 0.25, "R2": 0.5}


# ---- what cannot be settled ----


def test_a_run_that_cannot_be_settled_fails_in_the_end_and_lets_others_pass(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(cast, "first", 4)
    bad = submit(accepted(cast, run_text(even_ranks(2))), RunCard(name="bad"), by=cast.participant)
    other = accepted(cast, run_text(even_ranks(5)), team=cast.other_team, user=cast.stranger)
    good = submit(other, RunCard(name="good"), by=cast.stranger)
    for each in (bad, good):
        score_submission(each.pk)
    settle = settling._settle

    def breaks(board: Board, submission: Submission) -> None:
        if submission.pk == bad.pk:
            raise ZeroDivisionError("no spread")
        settle(board, submission)

    monkeypatch.setattr(settling, "_settle", breaks)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            settle_board(cast.board.pk)
    assert settle_board(cast.board.pk) == 1
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.state, good.state) == (RunState.FAILED, RunState.DONE)
    assert bad.failure.startswith("The run could not be scored.")
    entry = cast.board.audit.get(what="R2 could not be settled; its charge was given back")
    assert entry.details["reason"] == "settling: ZeroDivisionError: no spread"
    assert not hasattr(Submission.objects.get(pk=bad.pk), "charge")
