"""What pages show under each version of the labels: the old until the new is all there, and afterwards as it was."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from demo.coherence import find_contradictions
from django.http import Http404
from django.test import Client
from django.urls import reverse
from tests.web.cast import OFFICIAL, Cast
from tests.web.reading import text_of
from tests.web.runs import settled
from tests.web.telling import told_to
from tests.web.versions import ANSWERS, NO_ANSWERS, OTHER_ANSWERS, do_tasks, publish_labels, version_of

from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.models.runs import Submission
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.labels.adopt import adopt_version
from toprung.web.services.labels.publish import give_up
from toprung.web.services.labels.rescore import score_slice
from toprung.web.services.results.compute import compute_results, store_results
from toprung.web.services.results.snapshot import Computation, OvertakenError
from toprung.web.services.shown.history.ledger import find_claims, to_entries

pytestmark = pytest.mark.postgres


@pytest.fixture
def board(cast: Cast) -> Board:
    """R1 scores 1/4; R2 took the rung with 1; R3 scores 1/2: the results are computed."""
    other = {"team": cast.other_team, "user": cast.stranger}
    settled(cast, "fourth", 4)
    settled(cast, "top", 1, **other)
    settled(cast, "second", 2)
    compute_results(cast.board.pk)
    return cast.board


def listed(board: Board, version: int, audience: Audience = Audience.PUBLIC) -> dict[str, float]:
    rows = board.standings.filter(labels_version=version, audience=audience).order_by("place")
    return {each.content["run"]: each.content["score"] for each in rows}


def stored_of(board: Board, version: int) -> list[object]:
    """All that is kept of a version, as it is."""
    results = StoredResult.objects.filter(board=board, labels_version=version).order_by("pk")
    rows = board.standings.filter(labels_version=version).order_by("pk")
    return [*results.values(), *rows.values()]


# ---- which version is shown ----


def test_pages_show_the_version_before_until_the_new_one_is_all_there(
    board: Board, cast: Cast, tmp_path: Path, client: Client
) -> None:
    address = reverse("export", args=[board.slug, "json"])
    before = client.get(address).json()
    labels = publish_labels(cast, tmp_path)
    score_slice(labels.pk, 1, 50)
    assert client.get(address).json() == before
    assert client.get(address, {"labels": 2}).status_code == 404
    assert adopt_version(labels.pk)
    after = client.get(address).json()
    assert {row["run"]: row["score"] for row in after["runs"]} == {"R1": 0.625, "R2": 0.5, "R3": 0.75}
    assert client.get(address, {"labels": 2}).json() == after


def test_the_pages_change_in_the_transaction_that_makes_the_labels_current(
    board: Board, cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the last step before the switch the new results are stored, and nobody sees them."""
    labels = publish_labels(cast, tmp_path)
    score_slice(labels.pk, 1, 50)
    seen: list[tuple[int, dict[str, float], float | None]] = []

    def look_then_break(*_: object) -> None:
        held = Board.objects.get(pk=board.pk)
        seen.append((held.shown_version, listed(board, 2), Submission.objects.get(board=board, run_id="R1").score))
        raise ZeroDivisionError

    monkeypatch.setattr("toprung.web.services.labels.adopt._switch", look_then_break)
    with pytest.raises(ZeroDivisionError):
        adopt_version(labels.pk)
    assert seen == [(1, {"R2": 0.5, "R3": 0.75, "R1": 0.625}, 0.25)]
    assert get_viewer(cast.stranger, board.slug).version == 1


def test_what_was_shown_under_a_version_stays_as_it_was(board: Board, cast: Cast, tmp_path: Path) -> None:
    before = stored_of(board, 1)
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    settled(cast, "later", 5, team=cast.other_team, user=cast.stranger)
    withdraw(Submission.objects.get(board=board, run_id="R1"), by=cast.participant)
    do_tasks(cast)
    assert stored_of(board, 1) == before
    assert listed(board, 1) == {"R2": 1.0, "R3": 0.5, "R1": 0.25}
    assert list(listed(board, 2)) == ["R3", "R4", "R2"]


def test_an_older_version_agrees_with_itself_everywhere(board: Board, cast: Cast, tmp_path: Path) -> None:
    """Now the order is another one: no page or file of the board under version 1 takes anything from it."""
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    now = told_to(None, board.slug)
    then = replace(
        now,
        fetch=lambda path: now.fetch(f"{path}{'&' if '?' in path else '?'}labels=1"),
        ask=lambda _: "",
        is_everyone=False,
    )
    assert (list(now.runs), list(then.runs)) == (["R3", "R1", "R2"], ["R2", "R3", "R1"])
    assert list(find_contradictions(now)) == []
    elsewhere = [each for each in find_contradictions(then) if not each.startswith("run page: ")]  # that is of now
    assert elsewhere == []


def test_other_labels_by_script_change_all_that_is_said(
    board: Board, cast: Cast, tmp_path: Path, client: Client
) -> None:
    """The sentence, the note and the tabs too; the rows alone are swapped where the labels stay as they are."""
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    page = reverse("leaderboard", args=[board.slug])
    asked = {"q": "", "per": "", "labels": "1", "cols": "run"}
    swapped = client.get(page, asked, headers={"HX-Request": "true"})
    assert swapped.headers["HX-Push-Url"] == f"{page}?labels=1&cols=run"
    whole = client.get(swapped.headers["HX-Push-Url"])
    assert "top does best" in text_of(whole.content.decode())
    assert text_of(swapped.content.decode()) == text_of(whole.content.decode())
    rows = client.get(page, asked, headers={"HX-Request": "true", "HX-Target": "standings"})
    assert 'class="sentence"' not in rows.content.decode()
    assert "HX-Target" in rows.headers["Vary"]


def test_a_superseded_version_is_seen_by_its_number(board: Board, cast: Cast, tmp_path: Path, client: Client) -> None:
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    viewer = get_viewer(cast.stranger, board.slug, labels="1")
    labels = viewer.labels()
    assert (viewer.version, viewer.is_as_of, labels) == (1, True, version_of(cast, 1))
    found = viewer.result("board")
    assert found is not None
    assert found.labels_version == 1
    page = client.get(reverse("leaderboard", args=[board.slug]), {"labels": "1"}).content.decode()
    assert re.search(r"0\.250", page)
    assert "0.625" not in page
    for name in ("history", "stability"):
        assert client.get(reverse(name, args=[board.slug]), {"labels": "1"}).status_code == 200


@pytest.mark.parametrize("asked", ["0", "3", "-1", "1.0", "²", "x", "9" * 40])
def test_no_other_version_is_there(board: Board, cast: Cast, tmp_path: Path, asked: str) -> None:
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    with pytest.raises(Http404):
        get_viewer(cast.organiser, board.slug, labels=asked)


def test_a_version_that_was_given_up_is_not_there_and_the_next_follows(
    board: Board, cast: Cast, tmp_path: Path
) -> None:
    give_up(publish_labels(cast, tmp_path), by=cast.organiser)
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    assert cast.board.shown_version == 3
    with pytest.raises(Http404):
        get_viewer(cast.organiser, board.slug, labels="2")
    found = get_viewer(cast.organiser, board.slug).result("versions")
    assert found is not None
    assert (found.content["from"], found.content["to"]) == (1, 3)


# ---- several workers ----


def test_results_that_were_overtaken_are_not_stored(board: Board, cast: Cast) -> None:
    """A worker that began before another and ends after it."""
    slow = Computation(
        board=board,
        labels=version_of(cast, 1),
        submissions=settled_submissions(board)[:1],
        generation=board.results_due,
    )
    settled(cast, "later", 5, team=cast.other_team, user=cast.stranger)
    compute_results(board.pk)
    before = stored_of(board, 1)
    with pytest.raises(OvertakenError):
        store_results(slow)
    assert stored_of(board, 1) == before


def test_results_under_labels_that_were_superseded_meanwhile_are_not_stored(
    board: Board, cast: Cast, tmp_path: Path
) -> None:
    slow = Computation(
        board=board, labels=version_of(cast, 1), submissions=settled_submissions(board)[:1], generation=99
    )
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    with pytest.raises(OvertakenError):
        store_results(slow)
    assert len(listed(board, 1)) == 3


def test_a_run_settled_while_the_results_are_computed_follows(
    board: Board, cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = publish_labels(cast, tmp_path)
    score_slice(labels.pk, 1, 50)
    store = store_results

    def slow(computation: Computation) -> None:
        store(computation)
        if computation.version == 2:
            settled(cast, "late", 5, team=cast.other_team, user=cast.stranger)

    monkeypatch.setattr("toprung.web.services.results.compute.store_results", slow)
    assert adopt_version(labels.pk)
    monkeypatch.undo()
    cast.board.refresh_from_db()
    assert (list(listed(board, 2)), cast.board.results_done < cast.board.results_due) == (["R3", "R1", "R2"], True)
    do_tasks(cast)
    assert listed(board, 2)["R4"] == pytest.approx(0.6)


# ---- what the version changes ----


def test_scores_before_and_after_their_order_and_the_perfect_ranking(board: Board, cast: Cast, tmp_path: Path) -> None:
    """Before R2 > R3 > R1, now R3 > R1 > R2: of three pairs one keeps its order, so τ = (1 − 2) / 3.

    The ranking that was perfect has no new answer of q01 … q20, and the answers of the others at rank 1: 20 / 40.
    """
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    for user in (cast.organiser, cast.stranger):
        found = get_viewer(user, board.slug).result("versions")
        assert found is not None
        content = found.content
        rows = {each["run"]: (each["before"], each["after"], each["move"]) for each in content["rows"]}
        assert rows == {"R3": (0.5, 0.75, 1), "R1": (0.25, 0.625, 1), "R2": (1.0, 0.5, -2)}
        assert content["tau"] == pytest.approx(-1 / 3, abs=0.005)
        assert (content["perfect_before"], content["perfect_after"]) == (1.0, 0.5)
        assert [each["kind"] for each in content["figures"]] == ["label-sets"]
        assert f"{0.75:.{content['decimals']}f} (place" in content["sentence"], "as many digits as beside it"
    assert board.results.filter(kind="versions", labels_version=1).count() == 0


def test_what_would_stand_is_told_beside_what_stands(board: Board, cast: Cast, tmp_path: Path) -> None:
    """Under the new labels R1 comes first with 5/8; R2 scores less; R3 finds twenty answers at rank 2 and not at 4.

    On the twenty queries where R3 is better it is by two ranks, on the others the two are the same: without harm, and
    beyond chance.
    """
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    found = get_viewer(cast.stranger, board.slug).result("versions")
    assert found is not None
    would = found.content["would"]
    assert (would["holder"], would["recorded_holder"], would["is_same"]) == ("R3", "R2", False)
    assert (would["n_claims"], would["passed"]) == (1, ["R3"])
    assert would["sentence"] == (
        "Had all runs come under labels v2, R3 would be the holder; as recorded, it is R2. "
        "The one claim would have passed."
    )
    assert cast.board.holder == Submission.objects.get(board=board, run_id="R2")


def test_labels_on_other_queries_altogether_have_nothing_to_compare(board: Board, cast: Cast, tmp_path: Path) -> None:
    publish_labels(cast, tmp_path, NO_ANSWERS | {"q98": {"d": 1}, "q99": {"d": 1}})
    do_tasks(cast)
    found = get_viewer(cast.stranger, board.slug).result("versions")
    assert found is not None
    assert (found.content["rows"], found.content["figures"]) == ([], [])
    assert found.content["would"]["holder"] == "R1"


def test_everyone_sees_only_runs_that_were_shown_under_both(cast: Cast, tmp_path: Path) -> None:
    """A ladder, one team: before, only R1 was shown; now R1 and R2 are. What R2 scored before stays untold."""
    Board.objects.filter(pk=cast.board.pk).update(release="ladder:0.1", quota=10)
    cast.board.refresh_from_db()
    for name, rank in (("top", 1), ("second", 2), ("fourth", 4)):
        settled(cast, name, rank)
    compute_results(cast.board.pk)
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    seen = {}
    for user in (cast.organiser, cast.stranger):
        found = get_viewer(user, cast.board.slug).result("versions")
        assert found is not None
        seen[user.name] = {each["run"]: (each["before"], each["after"]) for each in found.content["rows"]}
    assert seen == {"Organiser": {"R1": (1, 0.5), "R2": (0.5, 0.75), "R3": (0.25, 0.625)}, "Stranger": {"R1": (1, 0.5)}}


def test_scores_are_told_no_finer_than_the_policy_shows_them(cast: Cast, tmp_path: Path) -> None:
    """R1 scores 1/3 before, and (20 × 1 + 20 × 1/3) / 40 = 2/3 now."""
    settled(cast, "third", 3)
    compute_results(cast.board.pk)
    publish_labels(cast, tmp_path)
    do_tasks(cast)
    found = get_viewer(cast.stranger, cast.board.slug).result("versions")
    assert found is not None
    (row,) = found.content["rows"]
    assert (row["before"], row["after"]) == (0.333, 0.667)
    assert not re.search(r"0\.\d*3333|0\.\d*6666", str(found.content))


# ---- claims ----


def test_a_run_that_was_not_shown_made_no_claim_and_makes_none_later(cast: Cast, tmp_path: Path) -> None:
    """A ladder showed nothing of R2; that the new version shows its score does not change that."""
    Board.objects.filter(pk=cast.board.pk).update(release="ladder:0.3", quota=10)
    cast.board.refresh_from_db()
    settled(cast, "fourth", 4)
    ranks = dict.fromkeys(OFFICIAL, 4) | {OFFICIAL[-1]: 3}
    second = _submit_ranks(cast, "second", ranks)
    compute_results(cast.board.pk)
    assert second.shown_score is None
    answers = NO_ANSWERS | {query: {"d": 1} for query in OFFICIAL[:20]} | {OFFICIAL[-1]: ANSWERS[OFFICIAL[-1]]}
    Board.objects.filter(pk=cast.board.pk).update(release="full")
    cast.board.refresh_from_db()
    publish_labels(cast, tmp_path, answers)
    do_tasks(cast)
    second.refresh_from_db()
    assert second.shown_score is not None
    viewer = get_viewer(cast.stranger, cast.board.slug)
    assert list(find_claims(viewer)) == []


def _submit_ranks(cast: Cast, name: str, ranks: dict[str, int]) -> Submission:
    from tests.web.cast import DEV, PRIVATE, run_text
    from tests.web.runs import accepted

    from toprung.data.run_card import RunCard
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.runs.score import score_submission
    from toprung.web.services.runs.submit import submit

    content = run_text(ranks | dict.fromkeys([*PRIVATE, *DEV], 1))
    submission = submit(accepted(cast, content), RunCard(name=name), by=cast.participant)
    score_submission(submission.pk)
    settle_board(cast.board.pk)
    submission.refresh_from_db()
    return submission


def test_the_effects_of_a_claim_are_those_of_its_labels(board: Board, cast: Cast, tmp_path: Path) -> None:
    """R2 finds every answer at rank 1 where R1 finds it at rank 4: 1 − 1/4, whatever the labels are now."""
    viewer = get_viewer(cast.stranger, board.slug)
    (before,) = to_entries(find_claims(viewer), viewer)
    publish_labels(cast, tmp_path, OTHER_ANSWERS)
    do_tasks(cast)
    viewer = get_viewer(cast.stranger, board.slug)
    (after,) = to_entries(find_claims(viewer), viewer)
    assert viewer.version == 2
    assert before.effects == after.effects
    assert (after.effects[0].question, after.effects[0].difference) == ("RR@100", "+0.750")
