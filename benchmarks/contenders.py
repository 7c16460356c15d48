"""Who is timed, how is each one started, and what did it find?"""

import csv
import importlib.metadata
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.inputs import Files

MEASURES = ("RR", "nDCG@10", "AP", "R@1000")
TREC_EVAL_NAMES = {"recip_rank": "RR", "ndcg_cut.10": "nDCG@10", "map": "AP", "recall.1000": "R@1000"}
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

    def command(self, files: Files, scratch: Path, /) -> list[str]: ...

    def read_means(self, scratch: Path) -> Means: ...


def stdout_in(scratch: Path) -> Path:
    return scratch / "stdout.txt"


@dataclass(frozen=True, kw_only=True)
class ToprungCommand:
    """The command line of Toprung, which, like the peers' scripts, scores every query and tells the means, or all."""

    name: str
    tells_queries: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    needs_warm_up: bool = False
    most_rounds_when_large: int | None = None

    def is_installed(self) -> bool:
        return self._executable().exists()

    def command(self, files: Files, scratch: Path) -> list[str]:
        measures = [argument for measure in MEASURES for argument in ("-m", measure)]
        inputs = [str(files.qrels), *map(str, files.runs)]
        output = ["--format", "csv", "--output", str(self._scores_in(scratch))]
        told = ["--per-query"] if self.tells_queries else []
        return [str(self._executable()), "evaluate", *inputs, *measures, *output, *told]

    def read_means(self, scratch: Path) -> Means:
        with self._scores_in(scratch).open(newline="") as lines:
            return means_of((row["run"], row["measure"], float(row["value"])) for row in csv.DictReader(lines))

    def _executable(self) -> Path:
        return Path(sys.executable).with_name("toprung")

    def _scores_in(self, scratch: Path) -> Path:
        return scratch / "scores.csv"


@dataclass(frozen=True, kw_only=True)
class PeerScript:
    """A script in ``peers/`` that prints run, measure and mean, or each value, separated by tabs."""

    name: str
    distribution: str
    tells_queries: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    needs_warm_up: bool = False
    most_rounds_when_large: int | None = None

    def is_installed(self) -> bool:
        return installed_version(self.distribution) is not None

    def command(self, files: Files, _scratch: Path) -> list[str]:
        script = PEER_SCRIPTS / f"with_{self.name}.py"
        told = ["--per-query"] if self.tells_queries else []
        return [sys.executable, str(script), *told, str(files.qrels), *map(str, files.runs)]

    def read_means(self, scratch: Path) -> Means:
        lines = stdout_in(scratch).read_text().splitlines()
        fields = (line.split("\t") for line in lines)
        return means_of((run, measure, float(value)) for run, measure, *_, value in fields)


@dataclass(frozen=True, kw_only=True)
class TrecEval:
    """trec_eval, where it is on the machine: once for each run, since it takes one."""

    name: str = "trec_eval"
    tells_queries: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    needs_warm_up: bool = False
    most_rounds_when_large: int | None = 2

    def is_installed(self) -> bool:
        return shutil.which("trec_eval") is not None

    def command(self, files: Files, _scratch: Path) -> list[str]:
        options = [argument for name in TREC_EVAL_NAMES for argument in ("-m", name)]
        told = " ".join([*(["-q"] if self.tells_queries else []), "-c", *options])
        script = f'qrels=$1; shift; for run; do echo "run all $run"; trec_eval {told} "$qrels" "$run" || exit 1; done'
        return ["/bin/sh", "-c", script, "sh", str(files.qrels), *map(str, files.runs)]

    def read_means(self, scratch: Path) -> Means:
        means: Means = {}
        run = ""
        for line in stdout_in(scratch).read_text().splitlines():
            name, query_id, value = line.split(maxsplit=2)
            if name == "run":
                run = Path(value).stem
            elif query_id == "all":
                means[run, TREC_EVAL_NAMES[name.replace("_cut_", "_cut.").replace("recall_", "recall.")]] = float(value)
        return means


def means_of(values: Iterable[tuple[str, str, float]]) -> Means:
    """The mean of each run's values of each measure; of a mean itself, that mean."""
    of: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run, measure, value in values:
        of[run, measure].append(value)
    return {key: sum(each) / len(each) for key, each in of.items()}


def installed_version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


TOPRUNG = ToprungCommand(name="toprung")
TOPRUNG_WITHOUT_SCANNER = ToprungCommand(name="toprung, scanner off", environment={"TOPRUNG_SCANNER": "off"})
# The slow peers get fewer rounds on large inputs, where their rounds would be most of the benchmark and the
# noise of one is small beside the time it takes.
PEERS: tuple[PeerScript | TrecEval, ...] = (
    TrecEval(),
    PeerScript(name="pytrec_eval", distribution="pytrec-eval-terrier"),
    PeerScript(name="ir_measures", distribution="ir-measures", most_rounds_when_large=2),
    PeerScript(name="ranx", distribution="ranx", needs_warm_up=True, most_rounds_when_large=1),
)
PEER_NAMES = tuple(peer.name for peer in PEERS)
# Those that tell each query's value too.
TOPRUNG_BY_QUERY = ToprungCommand(name="toprung", tells_queries=True)
PEERS_BY_QUERY: tuple[PeerScript | TrecEval, ...] = (
    TrecEval(tells_queries=True),
    PeerScript(name="pytrec_eval", distribution="pytrec-eval-terrier", tells_queries=True),
)
