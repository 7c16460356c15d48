"""Below the table stands what the next claim could show, or that it could show nothing."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import OFFICIAL, Cast, make_labels
from tests.web.reading import folded
from tests.web.runs import settled

from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.services.results.compute import compute_results


@pytest.mark.parametrize("queries", [40, 9])
def test_a_board_on_which_no_claim_can_pass_says_so(client: Client, cast: Cast, queries: int) -> None:
    """Better on every one of 9 queries p is 2/2⁹ = 0.0039, and the second claim is held to 0.0019."""
    LabelSet.objects.filter(board=cast.board, use=LabelUse.OFFICIAL).delete()
    make_labels(cast.board, LabelUse.OFFICIAL, OFFICIAL[:queries], is_hidden=False)
    settled(cast, "first", 8)
    settled(cast, "second", 2, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)
    page = folded(client.get("/b/web-docs/").content.decode())
    said = "On so few queries no claim can pass, were the run better on every one. Claim 2 is held to 0.0019."
    assert (said in page) == (queries == 9)
