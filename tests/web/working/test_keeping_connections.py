"""Who hangs up when? The database is not opened anew for each request, and the proxy hangs up before the board does."""

from __future__ import annotations

import re
from pathlib import Path

from toprung.web.core.config.databases import sqlite_settings
from toprung.web.ops.connections import Patience

NGINX = Path(__file__).parents[3] / "docs/deploy/nginx.conf"


def test_who_asks_a_second_time_does_not_open_the_database_again(tmp_path: Path) -> None:
    """Who closes the last connection to SQLite waits until all that was written is on the disk."""
    assert sqlite_settings(tmp_path / "toprung.sqlite3")["CONN_MAX_AGE"] > 60


def test_the_proxy_of_the_docs_sends_nothing_on_a_connection_that_is_being_closed() -> None:
    [seconds] = re.findall(r"^ *keepalive_timeout +(\d+)s;", NGINX.read_text(), re.MULTILINE)
    assert int(seconds) < Patience.idle
