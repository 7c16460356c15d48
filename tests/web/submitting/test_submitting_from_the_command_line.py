"""A run is submitted from the command line: to a real server with its worker, over lines that break."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from tests.web.broken_line import BrokenLine
from tests.web.cast import DEV, even_ranks, run_text
from tests.web.real_board import RealBoard, kill
from tests.web.submitting.terminal import type_in

PAGE = Path(__file__).parents[3] / "docs/howto/submit-from-the-command-line.md"
SERVER_IN_DOCS = "https://board.example.org"
TOPRUNG = str(Path(sys.executable).with_name("toprung"))
MEGABYTE = 1 << 20
PATIENCE = 300.0
"""Seconds for a command: its file may wait behind the scores of all the other tests."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """A server, who may come to it, and a folder to come from."""

    board: RealBoard
    port: int
    tokens: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def environment(self, whose: str, folder: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TOPRUNG_")}
        token = {"TOPRUNG_TOKEN": self.tokens[whose]} if whose else {}
        return kept | token | {"XDG_CONFIG_HOME": str(folder / "config"), "TOPRUNG_SERVER": self.url}


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Where a person types commands, in a folder with a run and its words."""

    site: Site
    folder: Path
    name: str

    def type(
        self, *arguments: str, whose: str = "bound", stdin: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [TOPRUNG, *arguments],
            cwd=self.folder,
            env=self.site.environment(whose, self.folder) | more,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def submit(self, board: str, *options: str, whose: str = "bound", **more: str) -> subprocess.CompletedProcess[str]:
        return self.type("submit", board, "run.txt", "--meta", "meta.json", *options, whose=whose, **more)

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        return self.site.board.ask(question)

    def count_runs(self) -> int:
        ((count,),) = self.ask(f"SELECT count(*) FROM web_submission WHERE name = '{self.name}'")
        return int(count)

    def make_large(self) -> None:
        """Nine megabytes, three pieces of what a client sends at once: under a long tag, of this test alone."""
        lines = []
        for query_id, rank_of_answer in even_ranks(2).items():
            for rank in range(1, 1001):
                document = f"rel-{query_id}" if rank == rank_of_answer else f"other-{query_id}-{rank}"
                lines.append(f"{query_id} Q0 {document} {rank} {2000 - rank} {self.name:-<120}\n")
        (self.folder / "run.txt").write_text("".join(lines))
        assert (self.folder / "run.txt").stat().st_size > 9 * MEGABYTE


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    board = RealBoard(tmp_path_factory.mktemp("site") / "data")
    try:
        tokens = board.call("boards_to_submit_to")
        port = board.serve()
        board.start("-m", "tests.web.dying_worker")
        yield Site(board=board, port=port, tokens=tokens)
    finally:
        board.stop()


@pytest.fixture
def line(site: Site) -> Iterator[BrokenLine]:
    line = BrokenLine(site.port)
    yield line
    line.stop()


@pytest.fixture
def desk(site: Site, tmp_path: Path, request: pytest.FixtureRequest) -> Desk:
    name = request.node.name.removeprefix("test_")[:60]
    (tmp_path / "run.txt").write_bytes(run_text(even_ranks(2)))
    (tmp_path / "meta.json").write_text(json.dumps({"run": name, "description": "New.", "tags": ["dense"]}))
    return Desk(site=site, folder=tmp_path, name=name)


def test_a_run_is_checked_submitted_followed_and_its_result_shown(desk: Desk) -> None:
    (desk.folder / "run.txt").write_bytes(run_text(even_ranks(1)))
    done = desk.submit("web-docs")
    assert done.returncode == 0, done.stderr
    assert "submissions in any 30 days are left." in done.stderr
    assert "run.txt: Accepted" in done.stderr
    assert "Dry run on the public dev labels, 3 queries: RR@100 1.0000" in done.stderr
    # Every answer at rank 1, where the runs of the other tests have rank 2: it scores above each holder, and claims.
    assert f"{desk.name} is done: RR@100 1.000 (95% interval 1.000 to 1.000)." in done.stdout
    assert "The claim of R" in done.stdout
    assert "/b/web-docs/runs/R" in done.stdout
    (found,) = desk.ask(f"SELECT said, tags FROM web_submission WHERE name = '{desk.name}'")
    said, tags = (json.loads(each) if isinstance(each, str) else each for each in found)
    assert (said["description"], tags) == ("New.", ["dense"])


def test_a_dry_run_costs_nothing(desk: Desk) -> None:
    charged = desk.ask("SELECT count(*) FROM web_charge")
    done = desk.submit("scarce", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("Nothing was submitted, and nothing was counted.\n")
    assert "Dry run on the public dev labels" in done.stderr
    assert desk.ask("SELECT count(*) FROM web_charge") == charged


def test_a_file_with_faults_is_not_even_sent(desk: Desk) -> None:
    (desk.folder / "run.txt").write_text("q01 Q0 a 1 high t\nq01 Q0 b 2 1 t\n")
    sent = desk.ask("SELECT count(*) FROM web_upload")
    done = desk.submit("web-docs")
    assert done.returncode == 2
    assert "line 1: found score 'high'; expected a number" in done.stderr
    assert "Nothing was sent." in done.stderr
    assert desk.ask("SELECT count(*) FROM web_upload") == sent


def test_a_file_that_the_server_refuses_is_explained_and_costs_nothing(desk: Desk) -> None:
    """Its form is right, and none of its queries is of the board: only the server knows that."""
    (desk.folder / "run.txt").write_text("x1 Q0 a 1 1 t\n")
    done = desk.submit("web-docs")
    assert done.returncode == 2
    assert "run.txt: Cannot be scored yet: 1 error" in done.stderr
    assert "error, whole file: None of the 60 queries of this board is in the file." in done.stderr
    assert done.stderr.endswith("Nothing was submitted, and nothing was counted.\n")
    assert desk.count_runs() == 0


def test_a_line_that_is_cut_in_the_middle_is_gone_on_with(desk: Desk, line: BrokenLine) -> None:
    desk.make_large()
    line.cut_after = [MEGABYTE, 2 * MEGABYTE, MEGABYTE]
    done = desk.submit("web-docs", "--no-wait", TOPRUNG_SERVER=line.url)
    assert done.returncode == 0, done.stderr
    assert line.cut_after == []
    assert desk.count_runs() == 1
    digest = hashlib.sha256((desk.folder / "run.txt").read_bytes()).hexdigest()
    assert desk.ask(f"SELECT count(*) FROM web_upload WHERE digest = 'sha256:{digest}'") == [(1,)]


def test_after_kill_9_another_process_goes_on_where_the_file_was(desk: Desk, line: BrokenLine) -> None:
    desk.make_large()
    line.stand_still_after = 6 * MEGABYTE  # in the second piece
    client = subprocess.Popen(
        [TOPRUNG, "submit", "web-docs", "run.txt", "--meta", "meta.json"],
        cwd=desk.folder,
        env=desk.site.environment("bound", desk.folder) | {"TOPRUNG_SERVER": line.url},
        stderr=subprocess.DEVNULL,
    )
    assert line.stands_still.wait(PATIENCE)
    kill(client)
    assert desk.count_runs() == 0
    unfinished = "SELECT received FROM web_partialupload WHERE upload_id IS NULL"
    assert desk.ask(unfinished) == [(4 * MEGABYTE,)]
    line.stand_still_after, line.carried = None, 0
    done = desk.submit("web-docs", "--no-wait", TOPRUNG_SERVER=line.url)
    assert done.returncode == 0, done.stderr
    assert line.carried < 6 * MEGABYTE, "only what was missing was sent"
    assert desk.ask(unfinished) == []
    assert desk.count_runs() == 1


def test_the_same_command_again_finds_the_run_that_is_there(desk: Desk) -> None:
    assert desk.submit("web-docs", "--no-wait").returncode == 0
    again = desk.submit("web-docs")
    assert again.returncode == 2
    assert f"found '{desk.name}', which R" in again.stderr
    assert desk.count_runs() == 1


def test_where_none_is_left_nothing_is_sent(desk: Desk) -> None:
    first = desk.submit("scarce", "--no-wait", whose="second")
    assert first.returncode == 0, first.stderr
    sent = desk.ask("SELECT count(*) FROM web_upload")
    done = desk.submit("scarce", "--name", "another", whose="second")
    assert done.returncode == 2
    assert "Found no submission left. None of 1 submission in any 30 days is left; the next frees on" in done.stderr
    assert desk.ask("SELECT count(*) FROM web_upload") == sent


def test_a_closed_board_takes_nothing(desk: Desk) -> None:
    done = desk.submit("closed")
    assert (done.returncode, "Found a board that takes no submissions now" in done.stderr) == (2, True)


def test_a_token_that_ended_is_told_from_a_board_that_is_not_there(desk: Desk) -> None:
    done = desk.submit("web-docs", whose="expired")
    assert done.returncode == 2
    assert "Found a token that does not work" in done.stderr
    assert f"Then run: toprung login {desk.site.url}" in done.stderr
    missing = desk.submit("no-such-board")
    assert missing.returncode == 2
    assert f"Found nothing that you may see by the name boards/no-such-board at {desk.site.url}" in missing.stderr
    assert "Without a token" not in missing.stderr, "it was asked with one"


def test_a_token_that_may_only_read_submits_nothing(desk: Desk) -> None:
    done = desk.submit("web-docs", whose="reader")
    assert (done.returncode, "Found a token that may not submit" in done.stderr) == (2, True)


def test_a_token_of_one_team_does_nothing_for_another(desk: Desk) -> None:
    done = desk.submit("web-docs", "--team", "second-team")
    assert (done.returncode, "Found team 'second-team' and a token for 'kestrel-lab' alone" in done.stderr) == (2, True)
    several = desk.submit("web-docs", whose="participant")
    assert several.returncode == 2
    assert "Found several teams of yours; expected --team with one of kestrel-lab, second-team." in several.stderr


def test_status_shows_the_runs_of_ones_own_team_alone(desk: Desk) -> None:
    assert desk.submit("web-docs", "--no-wait").returncode == 0
    mine = desk.type("status", "web-docs", "-f", "json")
    runs = json.loads(mine.stdout)["runs"]
    assert desk.name in {run["name"] for run in runs}
    assert {run["team"] for run in runs} == {"Kestrel Lab"}
    theirs = desk.type("status", "web-docs", whose="stranger")
    assert "You have 1 run on web-docs: 1 done." in theirs.stdout
    label = next(run["label"] for run in runs if run["name"] == desk.name)
    followed = desk.type("status", "web-docs", label, "--follow")
    assert (followed.returncode, f"{label} {desk.name} is done" in followed.stdout) == (0, True)


def test_everyone_sees_the_board_in_the_terminal(desk: Desk) -> None:
    shown = desk.type("board", f"{desk.site.url}/b/web-docs/", whose="")
    assert shown.returncode == 0, shown.stderr
    sentence, _, header, *_ = shown.stdout.splitlines()
    best = r"[\w-]+ (does best, beyond chance|is the only run)|\w+ runs may be best: [\w-]+"
    too_many = r"\d+ queries cannot yet say which of \d+ runs is best; [\w-]+, [\w-]+ and [\w-]+ score highest"
    assert re.match(f"{best}|{too_many}", sentence), "whichever runs came before"
    assert " ".join(header.split()).startswith("place rank may be best run team date RR@100 95% answered ESL")
    assert "R1 holder" in shown.stdout
    assert "Labels v1." in shown.stdout


def test_logging_in_says_who_one_is_and_keeps_the_token(desk: Desk) -> None:
    done = desk.type("login", desk.site.url, "--token-stdin", whose="", stdin=desk.site.tokens["bound"] + "\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"You are Participant at {desk.site.url}, for the team kestrel-lab alone.")
    assert "The token may read and submit, until 20" in done.stdout
    assert desk.type("status", "web-docs", whose="").returncode == 0
    gone = desk.type("logout", whose="")
    assert (gone.returncode, "is forgotten here" in gone.stdout) == (0, True)
    assert desk.type("status", "web-docs", whose="").returncode == 2


def test_a_wrong_token_is_not_kept(desk: Desk) -> None:
    done = desk.type("login", desk.site.url, "--token-stdin", whose="", stdin="trt_" + "x" * 43)
    assert (done.returncode, "Found a token that does not work" in done.stderr) == (2, True)
    assert not (desk.folder / "config").exists()


@pytest.mark.parametrize("has_terms", [False, True])
def test_the_commands_of_the_page_data_run_for_who_was_never_here(desk: Desk, has_terms: bool) -> None:
    """As they stand there, but for the address, which the board under test does not know of itself: at a terminal that
    knows no server and no token, by somebody who types the token and agrees where they are asked to.
    """
    terms = "Use it for research." if has_terms else ""
    desk.site.board.call("data_under_terms", terms=terms)
    name = f"newcomer-{has_terms}"
    page = urlopen(f"{desk.site.url}/b/web-docs/data/").read().decode()
    found = [html.unescape(each) for each in re.findall(r'<pre class="code"[^>]*>(.*?)</pre>', page, re.DOTALL)]
    commands = [line for each in found for line in each.splitlines() if line.startswith(("toprung", "echo"))]
    steps = [command.split()[1] for command in commands if command.startswith("toprung")]
    assert steps == (["login", "data", "submit", "submit"] if has_terms else ["data", "login", "submit", "submit"])
    (desk.folder / "dev.run.gz").write_bytes(gzip.compress(run_text(dict.fromkeys(DEV, 2))))
    (desk.folder / "my.run.gz").write_bytes(gzip.compress(run_text(even_ranks(2))))
    named = [line.replace("http://localhost:8000", desk.site.url).replace("my-run", name) for line in commands]
    environment = desk.site.environment("", desk.folder)
    del environment["TOPRUNG_SERVER"]
    environment["PATH"] = f"{Path(TOPRUNG).parent}{os.pathsep}{environment['PATH']}"
    answers = {"Token:": desk.site.tokens["bound"], "[y/N]:": "y"}
    code, said = type_in("\n".join(named), answers=answers, folder=desk.folder, environment=environment)
    assert code == 0, said
    assert (desk.folder / "web-docs" / "labels-dev-v1.txt").read_text().startswith("d01 0 rel-d01 1\n")
    assert (desk.folder / "web-docs" / "queries.tsv").read_text() == "q01\twho\n"
    assert "A dry run, with the dev queries alone" in said
    assert "Dry run on the public dev labels, 3 queries: RR@100 0.5000" in said
    assert f"{name} is done: RR@100" in said
    board = json.loads(urlopen(f"{desk.site.url}/b/web-docs/export.json").read())
    assert [run["tags"] for run in board["runs"] if run["name"] == name] == [[]]


def commands_of_the_page() -> list[tuple[str, str]]:
    """The commands that need a server, each with what the page says that it prints."""
    blocks = re.findall(r"```text\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [found for block in blocks for found in re.findall(r"\$ (.+)\n((?:(?!\$ ).*\n)*)", block)]


def without_what_changes(text: str) -> str:
    """Dates are of the day; states that are passed quickly are not always seen."""
    kept = re.sub(r"R1 kestrel-xl is (queued|being scored|scored[^\n]*)\.\n", "", text)
    return re.sub(r"\d{4}-\d{2}-\d{2}", "2026-11-15", kept)


def test_the_page_of_the_docs_says_what_happens(desk: Desk) -> None:
    (said,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (desk.folder / "meta.json").write_text(said)
    (desk.folder / "run.txt.gz").write_bytes(gzip.compress(run_text(even_ranks(2))))
    (desk.folder / "token.txt").write_text(desk.site.tokens["bound"])
    config = desk.folder / ".config"
    environment = desk.site.environment("", desk.folder) | {"XDG_CONFIG_HOME": str(config)}
    del environment["TOPRUNG_SERVER"]
    environment["PATH"] = f"{Path(TOPRUNG).parent}{os.pathsep}{environment['PATH']}"
    commands = commands_of_the_page()
    assert [command.split()[1] for command, _ in commands] == ["login", "submit", "submit", "status", "board"]
    for command, expected in commands:
        done = subprocess.run(
            command.replace(SERVER_IN_DOCS, desk.site.url),
            shell=True,
            cwd=desk.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        printed = done.stdout.replace(desk.site.url, SERVER_IN_DOCS).replace(str(config), "~/.config")
        printed = printed.replace("http://localhost:8000", SERVER_IN_DOCS)  # as the board under test calls itself
        assert without_what_changes(printed) == without_what_changes(expected), command
