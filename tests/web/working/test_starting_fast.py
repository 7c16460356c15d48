"""The web server starts without what only workers need: the packages that draw and test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
LOADED = """
import sys, django
django.setup()
from django.urls import get_resolver
get_resolver().url_patterns
print(*sorted({"vl_convert", "scipy"} & set(sys.modules)))
"""


def test_pages_are_served_without_the_packages_that_draw_and_test() -> None:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.web.settings", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", LOADED], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
