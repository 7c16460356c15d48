"""Where does a link lead, and is that a part of the copy? The pages of the board, of its teams, and the methods."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from django.conf import settings
from django.urls import reverse

TEAM = re.compile(r"/teams/[^/]+/")
FIRST_PAGE = ("page", "1")
"""Asked for, it is the page that comes without asking."""

NOTHING_ASKED = "?"


@dataclass(frozen=True, kw_only=True)
class CopyScope:
    """Which addresses of the site belong to the copy of one board."""

    home: str
    methods: str

    @classmethod
    def of(cls, slug: str) -> CopyScope:
        return cls(home=reverse("leaderboard", args=[slug]), methods=reverse("methods"))

    def starts(self) -> tuple[str, ...]:
        """Where looking begins: what no page links to is the view for other pages."""
        return (self.home, f"{self.home}embed/")

    def has(self, path: str) -> bool:
        return path.startswith(self.home) or path == self.methods or TEAM.fullmatch(path) is not None


def locate(link: str, page: str) -> SplitResult:
    """The address that a link on a page means, in the one form that it has in a copy."""
    if link.startswith(NOTHING_ASKED):  # which Python takes for the query of the page
        page = page.partition("?")[0]
    parts = urlsplit(urljoin(page, link))
    asked = sorted(each for each in parse_qsl(parts.query) if each != FIRST_PAGE)
    return parts._replace(query=urlencode(asked))


def is_elsewhere(address: SplitResult) -> bool:
    """Another site, or a mail: such links stay."""
    return bool(address.scheme or address.netloc)


def is_static(address: SplitResult) -> bool:
    return address.path.startswith(settings.STATIC_URL)


def without_fragment(address: SplitResult) -> str:
    return urlunsplit(address._replace(fragment=""))
