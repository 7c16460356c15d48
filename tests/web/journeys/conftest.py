"""One server and one browser for all journeys; without a browser they are skipped, and that is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from tests.browser.chromium import Chromium, Scheme
from tests.browser.conftest import chromium, pytest_collection_modifyitems, pytest_terminal_summary
from tests.browser.looking import LAPTOP, Visit, visit
from tests.web.journeys.site import Site, serve_site
from tests.web.journeys.sitting import JudgingSite, Sit, begin, serve_judging, wait_for_script
from tests.web.kept_world import KeptWorld, folder_of_this_run

__all__ = ["chromium", "pytest_collection_modifyitems", "pytest_terminal_summary"]
type Enter = Callable[..., Visit]


@pytest.fixture(scope="session")
def site(kept_world: KeptWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    kept = folder_of_this_run(tmp_path_factory)
    with serve_site(tmp_path_factory.mktemp("journeys") / "data", kept) as running:
        yield running


@pytest.fixture
def enter(chromium: Chromium, site: Site) -> Iterator[Enter]:
    """Opens a page of the site in a window of its own, as somebody who is signed in, or as nobody."""
    with ExitStack() as windows:

        def open_one(path: str, role: str = "", *, width: int = LAPTOP, scheme: Scheme = "light") -> Visit:
            cookies = {"sessionid": site.session_of(role)} if role else {}
            window = visit(chromium, f"{site.url}{path}", width=width, scheme=scheme, cookies=cookies)
            return windows.enter_context(window)

        yield open_one


@pytest.fixture(scope="session")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JudgingSite]:
    with serve_judging(tmp_path_factory.mktemp("judging") / "data") as running:
        yield running


@pytest.fixture
def sit(chromium: Chromium, judging: JudgingSite) -> Iterator[Sit]:
    """From the link of a study to its first pair, in a window of its own."""
    with ExitStack() as windows:

        def sit_down(study: str, query: str = "", *, javascript: bool = True, **how: Any) -> Visit:
            opened = visit(chromium, judging.at(study) + query, javascript=javascript, **how)
            seen = windows.enter_context(opened)
            begin(seen)
            if javascript:
                wait_for_script(seen)
            return seen

        yield sit_down
