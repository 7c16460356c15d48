"""What a standing campaign does not do: publish over a claim, over labels that moved, or ask one text twice."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast
from tests.web.judging.campaigns import WRONG, draft, give_texts, send, work

from toprung.web.core.models.campaigns import OpenChallenge, PublishBy
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.publish import publish_labels
from toprung.web.services.judging.campaigns.review import new_labels_of
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.campaigns.upkeep import publish_if_due


def replace_labels(cast: Cast, changed: dict[str, str]) -> LabelSet:
    """Another version of the official labels, in force at once, as somebody else published it."""
    before = cast.board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True)
    LabelSet.objects.filter(pk=before.pk).update(is_current=False, superseded_at=timezone.now())
    lines = "".join(f"{query} 0 {changed.get(query, f'rel-{query}')} 1\n" for query in OFFICIAL)
    return LabelSet.objects.create(
        board=cast.board,
        use=before.use,
        name=before.name,
        version=2,
        is_hidden=before.is_hidden,
        n_queries=len(OFFICIAL),
        digest="sha256 another",
        file=ContentFile(lines.encode(), name="v2.txt"),
    )


@pytest.mark.django_db
def test_nothing_is_published_over_a_claim_nor_over_labels_that_moved_meanwhile(cast: Cast) -> None:
    design = {"at_least": 0.5, "publish_by": PublishBy.CHANGES, "publish_changes": 1}
    campaign = draft(cast, design=design, is_standing=True)
    start(campaign, by=cast.organiser)
    work(campaign, "someone")
    reviewed = new_labels_of(campaign)
    changed, *_ = reviewed.changed
    assert changed in WRONG
    assert (reviewed.current.version, reviewed.best[changed]) == (1, (f"other-{changed}-1",))

    settled_at = Submission.objects.get().settled_at
    Submission.objects.update(settled_at=None)  # its claim is being tested
    assert not publish_if_due(campaign)

    judged = set(reviewed.judged)
    left = next(query for query in OFFICIAL if query not in judged)
    replace_labels(cast, {left: "given-meanwhile"})
    found = new_labels_of(Campaign.objects.get(pk=campaign.pk))
    assert found.current.version == 2
    assert found.qrels.to_dict()[left] == {"given-meanwhile": 1}, "what nobody judged is as the version of today says"
    with pytest.raises(CampaignRefusedError, match="expected to look at them first"):
        publish_labels(campaign, changes="As reviewed.", by=cast.organiser, digest=reviewed.qrels.digest)
    assert cast.board.label_sets.filter(use=LabelUse.OFFICIAL).count() == 2

    Submission.objects.update(settled_at=settled_at)
    assert publish_if_due(campaign)
    published = cast.board.label_sets.get(use=LabelUse.OFFICIAL, version=3)
    stored = labels_of(published).to_dict()
    assert (stored[left], stored[changed]) == ({"given-meanwhile": 1}, {f"other-{changed}-1": 1})


@pytest.mark.django_db
def test_a_team_has_so_many_open_challenges_and_nearly_equal_texts_are_one(cast: Cast) -> None:
    campaign = draft(cast, design={"most_per_team": 1}, is_standing=True)
    start(campaign, by=cast.organiser)
    said = "This one says in full how the first question is answered, with the reasons, the sources and an example"
    texts = {"new-q01": f"{said}.", "copy-q01": f"{said} !", "new-q02": "Quite another text about the second question."}
    give_texts(cast.board, cast, texts)

    def first(new: dict[str, str], query: str) -> tuple[str, ...]:
        return (new.get(query, f"other-{query}-1"), f"x-{query}", f"rel-{query}")

    send(cast, lambda query: first({"q01": "new-q01", "q02": "new-q02"}, query))
    run_tasks(raise_failures=True)
    found = OpenChallenge.objects.get(submission__run_id="R2")
    assert (found.n_open, found.n_held_back) == (2, 1)
    queued = CampaignRecords(campaign).read("challenges")
    assert [(each["query_id"], each["challenger"]) for each in queued] == [("q01", "new-q01")]

    send(cast, lambda query: first({"q01": "copy-q01"}, query), name="newer")
    run_tasks(raise_failures=True)
    again = OpenChallenge.objects.get(submission__run_id="R3")
    assert (again.n_open, again.n_held_back) == (1, 0), "it is the challenge that is open already"
    queued = CampaignRecords(campaign).read("challenges")
    assert {each["challenger"] for each in queued} == {"new-q01"}, "its text is asked about once"
