"""Which policy should a leaderboard open with? Whole boards are made up, whose submissions' true quality is known.

Every rule for claims meets the same boards, so that their errors can be compared: crowns of runs that are not
better, and improvements that are missed. Every way to release scores meets the same team that is no better and hands in
many runs to learn from what it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from toprung.analyses.simulate.boards import LEAST_QUERIES, Setting
from toprung.analyses.simulate.crowns import RULE_NAMES, CrownRule, make_rules
from toprung.analyses.simulate.figures import ReleaseFigures, RuleFigures
from toprung.analyses.simulate.power_of_claims import ClaimPower
from toprung.analyses.simulate.tables import (
    POWER_ROWS,
    RELEASE_ROWS,
    RULE_ROWS,
    gain_table,
    gains_table,
    power_table,
    release_table,
    rule_table,
    seen_table,
)
from toprung.analyses.simulate.words import explain_simulation, say_notes, say_simulation
from toprung.analyses.simulate.work import compare_releases, compare_rules, find_power
from toprung.boards.alignment import LEAST_AGREEMENT
from toprung.boards.disclosure.release import (
    AutomaticBoardLadder,
    FullRelease,
    Ladder,
    ParameterFreeLadder,
    Release,
    RoundedRelease,
)
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.result import Explanation, Fact, Facts, Result, Table
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.models.board_model import CORRELATION, KINSHIP, BoardModel, ms_marco_like
from toprung.stats.sequences.online import Gamma, PlannedGamma, PowerLawGamma, QuadraticGamma, SteadyGamma
from toprung.words.wording import show_number
from toprung.workers import IN_PROCESS, Workers

if TYPE_CHECKING:
    import polars as pl

type Pilot = FirstRanks | ScoreTable

RELEASES: tuple[Release, ...] = (
    FullRelease(),
    RoundedRelease(),
    Ladder(),
    ParameterFreeLadder(),
    AutomaticBoardLadder(),
)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Simulation(Result):
    """What each rule for claims got wrong on made-up boards, and how far each release let a team climb."""

    FIGURES = (
        RULE_ROWS,
        RELEASE_ROWS,
        POWER_ROWS,
        "setting",
        Facts(
            "model",
            (
                "mean",
                Fact("missed", lambda model: None if model.ranks is None else model.missed),
                "correlation latent_correlation=latent",
                Fact("kinship", lambda _: KINSHIP),
            ),
            of="model",
        ),
    )
    MADE_FROM = (
        "n_queries=setting.queries n_submissions=setting.submissions n_boards=setting.boards",
        "improvements=setting.improvements gains=setting.gains follow=setting.follow",
        "attack=setting.attack attackers=setting.attackers pairs=setting.pairs measure",
        Fact("model", lambda found: "pilot" if found.pilot else "like MS MARCO document ranking"),
        "pilot_digest=pilot alpha=setting.alpha seed=setting.seed",
    )

    setting: Setting
    model: BoardModel
    measure: str
    rules: tuple[RuleFigures, ...]
    releases: tuple[ReleaseFigures, ...]
    power: tuple[ClaimPower, ...]
    """How often a better run passes; empty unless pairs were asked for."""
    pilot: str
    """The digest of the pilot matrix; empty without one."""
    remarks: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        return say_simulation(self)

    @property
    def table(self) -> Table:
        """One row a rule."""
        return rule_table(self)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """The rules; what they missed of each gain; what claims could see; what passes; the releases under attack."""
        return tuple(self._tables())

    def _tables(self) -> Iterator[tuple[str, Table]]:
        yield "", self.table
        if len(self.setting.distinct_gains) > 1:
            yield "Improvements missed, by how much better they are", gain_table(self)
        if any(each.smallest_gains for each in self.rules):
            yield "Smallest gain that a claim sees four times in five, if none before it passed", seen_table(self)
        if self.power:
            yield f"Share of {self.setting.pairs:,} better runs that pass, if none before did", power_table(self)
        if self.releases:
            runs = f"{self.setting.attack:,} adaptive runs"
            yield f"Public score of a team that is no better, after {runs}", release_table(self)
            yield f"What an attacker gains on {self.setting.queries:,} hidden queries, in RR", gains_table(self)

    def paper_tables(self) -> tuple[Table, ...]:
        return tuple(table for _, table in self.tables)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_simulation(self)

    @property
    def provenance(self) -> Mapping[str, object]:
        """Without a pilot there is no digest of one."""
        return {name: each for name, each in super().provenance.items() if each != ""}

    def release_frame(self) -> pl.DataFrame:
        """A row for each release that a team attacked."""
        return RELEASE_ROWS.to_frame(self)

    def __repr__(self) -> str:
        return f"Simulation({self.setting.boards:,} boards, {len(self.rules)} rules, {len(self.releases)} releases)"


def simulate(
    *,
    queries: int = Setting.queries,
    submissions: int = Setting.submissions,
    improvements: int = Setting.improvements,
    gains: Sequence[float] = Setting.gains,
    follow: float = Setting.follow,
    boards: int = Setting.boards,
    rules: Sequence[str] | None = None,
    gammas: Sequence[Gamma] | None = None,
    releases: Sequence[Release] = RELEASES,
    attack: int = Setting.attack,
    attackers: int = Setting.attackers,
    pairs: int = Setting.pairs,
    alpha: float = Setting.alpha,
    pilot: Pilot | None = None,
    seed: int = Setting.seed,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Simulation:
    """Make up whole leaderboards, and compare rules for claims and ways to release scores on them.

    Parameters
    ----------
    queries, submissions, boards
        The size of a board, and how many of them; the first submission holds at the start.
    improvements, gains
        How many submissions are truly better than all before them, at random times, and by how much in the mean.
    follow
        The share of the other submissions that is as good as the best before them; the rest is as good as the first.
    rules, gammas
        Some of "score", "naive", "measure", "no_harm" and "both"; all unless given. "no_harm", or else "measure", is
        tried with each γ, the others with the first: (t+10)^(−1.5), even over as many claims as submissions, t^(−1.5)
        and 1/(t(t+1)).
    releases, attack, attackers
        What participants are shown; a team that is no better hands in so many runs, in so many repetitions.
    pairs
        How many pairs of holder and better run are drawn, for each gain and each way to be better, to see how often
        claims 1, 10 and 50 pass.
    pilot
        Real runs to be like: their ranks, or scores, pooled, and how they correlate. Scores leave only the rules that
        need no ranks. Without one it is like MS MARCO document ranking.
    seed
        Gives the same boards and attacks, whatever the workers.

    Examples
    --------
    >>> found = simulate(queries=200, submissions=10, improvements=0, boards=20, rules=["score", "measure"], attack=0)
    >>> [each.false.estimate for each in found.rules[:2]]
    [0.95, 0.0]

    """
    setting = Setting(
        queries=queries,
        submissions=submissions,
        improvements=improvements,
        gains=tuple(gains),
        follow=follow,
        boards=boards,
        attack=attack if releases else 0,
        attackers=attackers,
        pairs=pairs,
        alpha=alpha,
        seed=seed,
    )
    model = ms_marco_like() if pilot is None else _model_of(pilot)
    measure = "RR@100" if pilot is None else pilot.measure
    model.shift_for(model.mean + sum(setting.all_gains))  # refuses what no submission can reach
    compared = _choose_rules(rules, gammas, setting=setting, has_ranks=model.ranks is not None)
    of_boards, of_attacks, of_pairs = np.random.SeedSequence(seed).spawn(3)
    spread = partial(workers.map, on_progress=on_progress)
    return Simulation(
        setting=setting,
        model=model,
        measure=measure,
        rules=compare_rules(compared, of_boards, setting=setting, model=model, spread=spread),
        releases=compare_releases(releases, of_attacks, setting=setting, model=model, measure=measure, spread=spread),
        power=find_power(compared, of_pairs, setting=setting, model=model, spread=spread),
        pilot="" if pilot is None else pilot.digest,
        remarks=() if pilot is None else (*_remark(pilot, model), *pilot.remarks),
    )


def _choose_rules(
    names: Sequence[str] | None, gammas: Sequence[Gamma] | None, *, setting: Setting, has_ranks: bool
) -> tuple[CrownRule, ...]:
    """Those asked for, or all that can be compared."""
    if names is None:
        names = [name for name in RULE_NAMES if has_ranks or name not in ("no_harm", "both")]
    if gammas is None:
        planned = PlannedGamma(claims=setting.submissions)
        gammas = (SteadyGamma(), planned, PowerLawGamma(exponent=1.5), QuadraticGamma())
    return make_rules(names, gammas, alpha=setting.alpha, has_ranks=has_ranks)


def _model_of(pilot: Pilot) -> BoardModel:
    if len(pilot.query_ids) < LEAST_QUERIES:
        raise InputError(f"pilot: found {len(pilot.query_ids)} queries; expected at least {LEAST_QUERIES}.")
    pilot = pilot.select(sorted(pilot.runs))  # the order of the runs shows in no last digit
    if isinstance(pilot, FirstRanks):
        return BoardModel.of_ranks(pilot.values)
    return BoardModel.of_scores(pilot.values if higher_is_better(pilot.measure) else -pilot.values)


def _remark(pilot: Pilot, model: BoardModel) -> Iterator[str]:
    if len(pilot.runs) < 2:
        yield f"Pilot: one run says nothing of how runs correlate; taken as on MS MARCO, {CORRELATION}."
    elif model.correlation < LEAST_AGREEMENT:
        yield (
            f"Pilot: its runs hardly correlate ({show_number(model.correlation, 2)}), which is consistent with rows "
            "not aligned by query id."
        )
    if unknown := int(np.isnan(pilot.values).sum()):
        yield f"Pilot: {unknown:,} of {pilot.values.size:,} values are missing and were left out."
