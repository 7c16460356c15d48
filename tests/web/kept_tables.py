"""The tables of a board take seconds to make, so each process of tests makes them once, and new boards get copies."""

from __future__ import annotations

import atexit
import os
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.warm.python import run_warm
from tests.web.own_database import PATIENCE, OwnDatabase

ROOT = Path(__file__).parents[2]
CODE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
"""


def variables_of(folder: Path, database: OwnDatabase) -> dict[str, str]:
    """What a process is told that works on the board in this folder, with the settings of tests."""
    return database.environment | {
        "TOPRUNG_DATA": str(folder),
        "TOPRUNG_SECRET_KEY": "only-for-tests-" + "x" * 32,
        "DJANGO_SETTINGS_MODULE": "tests.web.real_settings",
        "PYTHONPATH": str(ROOT),
    }


def make_tables(folder: Path, database: OwnDatabase) -> None:
    done = run_warm("-c", CODE, env=os.environ | variables_of(folder, database), cwd=ROOT, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()


@cache
def kept_tables() -> OwnDatabase:
    """All tables with nothing in them but what migrations put there; to be copied only, and gone with this process."""
    folder = Path(mkdtemp(prefix="toprung-tables-"))
    database = OwnDatabase(folder)
    atexit.register(_remove, folder, database)
    make_tables(folder, database)
    return database


def _remove(folder: Path, database: OwnDatabase) -> None:
    database.drop()
    shutil.rmtree(folder, ignore_errors=True)
