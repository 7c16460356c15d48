"""A worker that stops at a chosen moment, tells so by a file, and waits to be killed: ``MOMENT MARKER``.

Without a moment it is a worker like any other.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import django

MOMENTS = {
    "while it is scored": "toprung.web.services.runs.score._score_apart",
    "while the score is recorded": "toprung.web.services.runs.score._official_score",
    "while the claim is recorded": "toprung.web.services.claims.settle._record_claim",
}
"""Functions at which work is half done: labels are read, columns are saved, a claim is made; nothing is committed."""
OF_A_VERSION = {
    "while a slice of runs is scored": "toprung.web.services.labels.rescore.score_each",
    "while a slice is recorded": "toprung.web.services.labels.rescore.save_columns",
    "while the labels become current": "toprung.web.services.labels.adopt.put_in_place",
}
"""The same of a version of the labels that is being prepared."""


OF_A_FILE = {"while a file is checked": "toprung.web.services.runs.check.run_apart"}


def main(moment: str = "", marker: str = "") -> None:
    django.setup()
    from django.core.management import call_command

    if moment:
        _stop_at((MOMENTS | OF_A_VERSION | OF_A_FILE)[moment], Path(marker))
    call_command("ox_worker", interval=0.05, verbosity=0)


def _stop_at(function: str, marker: Path) -> None:
    from django.utils.module_loading import import_string

    module, _, name = function.rpartition(".")
    original = import_string(function)

    def stop(*args: Any, **kwargs: Any) -> Any:
        original(*args, **kwargs)
        marker.touch()
        time.sleep(3600)

    setattr(sys.modules[module], name, stop)


if __name__ == "__main__":
    main(*sys.argv[1:])
