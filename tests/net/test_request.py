"""How is one HTTP request made?"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from toprung.net.request import NoReplyError, exchange, is_this_machine


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("X-Said", "hello")
        self.end_headers()
        self.wfile.write(b"well")

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


class _Server(HTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that does not trust it goes away."""


def make_certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """One that nobody else signed, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files


@pytest.fixture(params=["127.0.0.1", "127.0.0.9"], ids=["its own name", "another name"])
def certified(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, Path, bool]]:
    """The address of a server with TLS, its certificate, and whether that is for the address."""
    certificate, key = make_certificate(tmp_path, request.param)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    yield f"https://127.0.0.1:{server.server_port}/", certificate, request.param == "127.0.0.1"
    server.shutdown()
    server.server_close()
    thread.join()


def get(url: str) -> bytes:
    return exchange("GET", url, headers={}, timeout=10, most_bytes=100).body


def test_a_server_is_believed_only_with_a_certificate_that_is_trusted_and_its_own(
    certified: tuple[str, Path, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, certificate, is_its_own = certified
    with pytest.raises(NoReplyError, match="CERTIFICATE_VERIFY_FAILED"):
        get(url)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    if is_its_own:
        assert get(url) == b"well"
    else:
        with pytest.raises(NoReplyError, match="IP address mismatch"):
            get(url)


SHORT = 0.6
PIECES = 200
type Secure = Callable[[socket.socket], socket.socket]


class Dripping:
    """Greets by ``secure`` once ``wait`` is over, then sends one header, byte by byte, until whoever asked is gone."""

    n_sent = 0

    def __init__(self, listener: socket.socket, secure: Secure, wait: float) -> None:
        self.port: int = listener.getsockname()[1]
        self._listener, self._secure, self._wait = listener, secure, wait

    def serve(self) -> None:
        plain, _ = self._listener.accept()
        time.sleep(self._wait)
        try:
            with self._secure(plain) as client:
                client.recv(65_536)
                client.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
                for self.n_sent in range(1, PIECES):
                    client.sendall(b"a")
                    time.sleep(0.02)
                client.sendall(b"\r\nContent-Length: 0\r\n\r\n")
        except OSError:
            return


@contextmanager
def dripping(secure: Secure, wait: float) -> Iterator[Dripping]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Dripping(listener, secure, wait)
        thread = threading.Thread(target=server.serve, daemon=True)
        thread.start()
        yield server
        thread.join()


@pytest.mark.parametrize(("scheme", "connects_in", "greets_in"), [("http", 1.3, 0.0), ("https", 0.6, 0.7)])
def test_the_time_counts_from_before_the_connection_stands(
    scheme: str, connects_in: float, greets_in: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is over before there is anything to read, so not one header is waited for."""
    certificate, key = make_certificate(tmp_path, "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    connect = socket.create_connection

    def connect_slowly(*arguments: Any) -> socket.socket:
        time.sleep(connects_in * SHORT)
        return connect(*arguments)

    def secure(plain: socket.socket) -> socket.socket:
        return context.wrap_socket(plain, server_side=True) if scheme == "https" else plain

    monkeypatch.setattr(socket, "create_connection", connect_slowly)
    with dripping(secure, greets_in * SHORT) as server:
        with pytest.raises(NoReplyError, match=r"in 0\.6 s"):
            exchange("GET", f"{scheme}://127.0.0.1:{server.port}/", headers={}, timeout=SHORT, most_bytes=100)
        sent_by_then = server.n_sent
    assert sent_by_then < PIECES / 2


def test_all_addresses_of_a_name_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def answers_late(address: tuple[str, int], timeout: float, _: object) -> socket.socket:
        tried.append(address)
        time.sleep(timeout)
        raise TimeoutError

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{n}", 80)) for n in range(1, 9)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", answers_late)
    with pytest.raises(NoReplyError, match=r"in 0\.2 s"):
        exchange("GET", "http://many.example/", headers={}, timeout=0.2, most_bytes=100)
    assert tried == [("127.0.0.1", 80)]


@pytest.mark.parametrize(
    ("url", "is_so"),
    [
        ("http://localhost:8000", True),
        ("http://127.9.9.9/", True),
        ("http://[::1]/", True),
        ("http://localhost.example.org", False),
        ("http://10.0.0.1", False),
        ("http://0.0.0.0", False),
    ],
)
def test_this_machine_is_known_by_its_addresses(url: str, is_so: bool) -> None:
    assert is_this_machine(url) == is_so
