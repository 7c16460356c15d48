"""TLS before the board, mail by TLS and a login, files in a bucket: someone signs up, submits, and is told the score.

All of it for real, on this machine: nginx with the configuration of the docs, a mail server that takes nothing without
TLS and a login, an S3 server, the web server and a worker as processes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.web.a_proxy import NGINX, Proxy
from tests.web.buckets import Bucket, a_bucket
from tests.web.deploying.test_behind_a_proxy import ADDRESS, EXAMPLES, Person, multipart
from tests.web.mail_server import MailServer, a_mail_server
from tests.web.working.test_running_apart import Part, Web
from tests.web.working.test_serving import toprung, wait_for

pytestmark = pytest.mark.skipif(
    NGINX is None,
    reason="NO NGINX: TLS, mail and S3 together are NOT TRIED. Install it, such as: apt-get install nginx",
)
BOARD = "/b/harbour-questions"


def a_run() -> bytes:
    """With an answer to every query that the board has labels of."""
    files = (EXAMPLES / "board-labels").glob("*.txt")
    queries = sorted({line.split()[0] for file in files for line in file.read_text().splitlines()})
    return "".join(f"{query} Q0 d{rank} {rank} {9 - rank} run\n" for query in queries for rank in (1, 2)).encode()


@dataclass(frozen=True, kw_only=True)
class Everything:
    proxy: Proxy
    mail: MailServer
    bucket: Bucket
    parts: list[Part]


@pytest.fixture
def everything(tmp_path: Path) -> Iterator[Everything]:
    """A board that anyone with a verified address may submit to."""
    for name in ("mail", "nginx"):
        (tmp_path / name).mkdir()
    (tmp_path / "board-labels").symlink_to(EXAMPLES / "board-labels")
    text = re.sub(r"^(opens|closes)_at = .*\n", "", (EXAMPLES / "board.toml").read_text(), flags=re.MULTILINE)
    (tmp_path / "board.toml").write_text(text.replace('who_may_submit = "approved"', 'who_may_submit = "anyone"'))
    with ExitStack() as stack:
        bucket, mail = stack.enter_context(a_bucket()), stack.enter_context(a_mail_server(tmp_path / "mail"))
        said = {"TOPRUNG_URL": ADDRESS, "TOPRUNG_MAIL_FROM": "board@example.org", **bucket.variables, **mail.variables}
        for command in (("migrate",), ("host", "create", tmp_path / "board.toml")):
            done = toprung(*command, "--data", tmp_path / "data", **said)
            assert done.returncode == 0, done.stderr
        parts = [Web(tmp_path / "data", **said), Part(tmp_path / "data", "worker", **said)]
        proxy = Proxy(tmp_path / "nginx", parts[0].port)
        for started in (*parts, proxy):
            stack.callback(started.stop)
        yield Everything(proxy=proxy, mail=mail, bucket=bucket, parts=parts)


class Newcomer(Person):
    """Who makes an account and confirms their address by the link in the mail."""

    def __init__(self, everything: Everything) -> None:
        self.proxy, self.cookies = everything.proxy, dict[str, str]()
        fields = {"name": "Ada Lovelace", "email": "ada@example.org", "password1": "difference engine"}
        assert self.post("/accounts/signup/", fields).status == 302
        confirm = wait_for(lambda: everything.mail.find("confirm your address"))
        [link] = [line for line in confirm.get_content().splitlines() if line.startswith(ADDRESS)]
        assert self.post(link.removeprefix(ADDRESS), {}).status == 302


def test_someone_signs_up_submits_and_is_told_the_score(everything: Everything) -> None:
    ada = Newcomer(everything)
    assert ada.post("/teams/new/", {"name": "Ada and others"}).status == 302
    sent = ada.send(f"{BOARD}/uploads/", *multipart(ada, a_run()))
    number = sent.getheader("Location").rpartition("=")[2]
    fields = {"upload": number, "name": "first", "description": "The first of all."}
    wait_for(lambda: ada.post(f"{BOARD}/submit/", fields, at=f"{BOARD}/submit/?upload={number}").status == 302)
    told = wait_for(lambda: everything.mail.find("R1 first is scored on Harbour questions"))
    assert (told["To"], told["From"]) == ("ada@example.org", "board@example.org")
    assert f"{ADDRESS}{BOARD}/runs/R1/" in told.get_content()
    folders = {
        name.removeprefix(f"{everything.bucket.prefix}/").partition("/")[0] for name in everything.bucket.names()
    }
    assert folders == {"labels", "uploads", "runs"}
    assert not [part.printed for part in everything.parts if "Traceback" in part.printed]
