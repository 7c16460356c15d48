"""How does somebody come to a served board? With a browser's cookies and nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

PATIENCE = 60.0
MOST_TRIES = 4
LONGEST_WAIT = 60.0
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
LINK = re.compile(r'(?:href|src|action)="(/[^"#?]*)["#]')


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back."""

    path: str
    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def is_page(self) -> bool:
        return self.headers.get("content-type", "").startswith("text/html")

    @property
    def links(self) -> Iterator[str]:
        """Addresses on the same server that the page leads to, of those without a question mark."""
        return iter(dict.fromkeys(LINK.findall(self.body)) if self.is_page else ())


@dataclass
class Visitor:
    """Someone with cookies of their own."""

    role: str
    address: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Answer:
        """Who asks the API too often is told when to come again, and comes."""
        for _ in range(MOST_TRIES):
            answer = self._ask("GET", path)
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
                break
            time.sleep(min(LONGEST_WAIT, float(answer.headers.get("retry-after", 1))))
        return answer

    def come_by(self, link: str) -> Answer:
        """Open a login link, and press its button."""
        return self.press(urlsplit(link).path)

    def press(self, path: str, **chosen: str) -> Answer:
        """The button of a page, with what is chosen beside it."""
        found = TOKEN.search(self.get(path).body)
        return self._ask("POST", path, urlencode({"csrfmiddlewaretoken": found[1] if found else ""} | chosen))

    def _ask(self, method: str, path: str, form: str | None = None) -> Answer:
        place = urlsplit(self.address)
        connection = HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Referer": self.address + path}
        try:
            connection.request(method, path, form, headers)
            response = connection.getresponse()
            body = response.read().decode(errors="replace")
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        lower = {name.lower(): value for name, value in response.getheaders()}
        return Answer(path=path, status=response.status, headers=lower, body=body)
