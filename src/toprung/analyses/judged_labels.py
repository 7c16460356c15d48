"""What does a judging effort say? Its new labels, whose answers are preferred, and whether labels are still best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from toprung.analyses.best_answers.find import derive_labels
from toprung.analyses.best_answers.rows import LabelReport
from toprung.analyses.win_ratio.find import win_ratios
from toprung.analyses.win_ratio.result import WinRatios
from toprung.data.judgments import Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.upkeep import pools_to_challenge, read_challenges, rule_name_in
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.audit import audit, plan_audit, read_audits
from toprung.labels.votes.audit_report import Audit
from toprung.labels.votes.outcomes import PairOutcome, resolve_pairs


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedLabels:
    """A judging effort and the labels that its pools came from; everything is read once."""

    state: Effort
    qrels: Qrels

    @cached_property
    def judgments(self) -> Judgments:
        found = self.state.read_judgments()
        if not found.current:
            raise InputError(f"{self.state.folder}: found no judgments; expected some. Judge pairs first.")
        return found

    @cached_property
    def outcomes(self) -> dict[Pair, PairOutcome]:
        return dict(resolve_pairs(self.judgments))

    @cached_property
    def pools(self) -> list[Pool]:
        return read_pools(self.state)

    @cached_property
    def report(self) -> LabelReport:
        """The labels that the judgments give."""
        return derive_labels(
            self.judgments,
            pools_to_challenge(self.state, self.judgments),
            parent=self.qrels,
            challenges=read_challenges(self.state),
            challenge_rule=rule_name_in(self.state),
        )

    def win_ratios(self, tops: dict[str, Run], *, alpha: float, confidence: float) -> WinRatios:
        """Whose first answers are preferred."""
        return win_ratios(self.outcomes, tops, qrels=self.qrels, pools=self.pools, alpha=alpha, confidence=confidence)

    def audit(self, run: Run, *, alpha: float) -> Audit:
        """Of the run, or of the newest that was planned to be audited; by the pairs that were judged."""
        kept = read_audits(self.state)
        plan = kept.get(run.name) or next(reversed(kept.values()), None) or plan_audit(self.qrels, run)
        found = audit(plan, self.outcomes, judgments_digest=self.judgments.digest, alpha=alpha)
        if not (found.agreed.n_decided or found.differing.n_decided):
            raise InputError(
                f"{self.state.folder}: found no judged pair of {plan.run}'s answers and the labels; "
                "expected some. `toprung labels audit` says which to judge."
            )
        return found
