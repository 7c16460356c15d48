"""Fixtures that more than one layer's tests use."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from tests.longest_first import pytest_collection_modifyitems

__all__ = ["pytest_collection_modifyitems"]

# A busy machine is slow at times: no test fails for that alone. On CI every run tries the same examples, so that a
# failure belongs to the change; on a developer's machine each run tries new ones.
settings.register_profile("toprung", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("toprung")
# Only ranx has Numba compile, for half a minute, what a test needs once.
os.environ["NUMBA_DISABLE_JIT"] = "1"


def pytest_collection_finish() -> None:
    """What thousands of tests and all that they import hold stays to the end: nobody looks through it for garbage."""
    gc.collect()
    gc.freeze()


SHARED_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real runs and labels beside the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"REAL DATA NOT TESTED: {SHARED_DATA} is not there")
    return SHARED_DATA


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A real cluster of two processes."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1") as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def dask_client(scheduler: str) -> Iterator[object]:
    from distributed import Client

    with Client(scheduler) as client:
        yield client
