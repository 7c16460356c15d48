"""Who is timed, how is each one started, and what did it find?"""

import csv
import importlib.metadata
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.inputs import InputFiles

MEASURES = ("RR", "nDCG@10", "AP", "R@1000")
PEER_SCRIPTS = Path(__file__).parent / "peers"

type Means = dict[tuple[str, str], float]
"""The mean of each (run, measure)."""


class Contender(Protocol):
    """A program that computes the four measures; ``scratch`` is a fresh folder for what it writes."""

    @property
    def name(self) -> str: ...

    @property
    def environment(self) -> Mapping[str, str]: ...

    @property
    def needs_warm_up(self) -> bool: ...

    @property
    def most_rounds_when_large(self) -> int | None: ...

    def is_installed(self) -> bool: ...

    def command(self, files: InputFiles, scratch: Path, /) -> list[str]: ...

    def read_means(self, scratch: Path) -> Means: ...


def stdout_in(scratch: Path) -> Path:
    return scratch / "stdout.txt"


@dataclass(frozen=True, kw_only=True)
class ToprungCommand:
    """The command line of Toprung, which, like the peers' scripts, scores every query and tells the means."""

    name: str
    environment: Mapping[str, str] = field(default_factory=dict)
    needs_warm_up: bool = False
    most_rounds_when_large: int | None = None

    def is_installed(self) -> bool:
        return self._executable().exists()

    def command(self, files: InputFiles, scratch: Path) -> list[str]:
        measures = [argument for measure in MEASURES for argument in ("-m", measure)]
        inputs = [str(files.qrels), *map(str, files.runs)]
        output = ["--format", "csv", "--output", str(self._means_in(scratch))]
        return [str(self._executable()), "evaluate", *inputs, *measures, *output]

    def read_means(self, scratch: Path) -> Means:
        with self._means_in(scratch).open(newline="") as lines:
            return {(row["run"], row["measure"]): float(row["value"]) for row in csv.DictReader(lines)}

    def _executable(self) -> Path:
        return Path(sys.executable).with_name("toprung")

    def _means_in(self, scratch: Path) -> Path:
        return scratch / "means.csv"


@dataclass(frozen=True, kw_only=True)
class PeerScript:
    """A script in ``peers/`` that prints run, measure and mean, separated by tabs."""

    name: str
    distribution: str
    environment: Mapping[str, str] = field(default_factory=dict)
    needs_warm_up: bool = False
    most_rounds_when_large: int | None = None

    def is_installed(self) -> bool:
        return installed_version(self.distribution) is not None

    def command(self, files: InputFiles, _scratch: Path) -> list[str]:
        script = PEER_SCRIPTS / f"with_{self.name}.py"
        return [sys.executable, str(script), str(files.qrels), *map(str, files.runs)]

    def read_means(self, scratch: Path) -> Means:
        lines = stdout_in(scratch).read_text().splitlines()
        fields = (line.split("\t") for line in lines)
        return {(run, measure): float(mean) for run, measure, mean in fields}


def installed_version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


TOPRUNG = ToprungCommand(name="toprung")
TOPRUNG_WITHOUT_SCANNER = ToprungCommand(name="toprung, scanner off", environment={"TOPRUNG_SCANNER": "off"})
# The slow peers get fewer rounds on large inputs, where their rounds would be most of the benchmark and the
# noise of one is small beside the time it takes.
PEERS = (
    PeerScript(name="pytrec_eval", distribution="pytrec-eval-terrier"),
    PeerScript(name="ir_measures", distribution="ir-measures", most_rounds_when_large=2),
    PeerScript(name="ranx", distribution="ranx", needs_warm_up=True, most_rounds_when_large=1),
)
PEER_NAMES = tuple(peer.name for peer in PEERS)
