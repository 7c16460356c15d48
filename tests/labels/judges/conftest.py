"""A model to ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.labels.model_server import ModelServer, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    with serving() as found:
        yield found
