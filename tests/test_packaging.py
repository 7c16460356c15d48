"""The wheel: with the scanner where there is a compiler, without it where there is none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS_TO_BUILD = ("src", "pyproject.toml", "setup.py", "README.md", "LICENSE")
HAS_COMPILER = (
    subprocess.run(["which", (sysconfig.get_config_var("CC") or "cc").split()[0]], check=False).returncode == 0
)


def build_wheel(folder: Path, **environment: str) -> Path:
    """Build from the tracked files alone, so that nothing built before slips in."""
    source = folder / "source"
    tracked = subprocess.run(
        ["git", "ls-files", *PARTS_TO_BUILD], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in tracked:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)]
    built = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=300
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return next(folder.glob("*.whl"))


def installed_says(wheel: Path, folder: Path, code: str) -> str:
    """What a Python says that finds Toprung only in the installed wheel."""
    target = folder / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*pip, str(wheel)], check=True, timeout=300)
    environment = {**os.environ, "PYTHONPATH": str(target)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.strip()


SCORE = """
import toprung as tr
from toprung.data.formats.runs.compiled import has_scanner
from toprung.report.csv_rows import _rows, write_rows
from toprung.scoring.compiled import has_scorer
open("q", "w").write("1 0 a 1\\n"); open("r", "w").write("1 Q0 b 1 2.5 t\\n1 Q0 a 2 2 t\\n")
found = tr.evaluate("q", "r", "RR")
print(tr.__file__.count("installed"), has_scanner(), has_scorer(), _rows is not None)
print(found.value("r", "RR"), write_rows(found.by_query().rows()))
"""


@pytest.mark.skipif(not HAS_COMPILER, reason="NO COMPILER: the wheel cannot be built with the scanner")
def test_a_wheel_has_the_scanner_inside_and_works_elsewhere(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path)
    assert re.search(r"-cp312-abi3-", wheel.name)
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("data/formats/_scan", "scoring/_score", "report/_rows", "stats/models/_strengths"):
        assert any(re.search(rf"{part}[.\w-]*\.(so|pyd)$", name) for name in names)
    carried = (
        "py.typed",
        "report/page/shared/base.css",
        "report/page/page.css",
        "report/page/shared/marks.js",
        "report/page/page.js",
    )
    assert {f"toprung/{name}" for name in carried} <= set(names)
    assert installed_says(wheel, tmp_path, SCORE) == "1 True True True\n0.5 r,RR,1,0.5"


def test_without_a_compiler_the_wheel_still_builds_and_works(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, CC="no-such-compiler")
    assert not any(name.endswith((".so", ".pyd")) for name in zipfile.ZipFile(wheel).namelist())
    assert installed_says(wheel, tmp_path, SCORE) == "1 False False False\n0.5 r,RR,1,0.5"


def test_a_python_that_is_too_old_is_told_before_anything_else_is_looked_for() -> None:
    """Without its site packages this process has no setuptools: the version is looked at before that is imported."""
    code = "import runpy, sys; sys.version_info = (3, 11, 7, 'final', 0); runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stderr.startswith("Found Python 3.11.7; expected Python 3.12 or newer.")
    assert len(done.stderr.splitlines()) == 1


def test_make_setup_says_at_once_that_a_newer_python_is_needed(tmp_path: Path) -> None:
    """On a machine that has an old Python alone; nothing is made there."""
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.11.7 || exit 1\n')
    old.chmod(0o755)
    script = ["/bin/bash", str(ROOT / "scripts/find-python")]
    done = subprocess.run(script, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Toprung needs Python 3.12 or newer" in done.stderr
    assert "python3: Python 3.11.7 (too old" in done.stderr
