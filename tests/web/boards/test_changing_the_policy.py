"""Organisers change the rules that nothing depends on yet; the others are frozen, and the page says why."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from tests.web.cast import Cast
from tests.web.reading import folded
from tests.web.runs import settled

from toprung.web.core.models.boards import Admission, Board
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.services.boards.policy import change_policy, frozen_keys
from toprung.web.site.organise.policy import say_value

PAGE = "/b/web-docs/organise/policy/"
CLAIM_RULES = {"rule", "alpha", "gamma", "official_measure", "cutoff"}
MARGINS = {"answered_margin", "ranking_margin"}


def values_of(board: Board) -> dict[str, str]:
    """What the form shows of a board that was not changed."""
    board.refresh_from_db()
    fields = {
        key: str(getattr(board, key))
        for key in (
            *("title", "task", "description", "official_measure", "cutoff", "depth", "rule"),
            *("alpha", "gamma", "release", "who_may_submit", "quota", "quota_days", "embargo_months", "seed"),
        )
    }
    return fields | {"is_public": "on", "opens_at": f"{board.opens_at:%Y-%m-%dT%H:%M}", "other_measures": ""}


def post(client: Client, board: Board, **changes: str) -> Any:
    return client.post(PAGE, values_of(board) | changes)


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def test_only_organisers_of_the_board_change_it(client: Client, cast: Cast) -> None:
    for person in (cast.participant, cast.assessor, cast.other_organiser):
        client.force_login(person)
        assert client.get(PAGE).status_code == 404
        assert post(client, cast.board, quota="99").status_code == 404
    cast.board.refresh_from_db()
    assert cast.board.quota == 2


def test_before_the_first_run_the_measure_is_chosen_in_words(organiser: Client, cast: Cast) -> None:
    """As when a board is made: that which the labels ask for, the usual ones, or another by its name."""
    page = folded(organiser.get(PAGE).content.decode())
    assert 'type="radio" name="official_measure" value="another" checked' in page
    (beside,) = re.findall(r'<input [^>]*name="another_measure"[^>]*>', page)
    assert 'value="RR@100"' in beside
    assert post(organiser, cast.board, official_measure="RR@10", cutoff="").status_code == 302
    page = folded(organiser.get(PAGE).content.decode())
    assert 'type="radio" name="official_measure" value="RR@10" checked' in page
    assert post(organiser, cast.board, official_measure="another", another_measure="").status_code == 422
    assert post(organiser, cast.board, official_measure="another", another_measure="RR@5", cutoff="").status_code == 302
    cast.board.refresh_from_db()
    assert cast.board.official_measure == "RR@5"
    settled(cast, "first", 1)
    assert 'name="official_measure"' not in organiser.get(PAGE).content.decode()


def test_a_change_is_on_record_with_both_values(organiser: Client, cast: Cast) -> None:
    response = post(organiser, cast.board, quota="3", release="ladder:0.02", is_public="")
    assert response.url == PAGE
    cast.board.refresh_from_db()
    assert (cast.board.quota, cast.board.release, cast.board.is_public) == (3, "ladder:0.02", False)
    entry = cast.board.audit.latest("number")
    assert entry.what == "Changed is_public, release and quota"
    assert entry.details["before"] == {"quota": 2, "release": "rounded:3", "is_public": True}
    assert entry.details["after"]["quota"] == 3
    assert find_break(cast.board) is None
    assert OxTask.objects.filter(task_path__endswith="refresh").exists(), "the pages are made anew"
    log = organiser.get("/b/web-docs/organise/audit/").content.decode()
    assert "<s>2</s> → 3" in log
    assert "<s>yes</s> → no" in log


def test_nothing_changed_leaves_no_entry(organiser: Client, cast: Cast) -> None:
    """Neither the seconds that the form does not show nor line ends as browsers send them are a change."""
    cast.board.description = "one\ntwo"
    cast.board.save()
    response = organiser.post(PAGE, values_of(cast.board) | {"description": "one\r\ntwo"}, follow=True)
    assert "Nothing changed." in response.content.decode()
    assert not cast.board.audit.exists()


def test_a_setting_that_cannot_be_changes_nothing(organiser: Client, cast: Cast) -> None:
    response = post(organiser, cast.board, quota="3", embargo_months="10")
    assert response.status_code == 422
    assert "Found 10; expected from 0 to 9." in response.content.decode()
    cast.board.refresh_from_db()
    assert (cast.board.quota, cast.board.embargo_months) == (2, 9)
    assert not cast.board.audit.exists()


def test_before_the_first_run_everything_but_the_address_may_change(organiser: Client, cast: Cast) -> None:
    assert set(frozen_keys(cast.board)) == {"slug"} | MARGINS
    response = post(organiser, cast.board, official_measure="nDCG@10", cutoff="10", rule="measure", alpha="0.01")
    assert response.status_code == 302, response.content.decode()
    cast.board.refresh_from_db()
    assert (cast.board.official_measure, cast.board.rule, cast.board.alpha) == ("nDCG@10", "measure", 0.01)


def test_the_margins_of_harm_are_fixed_once_the_board_opens(organiser: Client, cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(opens_at=timezone.now() + timedelta(days=1))
    assert post(organiser, cast.board, answered_margin="0.02").status_code == 302
    cast.board.refresh_from_db()
    assert (cast.board.answered_margin, cast.board.ranking_margin) == (0.02, None)
    Board.objects.filter(pk=cast.board.pk).update(opens_at=timezone.now())
    response = post(organiser, cast.board, answered_margin="0.5")
    assert response.status_code == 422
    assert "answered_margin: found 0.5; expected 0.02 as it is: the board has opened." in response.content.decode()
    page = folded(organiser.get(PAGE).content.decode())
    assert 'name="answered_margin"' not in page
    assert "<td>0.02</td>" in page
    assert "<td>1/√n of the n queries looked at, from 1 to 10 points</td>" in page


def test_what_is_fixed_is_told_in_words_also_when_the_board_is_over(organiser: Client, cast: Cast) -> None:
    settled(cast, "first", 4)
    assert say_value(cast.board, "gamma") == "as many as come"
    cast.board.gamma, cast.board.release, cast.board.board_quota = "planned:50", "closed:2027-01-31", None
    said = {key: say_value(cast.board, key) for key in ("gamma", "release", "board_quota", "is_public")}
    assert said == {
        "gamma": "about 50",
        "release": "Nothing before 2027-01-31",
        "board_quota": "not set",
        "is_public": "yes",
    }


def test_a_rule_that_the_measure_gives_nothing_to_test_by_is_refused(organiser: Client, cast: Cast) -> None:
    response = post(organiser, cast.board, official_measure="nDCG@10", cutoff="10")
    assert response.status_code == 422
    assert "Found &#x27;no_harm&#x27; with nDCG@10" in response.content.decode()


def test_after_the_first_run_the_measures_are_frozen_and_the_rules_are_not(organiser: Client, cast: Cast) -> None:
    settled(cast, "first", 4)
    of_scoring = {"official_measure", "cutoff", "other_measures", "depth", "seed"}
    assert set(frozen_keys(cast.board)) == {"slug"} | of_scoring | MARGINS
    page = organiser.get(PAGE).content.decode()
    assert "The measures are fixed:" in page
    assert 'name="rule"' in page
    assert 'name="cutoff"' not in page
    response = post(organiser, cast.board, official_measure="nDCG@10")
    assert response.status_code == 422
    assert (
        "official_measure: found nDCG@10; expected RR@100 as it is: runs were scored with it."
        in response.content.decode()
    )
    assert post(organiser, cast.board, rule="both").status_code == 302


def test_after_the_first_claim_its_rules_are_frozen(organiser: Client, cast: Cast) -> None:
    settled(cast, "first", 4)
    settled(cast, "better", 1, team=cast.other_team, user=cast.stranger)
    assert cast.board.claims.count() == 1
    assert set(frozen_keys(cast.board)) >= CLAIM_RULES
    page = organiser.get(PAGE).content.decode()
    assert "The rules for the top rung are fixed:</b> 1 claim was tested under them." in folded(page)
    changes = {
        "rule": "score",
        "alpha": "0.2",
        "gamma": "planned:5",
        "official_measure": "nDCG@10",
        "cutoff": "10",
    }
    assert set(changes) == CLAIM_RULES
    before = values_of(cast.board)
    for key, value in changes.items():
        response = post(organiser, cast.board, **{key: value})
        assert response.status_code == 422, key
        assert "as it is: a claim was tested under it." in response.content.decode(), key
    assert values_of(cast.board) == before
    assert post(organiser, cast.board, quota="5").status_code == 302, "others may change"


def test_a_claim_that_comes_while_the_form_is_open_freezes_the_rules(cast: Cast) -> None:
    """The check and the change are one transaction; what the page showed before does not count."""
    settled(cast, "first", 4)
    stale = Board.objects.get(pk=cast.board.pk)
    assert "rule" not in frozen_keys(stale)
    settled(cast, "better", 1, team=cast.other_team, user=cast.stranger)
    with pytest.raises(BoardRefusedError, match="rule: found score; expected no_harm as it is"):
        change_policy(stale, {"rule": "score"}, by=cast.organiser)


def test_the_address_cannot_be_changed(cast: Cast) -> None:
    with pytest.raises(BoardRefusedError, match="slug: found elsewhere-2"):
        change_policy(cast.board, {"slug": "elsewhere-2"}, by=cast.organiser)


def test_anyone_is_not_offered_where_no_address_is_verified(organiser: Client, cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=Admission.APPROVED)
    assert 'value="anyone"' not in organiser.get(PAGE).text
    with pytest.raises(BoardRefusedError, match="found 'anyone' on a server without mail"):
        change_policy(cast.board, {"who_may_submit": "anyone"}, by=cast.organiser)


def test_hostile_words_come_out_as_text(organiser: Client, cast: Cast) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    assert post(organiser, cast.board, title=hostile, task=hostile, description=hostile).status_code == 302
    for page in (PAGE, "/b/web-docs/organise/audit/", "/b/web-docs/about/"):
        assert "<img" not in organiser.get(page).content.decode()
