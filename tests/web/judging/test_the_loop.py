"""From a draft to labels that keep themselves current: the whole way of a campaign, on its pages, short.

Run R1 has the label second on all 40 queries, and the better answer of ten of them first: ½ on each under version 1.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import WRONG, best_of, draft, give_texts, send, work
from tests.web.judging.reading import come, judge_all_on_pages, judge_task
from tests.web.moving import export

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.labels.best.preference_qrels import write_preference_qrels
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.web.core.models.campaigns import CampaignReport, OpenChallenge, PublishBy
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.columns import labels_of, official_labels
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.provenance import shorten
from toprung.web.services.bundle.campaigns_out import RECORDED
from toprung.web.services.judging.campaigns.excluding import exclude, restore
from toprung.web.services.judging.campaigns.export import copy_records, export_campaign
from toprung.web.services.judging.campaigns.importing import take_folder
from toprung.web.services.judging.campaigns.live import RENEWED_AFTER
from toprung.web.services.judging.campaigns.new_labels import NewLabels
from toprung.web.services.judging.campaigns.pay import list_pay
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.review import new_labels_of
from toprung.web.services.judging.campaigns.start import start

BETTER = "This one says in full how q01 is answered, and why."
REASON = "Always the left side, seen in the table."


def organiser_of(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.organiser)
    return client


def page(client: Client, name: str, cast: Cast, *more: object) -> str:
    response = client.get(reverse(name, args=[cast.board.slug, *more]))
    assert response.status_code == 200, (name, response.status_code)
    return response.content.decode()


@dataclass(frozen=True, kw_only=True)
class Way:
    """One campaign, followed by its organiser."""

    cast: Cast
    campaign: Campaign
    client: Client

    def page(self, name: str, *more: object) -> str:
        return page(self.client, name, self.cast, self.campaign.slug, *more)

    def post(self, name: str, **fields: str) -> None:
        response = self.client.post(reverse(name, args=[self.cast.board.slug, self.campaign.slug]), fields)
        assert response.status_code == 302, (name, response.status_code)
        run_tasks(raise_failures=True)
        self.campaign.refresh_from_db()

    def wait_for_news(self) -> None:
        """The page is open for a while: it asks for what a task computes."""
        CampaignReport.objects.update(computed_at=timezone.now() - 2 * RENEWED_AFTER)
        self.page("campaign_news")
        run_tasks(raise_failures=True)

    def scores(self) -> dict[str, float]:
        """Of runs, as the file of the board says now."""
        told = self.client.get(f"/b/{self.cast.board.slug}/export.json").json()
        return {each["run"]: each["score"] for each in told["runs"]}

    def new_labels(self) -> NewLabels:
        return new_labels_of(Campaign.objects.get(pk=self.campaign.pk))


def start_with_a_pilot(way: Way) -> None:
    assert "queries get a best answer you can rely on" in way.page("campaign")
    way.post("start_campaign", pilot="1", tasks="4")
    assert (way.campaign.state, way.campaign.pilot_tasks) == (CampaignState.PILOT, 4)
    way.post("start_campaign", pilot="0")
    assert way.campaign.state == CampaignState.RUNNING


def exclude_the_careless(way: Way) -> None:
    """Found by the table, taken out of use, paid all the same; the pairs are asked of others."""
    careless = come(way.campaign)
    assert all(judge_task(careless, is_careless=True) for _ in range(4))
    name = careless.visit().seat.assessor
    careful = [come(way.campaign) for _ in range(5)]
    judge_all_on_pages(careful)
    way.wait_for_news()
    assert "queries are decided after" in way.page("campaign")
    people = way.page("campaign_assessors")
    assert people.count("! look") == 1
    assert "chose as most others did on" in people
    exclude(way.campaign, name, reason=REASON, by=way.cast.organiser)
    due = {row.assessor: row for row in list_pay(way.campaign)}[name]
    assert (due.n_done, due.n_not_used, due.amount) == (4, 4, Decimal("8.00"))
    judge_all_on_pages(careful)


def publish_nine_of_ten(way: Way) -> NewLabels:
    """One is refused with a reason, and keeps its old label."""
    assert way.scores() == {"R1": pytest.approx(0.5)}
    way.page("review_labels")
    run_tasks(raise_failures=True)
    review = way.page("review_labels")
    assert "10 queries get another best answer" in review
    assert "This is what other-q01-1 says" in review
    # R1 had the answer at rank 2 everywhere, and would have it first on ten of forty queries: 10 × ½ / 40
    assert way.campaign.reports.get(kind="review").content["runs"][0]["change"][0] == "+0.1250"
    way.post("judge_label", query_id=WRONG[-1], reason="The old one answers it as well.")
    found = way.new_labels()
    assert found.changed == WRONG[:-1]
    downloaded = download(way)
    way.post("publish_campaign", changes="Nine were judged again.", digest=found.qrels.digest)
    labels = official_labels(way.cast.board)
    assert (labels.version, labels.source) == (2, "preference")
    assert way.scores() == {"R1": pytest.approx((9 + 31 / 2) / 40)}
    stored = labels_of(labels).to_dict()
    assert (stored["q01"], stored[WRONG[-1]]) == ({"other-q01-1": 1}, {f"rel-{WRONG[-1]}": 1})
    assert downloaded == label_file(way, 2), "what was reviewed is what was published"
    assert labels.origin.manifest["rule"] == "strength"
    said = (
        f"Found by strength (λ = {found.standing.prior.penalty:.2f}) from judgments {shorten(found.judgments.digest)}."
    )
    assert said in page(way.client, "label_versions", way.cast)
    assert labels.origin.manifest["judgments_digest"] == found.judgments.digest
    assert labels.origin.doubt["chances"]["q01"]["other-q01-1"] >= 90, "in percent, for the label needs .9"
    assert "queries are in doubt: that moves scores by ±" in page(way.client, "leaderboard", way.cast)
    return found


def download(way: Way) -> bytes:
    """The next version before it is published; with it what votes decided, and the manifest of that. On record."""
    here = reverse("download_new_labels", args=[way.cast.board.slug, way.campaign.slug])
    with ZipFile(io.BytesIO(way.client.get(here).content)) as archive:
        manifest = json.loads(archive.read("second-look-v2/decided.qrels.manifest.json"))
        assert b"q01 0 other-q01-1 1" in archive.read("second-look-v2/decided.qrels").splitlines()
        whole = archive.read("second-look-v2/second-look-v2.txt")
    assert (manifest["rule"], manifest["at_least"]) == ("strength", 0.9)
    assert manifest["judgments_digest"] == way.new_labels().judgments.digest
    assert way.cast.board.label_accesses.latest("pk").what == "Exported labels, official v1"
    return whole


def decided_by_command(way: Way, folder: Path) -> Path:
    """What the tournament says of the folder that the campaign was exported to."""
    packed = way.client.get(reverse("export_judgments", args=[way.cast.board.slug, way.campaign.slug, "folder"]))
    with ZipFile(io.BytesIO(packed.content)) as archive:
        archive.extractall(folder)
    asked = ["labels", "tournament", "--state", str(folder / way.campaign.slug), "--rule", "strength"]
    done = CliRunner().invoke(app, [*asked, "--at-least", "0.9", "--output", str(folder / "by-command.txt")])
    assert done.exit_code == 0, done.output
    return folder / "by-command.txt"


def same_labels_by_command(way: Way, found: NewLabels, folder: Path) -> None:
    """From the exported folder, byte for byte: what votes decide, and the whole version that was published."""
    decided = decided_by_command(way, folder)
    sheet = json.loads((folder / way.campaign.slug / "sheet.json").read_text())
    assert sheet["judgments_digest"] == found.judgments.digest
    write_preference_qrels(found.version, folder / "by-server.txt")
    assert decided.read_bytes() == (folder / "by-server.txt").read_bytes()
    assert merged(way, decided, version=2) == label_file(way, 2)


def label_file(way: Way, version: int) -> bytes:
    """As it was published."""
    with way.cast.board.label_sets.get(use=LabelUse.OFFICIAL, version=version).file.open("rb") as file:
        return bytes(file.read())


def merged(way: Way, decided: Path, *, version: int) -> bytes:
    """The whole version by command: the labels before it, and what was decided, but for the query that was refused."""
    before, after = decided.with_name(f"v{version - 1}.txt"), decided.with_name(f"v{version}-by-command.txt")
    before.write_bytes(label_file(way, version - 1))
    asked = ["labels", "merge", str(before), str(decided), "--keep", WRONG[-1], "--output", str(after)]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    return after.read_bytes()


def bundle_is_whole(way: Way, folder: Path) -> None:
    """All of it in one file, with texts: verified by command, without a server."""
    path = folder / "loop.toprung"
    export(way.cast.board, path, by=way.cast.organiser, with_texts=True)
    done = CliRunner().invoke(app, ["verify", str(path), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    n_records = sum(len(CampaignRecords(way.campaign).read(kind)) for kind in RECORDED)
    assert (told["campaigns"], told["judging_records"], told["has_texts"]) == (1, n_records, True)
    assert told["label_sets"] == way.cast.board.label_sets.count()


def challenge_and_win(way: Way) -> None:
    """A new run with an answer that nobody has judged: an interval, two votes of three, and version 3 by itself."""
    Campaign.objects.filter(pk=way.campaign.pk).update(is_standing=True)
    give_texts(way.cast.board, way.cast, {"better-q01": BETTER})
    new = send(way.cast, lambda query: ("better-q01" if query == "q01" else best_of(query), f"x-{query}"))
    run_tasks(raise_failures=True)
    challenge = OpenChallenge.objects.get(submission=new)
    assert (challenge.n_open, challenge.n_judged, challenge.n_without_text) == (1, 39, 0)
    assert challenge.if_won is not None
    assert challenge.if_lost is not None
    assert challenge.if_won - challenge.if_lost == pytest.approx(1 / 40)
    # the new run lacks q01, and the query whose new label was refused
    assert way.scores() == {"R1": pytest.approx((9 + 31 / 2) / 40), "R2": pytest.approx(38 / 40)}
    for _ in range(2):
        assert judge_task(come(way.campaign), better=[BETTER])
    run_tasks(raise_failures=True)
    labels = official_labels(way.cast.board)
    assert labels.version == 3
    assert labels_of(labels).to_dict()["q01"] == {"better-q01": 1}
    assert OpenChallenge.objects.get(submission=new).n_open == 0
    assert way.scores() == {"R1": pytest.approx((8 + 31 / 2) / 40), "R2": pytest.approx(39 / 40)}, "by these labels"


@pytest.mark.django_db
def test_a_campaign_becomes_labels_that_keep_themselves_current(cast: Cast, tmp_path: Path) -> None:
    design = {"publish_by": PublishBy.CHANGES, "publish_changes": 1}
    campaign = draft(cast, design=design, access=CampaignAccess.OPEN, shows_hidden_to_strangers=True)
    way = Way(cast=cast, campaign=campaign, client=organiser_of(cast))
    start_with_a_pilot(way)
    exclude_the_careless(way)
    found = publish_nine_of_ten(way)
    same_labels_by_command(way, found, tmp_path)
    challenge_and_win(way)
    assert merged(way, decided_by_command(way, tmp_path / "third"), version=3) == label_file(way, 3)
    bundle_is_whole(way, tmp_path)
    assert find_break(cast.board) is None


@pytest.mark.django_db
def test_judgments_come_back_from_a_folder_once(cast: Cast, tmp_path: Path) -> None:
    campaign = draft(cast)
    start(campaign, by=cast.organiser)
    for name in ("one", "two"):
        work(campaign, name)
    store = CampaignRecords(campaign)
    digest, n = store.read_judgments().digest, len(store.read_judgments())
    copy_records(store, Effort.open_or_create(tmp_path / "folder"))
    source = export_campaign(campaign, "arabzadeh", by=cast.organiser).content.decode().splitlines()
    golds = sum(each.is_gold for each in store.read_judgments().rows)
    assert len(source) == 1 + n - golds  # every pool has the label and one other answer
    assert "\tThis is what rel-" in source[1]
    store.rewrite("judgments", lambda _: None)
    assert take_folder(campaign, Effort.open(tmp_path / "folder"), by=cast.organiser) == n
    assert take_folder(campaign, Effort.open(tmp_path / "folder"), by=cast.organiser) == 0
    assert store.read_judgments().digest == digest
    for name in ("tasks", "judgments"):
        file = tmp_path / "folder" / f"{name}.jsonl"
        file.write_text(2 * file.read_text())
    store.rewrite("judgments", lambda _: None)
    assert take_folder(campaign, Effort.open(tmp_path / "folder"), by=cast.organiser) == n, "every line twice is once"
    assert store.read_judgments().digest == digest
    n_audit = cast.board.audit.count()
    with file.open("a") as lines:
        lines.write('{"judgment_id": 7}\n')
    with pytest.raises(InputError, match="judgments"):
        take_folder(campaign, Effort.open(tmp_path / "folder"), by=cast.organiser)
    assert (store.read_judgments().digest, cast.board.audit.count()) == (digest, n_audit), "nothing half stored"
    other = Effort.open_or_create(tmp_path / "other")
    add_pools(other, [Pool(query_id="elsewhere", items=("a", "b"))])
    with pytest.raises(CampaignRefusedError, match="found a pool of query 'elsewhere'"):
        take_folder(campaign, other, by=cast.organiser)


@pytest.mark.django_db
def test_work_that_was_taken_out_of_use_can_be_put_back(cast: Cast) -> None:
    campaign = draft(cast)
    start(campaign, by=cast.organiser)
    work(campaign, "someone")
    before = new_labels_of(campaign).standing.outcomes
    exclude(campaign, "someone", reason=REASON, by=cast.organiser)
    assert not new_labels_of(campaign).standing.outcomes
    restore(campaign, "a-01", reason="They wrote, and were right.", by=cast.organiser)
    assert new_labels_of(campaign).standing.outcomes == before
    assert cast.board.label_sets.filter(use=LabelUse.OFFICIAL).count() == 1
