"""The quota counts the team and the person: nobody gets more looks at hidden labels by founding another team."""

from __future__ import annotations

import pytest
from tests.web.cast import Cast, make_team
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core.models.runs import Charge
from toprung.web.services.people.leaving import leave_team
from toprung.web.services.runs.quota import quota_of
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

pytestmark = pytest.mark.postgres


def test_a_person_does_not_get_more_with_another_team(cast: Cast) -> None:
    settled(cast, "one", 4)
    settled(cast, "two", 5)
    other = make_team("A Second Team", cast.participant, cast.stranger)
    upload = accepted(cast, team=other)
    with pytest.raises(SubmissionRefusedError, match="no submission left: 2 in any 30 days"):
        submit(upload, RunCard(name="three"), by=cast.participant)
    assert Charge.objects.count() == 2


def test_nor_by_leaving_the_first(cast: Cast) -> None:
    settled(cast, "one", 4)
    settled(cast, "two", 5)
    leave_team(cast.team.membership_set.get(user=cast.participant), heir=cast.team.membership_set.get(user=cast.mate))
    other = make_team("A Second Team", cast.participant)
    assert quota_of(cast.board, other, by=cast.participant).left == 0


def test_others_of_the_second_team_have_all_of_theirs(cast: Cast) -> None:
    settled(cast, "one", 4)
    other = make_team("A Second Team", cast.participant, cast.stranger)
    assert quota_of(cast.board, other, by=cast.participant).left == 1
    assert quota_of(cast.board, other, by=cast.stranger).left == 2


def test_what_an_organiser_sent_for_others_is_not_counted_as_theirs(cast: Cast) -> None:
    settled(cast, "imported", 4, user=cast.organiser)
    own = make_team("Organisers", cast.organiser)
    assert quota_of(cast.board, own, by=cast.organiser).left == 2
