"""What may an analysis be asked of? Labels and runs, or a matrix; what else is known; and how sure to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toprung.stats.ranks.mass import TRIALS

if TYPE_CHECKING:
    from toprung.boards.engine.rules import Rule
    from toprung.data.formats.runs.top_of_run import TopOfRun
    from toprung.data.matrices import FirstRanks, ScoreTable
    from toprung.data.qrels import Qrels
    from toprung.data.run import Run
    from toprung.data.run_metadata import Metadata
    from toprung.errors import NoOverlapError
    from toprung.labels.effort.effort import Effort
    from toprung.scoring.evaluation import Evaluation
    from toprung.scoring.inputs import NamedRun

type TopLists = Callable[[], dict[str, Run | TopOfRun]]
"""The first documents of every run, by its name: their ids for a judging effort, else hashes to compare runs by."""


@dataclass(frozen=True, kw_only=True)
class AskedOptions:
    """How much is drawn, and how sure intervals and tests are."""

    trials: int = TRIALS
    alpha: float = 0.05
    confidence: float = 0.95
    rule: Rule | None = None
    """What a claim must show; as the labels ask for where nothing is said."""
    seed: int = 0
    on_progress: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, eq=False, kw_only=True)
class GivenInputs:
    """What there is to start from; a report leaves out whatever needs more, and says what to give."""

    matrix: FirstRanks | ScoreTable
    """What the board ranks: first ranks where the measure is RR, else its scores."""
    qrels: Qrels | None = None
    runs: Mapping[str, NamedRun] = field(default_factory=dict)
    tops: Mapping[str, Run | TopOfRun] = field(default_factory=dict)
    """What runs put first, of those that it was kept of while they were scored."""
    evaluation: Evaluation | None = None
    private: Mapping[str, ScoreTable] = field(default_factory=dict)
    not_private: Mapping[str, NoOverlapError] = field(default_factory=dict)
    """Sets of private labels that no run has a query of, and the fault that was found."""
    new_labels: Qrels | None = None
    effort: Effort | None = None
    """A judging effort: pools, judgments and what follows from them."""
    metadata: Metadata | None = None
    baselines: tuple[str, ...] = ()
