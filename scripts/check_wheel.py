"""Builds the wheel as cibuildwheel does, from the sdist, and tries it in an empty environment without a compiler.

``make wheel`` runs it: the wheel and the sdist are then in ``dist``. Packages come from where pip finds them, in the
versions of constraints.txt. Says what each set of extras weighs, as docs/design/dependencies.md tells it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("src", "pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in")
SETS = ("", "frames", "figures", "figures,frames", "web")
NO_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false"}
MEGABYTE = 1_000_000
EXAMPLES = ROOT / "docs/examples"
SCORED = ("qrels.txt", "bm25.run", "dense.run")
FIRST_COMMANDS = (
    ("--help",),
    ("evaluate", *SCORED),
    ("compare", *SCORED),
    ("leaderboard", *SCORED, "-f", "csv"),
    ("table", *SCORED, "-m", "RR", "-m", "AP", "-f", "latex"),
)
HAS_SCANNER = "from toprung.data.formats.runs.compiled import has_scanner as found; raise SystemExit(not found())"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--extras", action="append", choices=SETS, help="Only with these; every set otherwise.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder) / "source", asked.output)
        print(f"{wheel.name}: {wheel.stat().st_size / MEGABYTE:.1f} MB")
        for extras in asked.extras or SETS:
            size = try_out(wheel, extras, Path(folder) / f"with-{extras or 'nothing'}")
            name = f"toprung[{extras}]" if extras else "toprung"
            print(f"{name}: {size / MEGABYTE:.0f} MB installed; its commands work", flush=True)


def build(source: Path, output: Path) -> Path:
    """The sdist from the tracked files alone, and the wheel from the sdist."""
    copy_tracked(source)
    shutil.rmtree(output, ignore_errors=True)
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", output, source])
    (wheel,) = output.glob("*.whl")
    return wheel


def copy_tracked(target: Path) -> None:
    listed = subprocess.run(["git", "ls-files", *PARTS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target / name)


def try_out(wheel: Path, extras: str, place: Path) -> int:
    """Install into an empty environment, where nothing can be compiled, and run; how many bytes it takes."""
    venv.create(place, with_pip=False)
    wanted = f"{wheel}[{extras}]" if extras else str(wheel)
    python = place / "bin/python"
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    run([*pip, "--only-binary", ":all:", "--constraint", ROOT / "constraints.txt", wanted], environment=NO_COMPILER)
    run([python, "-c", HAS_SCANNER])
    for command in (*FIRST_COMMANDS, *_commands_with(extras, place)):
        run([place / "bin/toprung", *command], cwd=EXAMPLES)
    if extras == "web":
        serve(place)
    return size_of(place)


def _commands_with(extras: str, place: Path) -> Iterable[Sequence[str]]:
    if "frames" in extras or extras == "web":
        yield ("validate", "bm25.run")
    if "figures" in extras or extras == "web":
        yield ("plot", "query-scores", *SCORED, "-m", "RR", "-o", str(place / "figure.svg"))
    if "figures,frames" in extras or extras == "web":
        yield ("report", *SCORED, "-o", str(place / "report.html"))
    if extras == "web":
        data = str(place / "data")
        yield ("migrate", "--data", data)
        yield ("host", "create", "board.toml", "--data", data)
        yield ("publish", "harbour-questions", str(place / "pages"), "--data", data)


def serve(place: Path) -> None:
    """The board is served, with its pages and what they look like."""
    command = [place / "bin/toprung", "serve", "--data", place / "data", "--port", "0"]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()  # where it is, once it listens
            site = re.search(r"http://127\.0\.0\.1:\d+", said)
            if site is None:
                raise SystemExit(f"The server said {said!r}; expected its address.")
            page = fetch(f"{site[0]}/b/harbour-questions/")
            sheet = re.search(r'href="([^"]+\.css)"', page)
            if sheet is None:
                raise SystemExit("The page of the board names no stylesheet.")
            fetch(f"{site[0]}{sheet[1]}")
        finally:
            server.terminate()


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=180) as answer:
        text: str = answer.read().decode()
        return text


def size_of(folder: Path) -> int:
    """Without what Python compiled for itself."""
    files = (path for path in (folder / "lib").rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files if path.suffix != ".pyc")


def run(command: Sequence[str | Path], *, cwd: Path = ROOT, environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
