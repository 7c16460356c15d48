"""What do all pages have around their content? A head that lets nothing in, one stylesheet, landmarks."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from toprung.report.page.words import plain

LADDER = (
    '<svg width="20" height="22" viewBox="0 0 20 22" aria-hidden="true">'
    '<path class="s-mk" stroke-width="2" d="M4.5 1v20M15.5 1v20M4.5 11.5h11M4.5 17h11"/>'
    '<path class="s-top" stroke-width="3.4" d="M2 5.5h16"/></svg>'
)


@cache
def asset(name: str) -> str:
    """The text of a file that stands beside this one, or in a folder here."""
    return files("toprung.report.page").joinpath(name).read_text(encoding="utf-8")


def write_document(*, title: str, body: str, script: str = "") -> str:
    """The whole page. ``script`` runs at its end."""
    style = asset("shared/base.css") + asset("page.css")
    policy = _policy(style, script)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{plain(title)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site"><div class="wrap"><p class="brand">{LADDER}Toprung</p></div></header>
{body}{f'<script type="module">{script}</script>' if script else ""}
</body>
</html>
"""


def _policy(style: str, script: str) -> str:
    """Nothing is fetched, and only what was written here runs, by its digest: no name in it could ever be run."""
    allowed = _digest(script) if script else "'none'"
    return f"default-src 'none'; style-src {_digest(style)}; script-src {allowed}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
