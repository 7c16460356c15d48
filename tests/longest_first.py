"""Which files do processes of tests begin with? The long ones, so that no process waits for another at the end.

A file is given to a process whole. As long as its number of tests says, and much longer if its tests start servers,
browsers or commands; among files that are as long as each other the order is whatever it was.
"""

from __future__ import annotations

from collections import Counter

import pytest

FOLDERS = ("tests/browser/", "tests/chaos/", "tests/docs/", "tests/web/journeys/")
STARTERS = ("RealBoard", "Served", "TOPRUNG", "toprung", "subprocess")
"""What a file of tests that starts processes imports or defines."""
A_START = 20
"""Other tests that take as long as one that starts processes."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """After the order was drawn, which puts first what it likes; one process alone keeps that order."""
    if hasattr(config, "workerinput"):
        n_tests = Counter(item.path for item in items)
        items.sort(key=lambda item: -n_tests[item.path] * (A_START if starts_processes(item) else 1))


def starts_processes(item: pytest.Item) -> bool:
    module = getattr(item, "module", None)
    return item.nodeid.startswith(FOLDERS) or any(hasattr(module, name) for name in STARTERS)
