"""nginx as the docs set it up, on loopback: its configuration is that of docs/deploy, with other ports and paths."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import ssl
import subprocess
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.web.working.test_serving import wait_for

DEPLOY = Path(__file__).parents[2] / "docs/deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
HOST = "board.example.org"
AROUND = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


class Proxy:
    """A running nginx in front of a port, and how it is asked."""

    def __init__(self, folder: Path, upstream: int) -> None:
        assert NGINX is not None
        self.folder = folder
        listeners = [socket.create_server(("127.0.0.1", 0), backlog=128) for _ in range(2)]
        self.http, self.https = (each.getsockname()[1] for each in listeners)
        make_certificate(folder)
        (folder / "site.conf").write_text(self._site(upstream))
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user))
        command = [NGINX, "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, timeout=300, check=False)
        assert checked.returncode == 0, checked.stderr
        self._start(command, listeners)

    def _start(self, command: list[str], listeners: list[socket.socket]) -> None:
        """With ports that are taken already, as nginx hands them to another of itself: nobody else gets them."""
        numbers = [each.fileno() for each in listeners]
        self.process = subprocess.Popen(
            command,
            env=os.environ | {"NGINX": "".join(f"{number};" for number in numbers)},
            pass_fds=numbers,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for each in listeners:
            each.close()
        wait_for(lambda: socket.create_connection(("127.0.0.1", self.https), timeout=300).close() is None)

    def _site(self, upstream: int) -> str:
        text = (DEPLOY / "nginx.conf").read_text()
        for said, here in (
            ("listen 80;", f"listen 127.0.0.1:{self.http};"),
            ("listen 443 ssl http2;", f"listen 127.0.0.1:{self.https} ssl http2;"),
            ("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};"),
            ("/etc/letsencrypt/live/board.example.org", str(self.folder)),
        ):
            assert said in text, said
            text = text.replace(said, here)
        return text

    def connect(self) -> HTTPSConnection:
        """By TLS, whose certificate is looked at."""
        context = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        connection = HTTPSConnection(HOST, timeout=300, context=context)
        plain = socket.create_connection(("127.0.0.1", self.https), timeout=300)
        connection.sock = context.wrap_socket(plain, server_hostname=HOST)
        return connection

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        connection = self.connect()
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        response.text = response.read().decode(errors="replace")
        connection.close()
        return response

    def log(self, last: str) -> str:
        """All that it wrote, once this is there: lines come a little after the answers."""
        written = [self.folder / name for name in ("access.log", "error.log")]

        def read() -> str:
            said = "".join(path.read_text() for path in written if path.exists())
            return said if last in said else ""

        return str(wait_for(read))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(300)


def make_certificate(folder: Path) -> None:
    """Signed by itself, for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST), x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "privkey.pem").write_bytes(private)
