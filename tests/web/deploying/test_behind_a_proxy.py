"""A board behind nginx, with the configuration that the docs have: TLS, uploads, slow clients, and who asks."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.web.a_proxy import HOST, NGINX, Proxy
from tests.web.working.test_running_apart import Web
from tests.web.working.test_serving import TOKEN, toprung

EXAMPLES = Path(__file__).parents[3] / "docs/examples"
ADDRESS = f"https://{HOST}"
RUN = "".join(
    f"{query} Q0 d{rank} {rank} {100 - rank} run\n" for query in ("h1", "h2") for rank in range(1, 9)
).encode()
SLOW_CLIENTS = 12
"""More than the eight requests that the web server answers at once: two processes with four threads each."""

pytestmark = pytest.mark.skipif(
    NGINX is None, reason="NO NGINX: the proxy of docs/deploy is NOT TRIED. Install it, such as: apt-get install nginx"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board that is open, without dates."""
    folder = tmp_path_factory.mktemp("proxied")
    (folder / "board-labels").symlink_to(EXAMPLES / "board-labels")
    text = (EXAMPLES / "board.toml").read_text()
    (folder / "board.toml").write_text(re.sub(r"^(opens|closes)_at = .*\n", "", text, flags=re.MULTILINE))
    for command in (("migrate",), ("host", "create", folder / "board.toml")):
        done = toprung(*command, "--data", folder / "data")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def proxy(folder: Path) -> Iterator[Proxy]:
    web = Web(folder / "data", TOPRUNG_URL=ADDRESS, TOPRUNG_MAX_UPLOAD_MB="1", TOPRUNG_LOG_FORMAT="json")
    nginx = folder / "nginx"
    nginx.mkdir()
    proxy = Proxy(nginx, web.port)
    yield proxy
    proxy.stop()
    web.stop()
    assert "Traceback" not in web.printed


class Person:
    """Someone who came by a login link, with their cookies."""

    def __init__(self, proxy: Proxy, folder: Path, email: str) -> None:
        self.proxy = proxy
        made = toprung("login-link", email, "--organiser", "--data", folder / "data", TOPRUNG_URL=ADDRESS)
        assert made.stdout.startswith(f"{ADDRESS}/link/"), made.stderr
        self.cookies: dict[str, str] = {}
        assert self.post(made.stdout.strip().removeprefix(ADDRESS), {}).status == 302

    def post(self, path: str, fields: dict[str, str], *, at: str = "") -> object:
        body = urlencode(fields | {"csrfmiddlewaretoken": self.token(at or path)}).encode()
        return self.send(path, body, "application/x-www-form-urlencoded")

    def send(self, path: str, body: bytes, kind: str) -> object:
        return self._keep(self.proxy.ask("POST", path, body, self.headers(kind)))

    def headers(self, kind: str) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "Content-Type": kind, "Referer": f"{ADDRESS}/", "Origin": ADDRESS}

    def token(self, path: str) -> str:
        page = self._keep(self.proxy.ask("GET", path, None, {"Cookie": self.headers("")["Cookie"]}))
        return TOKEN.search(page.text)[1]

    def _keep(self, response: object) -> object:
        for said in response.headers.get_all("Set-Cookie") or []:
            assert "; Secure" in said or "Max-Age=0" in said, "cookies go by TLS alone"
            name, _, value = said.partition(";")[0].partition("=")
            self.cookies[name] = value
        return response


@pytest.fixture(scope="module")
def person(proxy: Proxy, folder: Path) -> Person:
    person = Person(proxy, folder, "ada@example.org")
    assert person.post("/teams/new/", {"name": "Ada and others"}).status == 302
    return person


def multipart(person: Person, content: bytes) -> tuple[bytes, str]:
    mark = "------------------------a-mark"
    fields = {"csrfmiddlewaretoken": person.token("/b/harbour-questions/submit/"), "team": "ada-and-others"}
    parts = [f'--{mark}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="run.txt"\r\n'
    body = "".join(parts).encode() + head.encode() + b"Content-Type: text/plain\r\n\r\n" + content
    return body + f"\r\n--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


def test_who_comes_without_tls_is_sent_to_it(proxy: Proxy) -> None:
    connection = HTTPConnection("127.0.0.1", proxy.http, timeout=300)
    connection.request("GET", "/boards/?q=x", headers={"Host": HOST})
    response = connection.getresponse()
    assert (response.status, response.getheader("Location")) == (301, f"{ADDRESS}/boards/?q=x")
    connection.close()


def test_pages_come_by_tls_and_browsers_stay_with_it(proxy: Proxy) -> None:
    response = proxy.ask("GET", "/boards/")
    assert response.status == 200
    assert response.getheader("Strict-Transport-Security") == "max-age=31536000"
    assert "Harbour questions" in response.text


def test_what_a_client_says_of_itself_does_not_count(proxy: Proxy) -> None:
    said = {"X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example.org", "X-Request-Id": "forged-forged"}
    response = proxy.ask("GET", "/boards/", None, said)
    assert response.status == 200
    assert re.fullmatch(r"[0-9a-f]{32}", response.getheader("X-Request-Id"))
    assert proxy.ask("GET", "/boards/", None, {"Host": "evil.example.org"}).status == 400


def test_of_who_judges_nothing_is_in_a_log(proxy: Proxy) -> None:
    """With TLS or without, and where the web server does not answer as it should."""
    words, platform_id = "PROLIFIC_PID={}&STUDY_ID=s&SESSION_ID=t", "5f3c2a1b9d8e7f6a5b4c3d2e"
    path = f"/judge/nowhere/?{words.format(platform_id)}"
    connection = HTTPConnection("127.0.0.1", proxy.http, timeout=300)
    connection.request("GET", path, headers={"Host": HOST, "User-Agent": "told-browser"})
    assert connection.getresponse().getheader("Location") == f"{ADDRESS}{path}"
    connection.close()
    assert proxy.ask("GET", path, None, {"User-Agent": "told-browser"}).status == 404
    proxy.ask("GET", "/static/nothing.css", None, {"Referer": f"{ADDRESS}{path}"})
    proxy.ask("GET", "/boards/?q=other-pages-are-there")
    written = proxy.log("other-pages-are-there")
    assert platform_id not in written
    assert "told-browser" not in written
    assert "/judge/" not in written


def test_styles_come_packed(proxy: Proxy) -> None:
    style = re.search(r'href="(/static/toprung/toprung\.[0-9a-f]+\.css)"', proxy.ask("GET", "/").text)[1]
    response = proxy.ask("GET", style, None, {"Accept-Encoding": "gzip"})
    assert response.getheader("Content-Encoding") == "gzip"
    assert response.getheader("Cache-Control") == "max-age=315360000, public, immutable"


def test_who_watches_is_let_in_from_this_machine(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/healthz").text == "ok\n"
    assert proxy.ask("GET", "/readyz").text.endswith("worker: not seen lately\n")
    assert proxy.ask("GET", "/metrics").status == 404  # no token is set


def test_a_file_is_sent(person: Person) -> None:
    response = person.send("/b/harbour-questions/uploads/", *multipart(person, RUN))
    assert response.status == 302, response.text
    assert re.search(r"upload=\d+$", response.getheader("Location"))


def test_the_board_says_what_is_too_large(person: Person) -> None:
    response = person.send("/b/harbour-questions/uploads/", *multipart(person, b"x" * (3 << 20)))
    assert response.status == 413
    assert "Found more than 1 MB; expected a file of at most that." in response.text


def test_what_is_far_too_large_is_not_even_taken(proxy: Proxy) -> None:
    connection = proxy.connect()
    connection.putrequest("POST", "/b/harbour-questions/uploads/")
    connection.putheader("Content-Length", str(600 << 20))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_slow_clients_keep_nobody_waiting(proxy: Proxy, person: Person) -> None:
    """Each has sent half of its file; the web server has not heard of any, and answers others."""
    body, kind = multipart(person, RUN)
    with ExitStack() as ends:
        slow = [_begin(proxy, person, body, kind) for _ in range(SLOW_CLIENTS)]
        for each in slow:
            ends.callback(each.close)
        assert [proxy.ask("GET", "/methods/").status for _ in range(10)] == [200] * 10
        slow[0].send(body[len(body) // 2 :])
        assert slow[0].getresponse().status in (302, 429)


def _begin(proxy: Proxy, person: Person, body: bytes, kind: str) -> HTTPSConnection:
    connection = proxy.connect()
    connection.putrequest("POST", "/b/harbour-questions/uploads/")
    for name, value in (person.headers(kind) | {"Content-Length": str(len(body))}).items():
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(body[: len(body) // 2])
    return connection


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was sent."""

    def do_GET(self) -> None:
        text = "".join(f"{name}: {value}\n" for name, value in self.headers.items()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        pass


def test_the_web_server_is_told_who_asks_and_by_which_name(tmp_path: Path) -> None:
    echo = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=echo.serve_forever, daemon=True).start()
    proxy = Proxy(tmp_path, echo.server_port)
    try:
        said = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "http"}
        lines = proxy.ask("GET", "/", None, said).text.splitlines()
    finally:
        proxy.stop()
        echo.shutdown()
        echo.server_close()
    assert "X-Forwarded-For: 127.0.0.1" in lines
    assert "X-Forwarded-Proto: https" in lines
    assert f"Host: {HOST}" in lines
    assert "192.0.2.1" not in "".join(lines)
