"""The workflow of docs/howto/gate.md: its steps are run one after the other, as GitHub would, against example files."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "docs/examples/gate.yml"
BOARD = ROOT / "docs/examples/board"
SHELL = ("bash", "-e", "-c")
"""As GitHub runs a step for which no shell is named."""


@dataclass(frozen=True)
class Project:
    """A clone with eval/ in it, and where stand-ins for pip and gh write what they are told."""

    clone: Path
    told: Path
    env: dict[str, str]

    def request(self, run: str) -> list[str]:
        """Run the workflow for a change that makes this run; the steps that failed."""
        for left in ("gate.json", "summary.md", "new.run"):
            (self.clone / left).unlink(missing_ok=True)
        _unpack(f"{run}.run.gz", self.clone.parent / "made.run")
        failed: list[str] = []
        for step in _steps():
            if (failed and step.get("if") != "always()") or "run" not in step:
                continue
            done = subprocess.run([*SHELL, step["run"]], cwd=self.clone, env=self.env, check=False, timeout=300)
            if done.returncode:
                failed.append(step["name"])
        return failed

    def git(self, *arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=self.clone, env=self.env, check=True, capture_output=True, text=True
        ).stdout


def _steps() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]
    return steps


def _unpack(name: str, to: Path) -> None:
    to.write_bytes(gzip.decompress((BOARD / name).read_bytes()))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    clone, told, programs = tmp_path / "clone", tmp_path / "told.txt", tmp_path / "bin"
    programs.mkdir()
    for name in ("pip", "gh"):
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >> "{told}"\n')
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    env = os.environ | {
        "PATH": path,
        "HOME": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step.md"),
        "NUMBER": "7",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    found = Project(clone, told, env)
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "server.git"], check=True, env=env)
    subprocess.run(["git", "clone", "-q", tmp_path / "server.git", clone], check=True, env=env, capture_output=True)
    (clone / "eval").mkdir()
    shutil.copy(BOARD / "qrels.txt", clone / "eval")
    _unpack("late-1.run.gz", clone / "eval/baseline.run")
    (clone / "eval/make-run.sh").write_text('cp ../made.run "$1"\n')
    return found


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_changes_pass_or_are_stopped_and_the_state_is_kept_between_them(project: Project, tmp_path: Path) -> None:
    assert project.request("late-3") == []
    assert project.request("bm25") == ["Gate"]
    assert project.request("tuned") == []
    kept = json.loads(project.git("--git-dir", str(tmp_path / "server.git"), "show", "gate-state:gate.json"))
    assert kept["measure"] == "nDCG@10"
    assert len(kept["requests"]) == 2  # late-3 and bm25 are below the baseline, tuned is not
    summaries = (tmp_path / "step.md").read_text()
    assert [summaries.count(word) for word in ("Pass: ", "Loss shown: late-1")] == [2, 0]
    assert "Loss shown: baseline is better than new" in summaries
    told = project.told.read_text().split("\n")
    assert told[:2] == ["pip install toprung @ git+URL", "gh pr comment 7 --body-file summary.md"]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_where_the_gate_cannot_be_asked_only_its_own_step_fails(project: Project) -> None:
    (project.clone / "eval/qrels.txt").unlink()
    assert project.request("late-3") == ["Gate"]
    assert "gh" not in project.told.read_text()


def test_no_page_installs_from_where_nothing_was_published() -> None:
    """README and install.md know a wheel and a clone."""
    pages = [page for folder in ("start", "howto", "deploy") for page in (ROOT / "docs" / folder).glob("*.md")]
    by_name = re.compile(r"^\s*\S*pip install (--upgrade )?'?toprung(?!-)", re.MULTILINE)
    assert [page.name for page in pages if by_name.search(page.read_text())] == []


def test_the_page_shows_where_the_workflow_is() -> None:
    assert "../examples/gate.yml" in (ROOT / "docs/howto/gate.md").read_text()
