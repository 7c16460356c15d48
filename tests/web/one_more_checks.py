"""What was declared in one place is everywhere; collected only beside the plugin `one_more`."""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.test import Client
from tests.client.board_server import SLUG, TOKEN, BoardServer
from tests.every_result import make_results
from tests.web.api.calling import Program, program_of
from tests.web.cast import Cast
from tests.web.runs import WORDS, accepted, post_words, settled

from toprung import read_metadata
from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.archive.rows import Row
from toprung.cli.hosted.submit import submit
from toprung.client.connection import Connection
from toprung.client.hosted_board import read_hosted_board
from toprung.client.run_card_file import read_card
from toprung.report.writers import to_csv
from toprung.web.core.models.people import Scope
from toprung.web.core.models.runs import Submission
from toprung.web.services.bundle.fields import decode, encode
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.django_db
RUN = "/boards/web-docs/runs/R1"


@pytest.fixture
def run(cast: Cast) -> Submission:
    return settled(cast, "first", 2, description="New.", licence="MIT")


@pytest.fixture
def program(cast: Cast) -> Program:
    return program_of(cast.participant, Scope.READ, Scope.SUBMIT)


class TestAFieldOfACard:
    def test_metadata_files_have_it(self, tmp_path: Path) -> None:
        (tmp_path / "runs.csv").write_text("run,license\na,MIT\n")
        known = read_metadata(tmp_path / "runs.csv")
        assert (known.by_run["a"].card().to_json()["licence"], known.ignored_columns) == ("MIT", ())

    def test_the_client_reads_and_sends_it(self, tmp_path: Path) -> None:
        (tmp_path / "meta.json").write_text(json.dumps({"licence": "MIT"}))
        assert read_card(tmp_path / "meta.json").card.to_json()["licence"] == "MIT"
        assert "embargo_until, licence." in " ".join(CliRunner().invoke(submit, ["--help"]).output.split())

    def test_the_form_asks_for_it(self, client: Client, cast: Cast) -> None:
        client.force_login(cast.participant)
        page = client.get("/b/web-docs/submit/").content.decode()
        assert 'name="licence"' in page
        assert "Type, cost, latency, system, seed and licence" in page
        assert "Found 21 letters" in post_words(client, cast, accepted(cast), licence="x" * 21).content.decode()
        assert post_words(client, cast, accepted(cast), licence=" MIT ").status_code == 302
        assert Submission.objects.get().card.to_json()["licence"] == "MIT"

    @pytest.mark.usefixtures("run")
    def test_the_page_of_the_run_shows_it_and_how_it_was_edited(self, client: Client, cast: Cast) -> None:
        client.force_login(cast.participant)
        client.post("/b/web-docs/runs/R1/edit/", WORDS | {"licence": "BSD"})
        page = " ".join(client.get("/b/web-docs/runs/R1/").content.decode().split())
        assert "<dt>Licence</dt> <dd>BSD</dd>" in page
        assert '<span class="what">Licence</span> <span class="fix">was “MIT”, is “BSD”</span>' in page

    def test_organisers_read_what_the_column_is_called(self, client: Client, cast: Cast) -> None:
        client.force_login(cast.organiser)
        assert ", seed, licence, embargo_until, is_baseline." in client.get("/b/web-docs/organise/import/").text

    @pytest.mark.usefixtures("run")
    def test_programs_send_and_get_it(self, program: Program) -> None:
        assert program.get(RUN)["licence"] == "MIT"
        assert program.ask("PATCH", RUN, {"licence": "BSD"}).json()["licence"] == "BSD"
        schemas = Client().get("/api/v1/openapi.json").json()["components"]["schemas"]
        for name in ("RunCardIn", "NewRunIn"):
            assert schemas[name]["properties"]["licence"]["description"] == "Under which others may use it."
        assert schemas["RunOut"]["properties"]["licence"]["type"] == "string"

    def test_it_is_kept_back_while_the_run_is_anonymous(self, client: Client, cast: Cast, run: Submission) -> None:
        stranger = program_of(cast.stranger, Scope.READ)
        assert (stranger.get(RUN)["licence"], "Licence" in client.get("/b/web-docs/runs/R1/").text) == ("MIT", True)
        Submission.objects.update(anonymous_until=run.submitted_at.date() + timedelta(days=30))
        assert (stranger.get(RUN)["licence"], "Licence" in client.get("/b/web-docs/runs/R1/").text) == ("", False)

    def test_bundles_have_it(self, run: Submission) -> None:
        written = encode(run)
        assert written["licence"] == "MIT"
        read = decode(Submission, Row(source="runs.jsonl", line=1, values=json.loads(json.dumps(written))))
        assert read.card == run.card


class TestAColumnOfARow:
    def test_the_library_tells_it(self) -> None:
        found = next(each for each in make_results().values() if isinstance(each, Leaderboard))
        assert found.to_dict()["rows"][0]["depth"] == 100
        assert found.to_frame()["depth"][0] == 100
        assert next(csv.DictReader(to_csv(found).splitlines()))["depth"] == "100"

    @pytest.mark.usefixtures("run")
    def test_a_hosted_board_stores_it_and_tells_organisers_alone(self, client: Client, cast: Cast) -> None:
        compute_results(cast.board.pk)
        files = {}
        for user in (cast.organiser, cast.stranger):
            client.force_login(user)
            content = client.get("/b/web-docs/export.csv").content.decode()
            files[user] = next(csv.DictReader(content.splitlines()))["depth"]
        assert files == {cast.organiser: "100", cast.stranger: ""}
        (shown,) = program_of(cast.organiser, Scope.READ, Scope.ORGANISE).get("/boards/web-docs/standings")["items"]
        assert shown["depth"] == 100
        schema = Client().get("/api/v1/openapi.json").json()["components"]["schemas"]["StandingOut"]
        assert schema["properties"]["depth"]["description"] == "How deep the ranking goes."

    def test_the_client_has_it(self) -> None:
        server = BoardServer()
        server.standings = [{"run": "R1", "depth": 100}]
        try:
            connection = Connection(server=server.url, token=TOKEN)
            header, (cells,) = read_hosted_board(connection, SLUG, limit=1).tidy_rows()
        finally:
            server.stop()
        assert dict(zip(header, cells, strict=True))["depth"] == 100
