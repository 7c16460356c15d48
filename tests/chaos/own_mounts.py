"""How may a test mount a disk of its own, whoever runs it? In a namespace, by a pytest of its own."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

INSIDE = "CHAOS_MAY_MOUNT"
NAMESPACE = ["unshare", "--map-root-user", "--mount"]


def may_mount(test: Callable[..., None]) -> Callable[..., None]:
    """The test as it is where it may; elsewhere one that has it run where it may, and fails as it does."""
    if INSIDE in os.environ:
        return test

    def run_inside() -> None:
        why = why_not()
        if why:
            pytest.skip(f"NO DISK OF ITS OWN ({why}): a full disk is NOT TESTED.")
        place = f"{Path(test.__code__.co_filename)}::{test.__name__}"
        command = [*NAMESPACE, sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", place]
        done = subprocess.run(command, env=os.environ | {INSIDE: "1"}, capture_output=True, text=True, check=False)
        print(done.stdout)
        assert done.returncode == 0, done.stdout + done.stderr

    return run_inside


@functools.cache
def why_not() -> str:
    """What stands against a disk of one's own; nothing where nothing does."""
    tried = [*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        done = subprocess.run(tried, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        return str(error)
    return done.stderr.strip() if done.returncode else ""
