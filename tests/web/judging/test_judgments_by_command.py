"""``toprung host export-judgments`` and ``import-judgments``: to a folder and back, with the same digest, on record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, work

from toprung.cli.main import app
from toprung.cli.server.host import host
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.web.core.models.judging import AssessorSeat
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.privacy import delete_data_of


@pytest.fixture
def store(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> CampaignRecords:
    """Two tasks are judged; Django is set up already, and the database is that of the tests."""
    monkeypatch.setattr("toprung.web.ops.start.open_folder", lambda _: None)
    campaign = start(draft(cast), by=cast.organiser)
    for name in ("one", "two"):
        assert work(campaign, name) is not None
    return CampaignRecords(campaign)


def run(name: str, folder: Path, *, campaign: str = "second-look") -> Result:
    return CliRunner().invoke(host, [name, "web-docs", campaign, str(folder)], catch_exceptions=False)


def on_record(cast: Cast) -> list[str]:
    return [each.what for each in cast.board.audit.order_by("pk")]


def test_a_folder_has_the_digest_of_the_campaign_and_brings_back_what_was_judged_in_it(
    cast: Cast, store: CampaignRecords, tmp_path: Path
) -> None:
    folder, digest = tmp_path / "folder", store.read_judgments().digest
    assert run("export-judgments", folder).output == f"26 judgments of second-look in {folder}, digest {digest}.\n"
    assert Effort.open(folder).read_judgments().digest == digest
    assert on_record(cast)[-1] == "Exported the judgments of second-look as folder"
    assert run("import-judgments", folder).output == "0 judgments added to second-look on Web Docs.\n"

    votes = tmp_path / "votes.jsonl"
    vote = {"query_id": "q01", "left": "rel-q01", "right": "other-q01-1", "choice": "left", "assessor": "colleague"}
    votes.write_text(json.dumps(vote | {"kind": "human"}) + "\n")
    added = CliRunner().invoke(app, ["labels", "import", str(votes), "--state", str(folder)])
    assert added.exit_code == 0, added.output
    there = Effort.open(folder).read_judgments().digest
    assert there != digest
    for said in ("1 judgment", "0 judgments"):
        assert run("import-judgments", folder).output == f"{said} added to second-look on Web Docs.\n"
        assert store.read_judgments().digest == there
    assert "Imported 1 judgment from a folder into second-look" in on_record(cast)
    again = tmp_path / "again"
    assert f"27 judgments of second-look in {again}, digest {there}." in run("export-judgments", again).output


def test_what_somebody_had_deleted_does_not_come_back_with_a_folder_of_before(
    cast: Cast, store: CampaignRecords, tmp_path: Path
) -> None:
    folder = tmp_path / "before"
    run("export-judgments", folder)
    store.rewrite("judgments", lambda each: None if each["assessor"] == "one" else each)
    assert run("import-judgments", folder).output.startswith("13 judgments added"), "lost otherwise, it comes back"
    delete_data_of(AssessorSeat.objects.get(assessor="one"))
    kept = store.read_judgments().digest
    assert run("import-judgments", folder).output.startswith("0 judgments added")
    assert store.read_judgments().digest == kept
    for kind in ("judgments", "assignments"):
        assert {each["assessor"] for each in store.read(kind)} & {"one", "two"} == {"two"}, kind


@pytest.mark.usefixtures("store")
def test_what_cannot_be_done_is_said_and_nothing_is_on_record(cast: Cast, tmp_path: Path) -> None:
    n_before = len(on_record(cast))
    with pytest.raises(InputError, match="Found no campaign 'none' on web-docs; expected one of: second-look"):
        run("export-judgments", tmp_path / "one", campaign="none")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("Mine.")
    with pytest.raises(InputError, match="found something else than a judging effort"):
        run("export-judgments", tmp_path / "full")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"found no manifest\.json; expected the state of a judging effort"):
        run("import-judgments", tmp_path / "empty")
    assert len(on_record(cast)) == n_before
    run("export-judgments", tmp_path / "twice")
    with pytest.raises(InputError, match="found the records of an effort; expected a new folder"):
        run("export-judgments", tmp_path / "twice")
    assert len(on_record(cast)) == n_before + 1
