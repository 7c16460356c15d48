"""A mail server on this machine: it takes mail only by TLS and from who logged in, and keeps it."""

from __future__ import annotations

import base64
import email
import email.policy
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from tests.web.a_proxy import make_certificate

HOST, USER, PASSWORD = "localhost", "board", "a-password-only-for-tests"
NOT_NOW = b"530 first TLS, and a login"


class MailServer(socketserver.ThreadingTCPServer):
    """With a certificate that it made itself; `mails` is what came."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Visit)
        make_certificate(folder)
        self.certificate = folder / "fullchain.pem"
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(self.certificate, folder / "privkey.pem")
        self.mails: list[EmailMessage] = []

    @property
    def variables(self) -> dict[str, str]:
        """What a board is told to hand over its mail here; its certificate is trusted, and no other."""
        address = f"smtp://{USER}:{PASSWORD}@{HOST}:{self.server_address[1]}"
        return {"TOPRUNG_MAIL_URL": address, "SSL_CERT_FILE": str(self.certificate)}

    def find(self, words: str) -> EmailMessage | None:
        """The mail with these words in its subject."""
        return next((mail for mail in list(self.mails) if words in mail["Subject"]), None)


class Visit(socketserver.StreamRequestHandler):
    """Of one client, line by line (RFC 5321, 3207 and 4954, as far as they are needed)."""

    server: MailServer

    def handle(self) -> None:
        self.has_tls = self.is_known = False
        self._say(b"220 ready")
        while line := self.rfile.readline():
            verb, _, said = line.strip().partition(b" ")
            if verb.upper() == b"QUIT":
                self._say(b"221 bye")
                return
            answer: Any = getattr(self, f"_{verb.decode().lower()}", None)
            self._say(b"502 unknown" if answer is None else answer(said))

    def finish(self) -> None:
        super().finish()
        self.request.close()  # TLS put another in the place of what the server knows and closes

    def _say(self, words: bytes) -> None:
        self.wfile.write(words + b"\r\n")

    def _ehlo(self, _: bytes) -> bytes:
        return b"250-here\r\n250 " + (b"AUTH PLAIN" if self.has_tls else b"STARTTLS")

    def _starttls(self, _: bytes) -> bytes:
        """The answer goes in the clear; what follows does not, and begins anew."""
        self._say(b"220 go on")
        self.request = self.server.context.wrap_socket(self.request, server_side=True)
        self.setup()
        self.has_tls = True
        return self._ehlo(self.rfile.readline())

    def _auth(self, said: bytes) -> bytes:
        kind, _, secret = said.partition(b" ")
        given = base64.b64decode(secret).split(b"\0")[1:] if kind == b"PLAIN" and self.has_tls else []
        self.is_known = given == [USER.encode(), PASSWORD.encode()]
        return b"235 welcome" if self.is_known else b"535 no"

    def _mail(self, _: bytes) -> bytes:
        return b"250 ok" if self.is_known else NOT_NOW

    def _rcpt(self, _: bytes) -> bytes:
        return b"250 ok" if self.is_known else NOT_NOW

    def _data(self, _: bytes) -> bytes:
        self._say(b"354 end with a dot")
        lines = [line.removeprefix(b".") for line in iter(self.rfile.readline, b".\r\n")]
        self.server.mails.append(email.message_from_bytes(b"".join(lines), policy=email.policy.default))
        return b"250 kept"


@contextmanager
def a_mail_server(folder: Path) -> Iterator[MailServer]:
    with MailServer(folder) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
