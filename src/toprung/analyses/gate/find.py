"""May this change be merged? The new run against the baseline: a loss, no loss beyond the margin, or no telling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from toprung.analyses.gate.decide import GateDecision, GateOutcome, decide_gate
from toprung.analyses.gate.names import tell_apart
from toprung.analyses.gate.state import GateState
from toprung.analyses.gate.words import explain_gate, gate_cells, say_gate, say_gate_notes
from toprung.analyses.inputs import check_scores
from toprung.analyses.subject import MeasureName, Source, check_source, read_scores_in_memory, to_score_table
from toprung.boards.engine.parts import differences_of
from toprung.errors import InputError
from toprung.result import Cell, Column, Explanation, Fact, Result, Rows, columns
from toprung.scoring.catalogue import is_from_0_to_1
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.inputs import to_qrels
from toprung.stats.inputs import Floats, check_share
from toprung.words.wording import say_count


def gate(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    margin: float | None = None,
    alpha: float = 0.05,
    state: GateState | None = None,
) -> Gate:
    """Hold a new run against the baseline.

    Parameters
    ----------
    table
        The values of one measure for two runs, the baseline, then the new one; what ``evaluate`` gave, or labels.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    margin
        The loss that is small enough to bear; by default the usual one of so many queries, from 0.01 to 0.1. It must be
        given for a measure that is not known to lie from 0 to 1.
    alpha
        The level of the tests; with a state, of all of them together.
    state
        What the gate remembers of earlier changes; the answer has the next one as ``state``. It must be of this
        measure and alpha, and of these labels, which a matrix does not know.

    Examples
    --------
    >>> from toprung.data.matrices import ScoreTable
    >>> values = np.array([[0.5, 0.4], [0.7, 0.5], [0.9, 0.8], [0.4, 0.3], [0.6, 0.4], [0.8, 0.7]])
    >>> scores = ScoreTable(query_ids=tuple("abcdef"), runs=("main", "change"), values=values, measure="nDCG@10")
    >>> found = gate(scores)
    >>> str(found.outcome), found.exit_code, found.decision.test.p
    ('loss', 1, 0.03125)

    """
    check_share(alpha, name="alpha")
    check_source(table, runs)
    table, runs, measure = read_scores_in_memory(table, runs, measure)
    table, labels = _read_labels(table, runs)
    scores = to_score_table(table, tell_apart(runs), measure)
    if len(scores.runs) != 2:
        raise InputError(f"Found {say_count(len(scores.runs), 'run')}; expected two: the baseline, then the new run.")
    check_scores(scores, least_queries=1)
    baseline, new = scores.runs
    differences = differences_of(scores, baseline, [new])[:, 0]
    _check_range(scores.measure, differences, margin)
    if state is not None:
        state.check(measure=scores.measure, labels=labels, alpha=alpha)
    level, following = (alpha, None) if state is None else state.take(differences)
    return Gate(
        measure=scores.measure,
        baseline=baseline,
        new=new,
        baseline_mean=float(scores.column(baseline).mean()),
        new_mean=float(scores.column(new).mean()),
        decision=decide_gate(differences, level=level, alpha=alpha, margin=margin),
        is_usual_margin=margin is None,
        state=following,
        alpha=alpha,
        digest=scores.digest,
        remarks=scores.remarks,
    )


def _read_labels(table: Source, runs: Any) -> tuple[Source, str | None]:
    """Labels read, if that is what was given; and their digest, where it is known."""
    if isinstance(table, Evaluation):
        return table, table.labels.qrels.digest
    if runs is None:
        return table, None
    labels = to_qrels(table)
    return labels, labels.digest


def _check_range(measure: str, differences: Floats, margin: float | None) -> None:
    """A margin says nothing of values that can be of any size."""
    if margin is not None and not 0 < margin <= 1:
        raise InputError(f"margin: found {margin:g}; expected more than 0, up to 1.")
    if margin is None and not is_from_0_to_1(measure):
        raise InputError(
            f"Found {measure}, which is not known to lie from 0 to 1; expected a measure that does, such as nDCG@10, "
            "or a margin of your own (--margin)."
        )
    largest = float(np.abs(differences).max())
    if largest > 1:
        raise InputError(
            f"Found a query on which {measure} differs by {largest:g}; expected at most 1. "
            "Take a measure from 0 to 1, such as nDCG@10."
        )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Gate(Result):
    """What the gate says of a change, and what that rests on."""

    FIGURES = (
        "outcome exit_code",
        Rows(
            "compared",
            of="rows",
            columns=(
                *columns(str, "measure baseline new"),
                *columns(float, "baseline_mean new_mean"),
                *columns(float, "difference=decision.test.mean sd=decision.test.sd p=decision.test.p"),
                *columns(int, "n=decision.test.n differing=decision.test.differing"),
                *columns(float, "level=decision.level worst=decision.worst margin=decision.harm.margin"),
                *columns(float, "smallest_loss=decision.smallest_loss queries_needed=decision.queries_needed"),
                Column("outcome", str),
            ),
        ),
        "n_tested",
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries=decision.test.n",
        Fact("test", lambda _: "sign flips or paired t"),
        Fact("interval", lambda _: "one-sided 95% t, two imaginary queries"),
        "alpha margin=decision.harm.margin",
    )

    measure: str
    baseline: str
    new: str
    baseline_mean: float
    new_mean: float
    decision: GateDecision
    is_usual_margin: bool
    state: GateState | None
    """What to remember for the next change; None where nothing is remembered."""
    alpha: float
    digest: str
    remarks: tuple[str, ...] = ()

    @property
    def outcome(self) -> GateOutcome:
        return self.decision.outcome

    @property
    def exit_code(self) -> int:
        """0 to pass, 1 where a loss was shown, 3 where these queries cannot tell."""
        return self.outcome.exit_code

    @property
    def n_tested(self) -> int | None:
        """Changes that scored below their baseline so far, this one included; None where nothing is remembered."""
        return None if self.state is None else len(self.state.requests)

    @property
    def rows(self) -> tuple[Gate]:
        return (self,)

    @property
    def sentence(self) -> str:
        return say_gate(self)

    def cells(self) -> tuple[Cell, ...]:
        return gate_cells(self.measure)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_gate_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_gate(self)

    def __repr__(self) -> str:
        return f"Gate({self.outcome}, {self.new} against {self.baseline}, {self.decision.test.n:,} queries)"
