"""How do the contenders compare on one input, and do they find the same?"""

import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.contenders import Contender, Means, stdout_in
from benchmarks.cost import Cost, FinishedChild, best_of, run_child
from benchmarks.inputs import InputFiles

# Peers break ties in other ways, and some hold scores in 32 bits; more than this is worth a line.
AGREEMENT = 1e-4


@dataclass
class Timing:
    """The rounds of one contender on one input, filled in as they are run."""

    subject: str
    contender: Contender
    rounds: int
    costs: list[Cost] = field(default_factory=list)
    means: Means = field(default_factory=dict)
    exit_code: int = 0

    @property
    def has_failed(self) -> bool:
        return self.exit_code != 0

    @property
    def cost(self) -> Cost:
        return best_of(self.costs)


def time_in_turns(timings: Sequence[Timing], files: InputFiles) -> None:
    """Run the contenders round robin, so that a slow spell of the machine falls on all of them alike."""
    for round_number in range(max((timing.rounds for timing in timings), default=0)):
        for timing in timings:
            if round_number < timing.rounds and not timing.has_failed:
                time_once(timing, files)


def time_once(timing: Timing, files: InputFiles) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        finished = run_contender(timing.contender, files, scratch)
        timing.exit_code = finished.exit_code
        if timing.has_failed:
            return
        timing.costs.append(finished.cost)
        timing.means = timing.contender.read_means(scratch)


def run_contender(contender: Contender, files: InputFiles, scratch: Path) -> FinishedChild:
    stderr = scratch / "stderr.txt"
    finished = run_child(
        contender.command(files, scratch),
        environment=contender.environment,
        stdout=stdout_in(scratch),
        stderr=stderr,
    )
    if finished.exit_code != 0:
        print(stderr.read_text(errors="replace"), file=sys.stderr)
    return finished


def warm_up(contender: Contender, files: InputFiles) -> None:
    """Run once unmeasured, so that what is compiled on first use comes from a cache afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        run_contender(contender, files, Path(folder))


def largest_difference(means: Means, reference: Means) -> float:
    """The largest difference of two tables of means; infinite if they do not tell of the same things."""
    if means.keys() != reference.keys():
        return math.inf
    return max(abs(mean - reference[key]) for key, mean in means.items())
