"""What did submissions break of a board's policy? Every submission against the rules, in the order they came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property

from toprung.boards.policy import Policy
from toprung.boards.similarity import Similarity, compare_tops
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.run import Run
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.errors import InputError
from toprung.result import Column, Explanation, Fact, Result, Rows, Table, columns
from toprung.words.wording import list_names, say_count, show_number, show_share


@dataclass(frozen=True, kw_only=True)
class CloseRun:
    """An earlier run of the same team that differs by very small changes."""

    run: str
    similarity: Similarity


@dataclass(frozen=True, kw_only=True)
class AuditedSubmission:
    """A submission, and what it broke."""

    submission: SubmittedRun
    n_in_window: int
    """Submissions of the team in the window that ends with this one, itself included."""
    allowed_from: date
    """The first day it could have been submitted."""
    close_to: tuple[CloseRun, ...]
    """Earlier runs of the team that it is close to, the closest first."""
    latest_embargo: date
    came_too_soon: bool
    is_small_change: bool
    embargo_is_too_long: bool

    @property
    def closest(self) -> CloseRun | None:
        return self.close_to[0] if self.close_to else None

    @property
    def breaks_policy(self) -> bool:
        return self.came_too_soon or self.is_small_change or self.embargo_is_too_long


def audit_policy(
    submissions: Submissions,
    runs: Mapping[str, Run | TopOfRun] | None = None,
    *,
    policy: Policy | None = None,
    on_progress: Callable[[str], None] = lambda _: None,
) -> PolicyAudit:
    """Hold every submission to the rules of a board.

    Parameters
    ----------
    submissions
        Who submitted what, and when. Every one counts, also those that broke a rule.
    runs
        The runs themselves by name, or their top lists: without them nobody can tell small changes.
    on_progress
        Called with each submission's run when it is done.

    Examples
    --------
    >>> made = [SubmittedRun(run=f"r{day}", team="Halden", date=date(2021, 5, day)) for day in (1, 3, 8)]
    >>> print(audit_policy(Submissions(entries=tuple(made))).sentence)
    Of 3 submissions by 1 team, 1 broke the policy: 1 came too soon; small changes were not looked for without the runs.

    """
    if not submissions.entries:
        raise InputError("Found no submissions; expected at least one to hold to the policy.")
    rules = policy or Policy()
    known = runs or {}
    audited: list[AuditedSubmission] = []
    for entries in submissions.by_team().values():
        depth = rules.small_changes.depth
        tops = {each.run: _top_of(known[each.run], depth) for each in entries if each.run in known}
        for place, entry in enumerate(entries):
            audited.append(_audit(entry, entries[:place], tops, rules))
            on_progress(entry.run)
    order = {entry.run: place for place, entry in enumerate(submissions.by_date())}
    names = {entry.run for entry in submissions.entries}
    return PolicyAudit(
        submissions=tuple(sorted(audited, key=lambda each: order[each.submission.run])),
        policy=rules,
        has_runs=runs is not None,
        without_run=tuple(run for run in order if runs is not None and run not in runs),
        not_submitted=tuple(sorted(run for run in known if run not in names)),
        source=submissions.source,
        digest=submissions.digest,
    )


def _top_of(run: Run | TopOfRun, depth: int) -> TopOfRun:
    return run.to_depth(depth) if isinstance(run, TopOfRun) else TopOfRun.of(run, depth)


def _audit(
    entry: SubmittedRun, earlier: Sequence[SubmittedRun], tops: Mapping[str, TopOfRun], policy: Policy
) -> AuditedSubmission:
    dates = [each.date for each in earlier]
    in_window = policy.window.count(dates, entry.date)
    close_to = tuple(_close_runs(entry, earlier, tops, policy))
    return AuditedSubmission(
        submission=entry,
        n_in_window=in_window + 1,
        allowed_from=policy.window.next_date(dates, entry.date),
        close_to=close_to,
        latest_embargo=policy.embargo.latest_end(entry.date),
        came_too_soon=in_window >= policy.window.limit,
        is_small_change=len(close_to) >= policy.small_changes.limit,
        embargo_is_too_long=not policy.embargo.allows(entry.date, entry.embargo_until),
    )


def _close_runs(
    entry: SubmittedRun, earlier: Sequence[SubmittedRun], tops: Mapping[str, TopOfRun], policy: Policy
) -> list[CloseRun]:
    if entry.run not in tops:
        return []
    rule = policy.small_changes
    compared = [
        CloseRun(run=each.run, similarity=compare_tops(tops[each.run], tops[entry.run], p=rule.p))
        for each in earlier
        if each.run in tops
    ]
    close = [each for each in compared if rule.are_close(each.similarity)]
    return sorted(close, key=lambda each: (-each.similarity.rbo, -each.similarity.identical, each.run))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PolicyAudit(Result):
    """Every submission and what it broke, in the order of submission."""

    FIGURES = (
        Rows(
            "submissions",
            (
                *columns(str, "run=submission.run team=submission.team"),
                *columns(date, "date=submission.date embargo_until=submission.embargo_until"),
                *columns(bool, "breaks_policy came_too_soon"),
                Column("n_in_window", int),
                Column("allowed_from", date),
                Column("is_small_change", bool),
                Column("closest_run", str, "closest.run"),
                *columns(float, "rbo=closest.similarity.rbo identical=closest.similarity.identical"),
                Column("embargo_is_too_long", bool),
                Column("latest_embargo", date),
                Fact(
                    "close_to", lambda each: [{"run": close.run, **asdict(close.similarity)} for close in each.close_to]
                ),
            ),
            keeps_nan=True,
        ),
    )
    MADE_FROM = (
        "submissions=source submissions_digest=digest n_submissions=len(submissions) n_teams runs_compared=has_runs",
        Fact("window", lambda self: f"{self.policy.window.limit} in {self.policy.window.days} days"),
        "small_changes=policy.small_changes embargo_months=policy.embargo.months",
    )

    submissions: tuple[AuditedSubmission, ...]
    policy: Policy
    has_runs: bool
    without_run: tuple[str, ...]
    """Submissions whose run was not among those given."""
    not_submitted: tuple[str, ...]
    """Runs given that nobody submitted."""
    source: str
    digest: str

    @cached_property
    def broken(self) -> tuple[AuditedSubmission, ...]:
        """Those that broke a rule."""
        return tuple(each for each in self.submissions if each.breaks_policy)

    @property
    def n_teams(self) -> int:
        return len({each.submission.team for each in self.submissions})

    @property
    def sentence(self) -> str:
        made = f"Of {say_count(len(self.submissions), 'submission')} by {say_count(self.n_teams, 'team')}"
        unseen = "" if self.has_runs else "; small changes were not looked for without the runs"
        if not self.broken:
            return f"{made}, none broke the policy{unseen}."
        counts = (
            (sum(each.came_too_soon for each in self.broken), "came too soon"),
            (sum(each.is_small_change for each in self.broken), "differed little from an earlier run of the team"),
            (sum(each.embargo_is_too_long for each in self.broken), "asked for too long an embargo"),
        )
        parts = ", ".join(f"{n:,} {what}" for n, what in counts if n)
        return f"{made}, {len(self.broken):,} broke the policy: {parts}{unseen}."

    @property
    def table(self) -> Table:
        rows = tuple(
            (
                each.submission.date.isoformat(),
                each.submission.team,
                each.submission.run,
                "; ".join(self._say_breaches(each)),
            )
            for each in self.submissions
        )
        return Table(header=("date", "team", "run", "what it broke"), rows=rows)

    def _say_breaches(self, each: AuditedSubmission) -> Iterator[str]:
        if each.came_too_soon:
            days = self.policy.window.days
            yield f"no. {each.n_in_window} in {days} days, allowed from {each.allowed_from}"
        if each.is_small_change:
            closest = each.close_to[0]
            overlap = show_number(closest.similarity.rbo, 2)
            yield f"close to {closest.run} (RBO {overlap}, {show_share(closest.similarity.identical)} identical)"
        if each.embargo_is_too_long:
            yield f"embargo to {each.submission.embargo_until}, at most {each.latest_embargo}"

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        window, small = self.policy.window, self.policy.small_changes
        yield (
            f"Window: at most {say_count(window.limit, 'submission')} of a team in any {window.days} days; every one "
            "counts, whatever it broke. Teams are told apart by their names as written."
        )
        if self.has_runs:
            many = "one" if small.limit == 1 else str(small.limit)
            yield (
                f"Small changes: no more than {many} of a team's runs that are close to each other: in their first "
                f"{small.depth} documents a mean RBO (p = {small.p:g}) of {small.rbo:g}, or the same lists for "
                f"{show_share(small.identical)} of the queries."
            )
        yield f"Embargo: at most {say_count(self.policy.embargo.months, 'calendar month')} from the day of submission."
        if self.without_run:
            names = list_names(list(self.without_run))
            yield f"Not looked at for small changes: {say_count(len(self.without_run), 'run')} not given: {names}."
        if self.not_submitted:
            names = list_names(list(self.not_submitted))
            yield f"Left out: {say_count(len(self.not_submitted), 'run')} given that no submission names: {names}."

    @property
    def explanation(self) -> Explanation:
        small = self.policy.small_changes
        looked = (
            f"Runs of a team are compared by the rank-biased overlap of their first {small.depth} documents (Webber et "
            "al. 2010) and by how many lists are identical."
            if self.has_runs
            else "Small changes were not looked for, since that takes the runs themselves."
        )
        different = ("Runs that differ by more than these limits are different work.",) if self.has_runs else ()
        rules = "Every submission is held to the rules of the board in the order it came (Craswell et al. 2021)."
        return Explanation(
            how=f"{rules} {looked}",
            assumptions=("A team goes by one name, and all that it submitted is here with its date.", *different),
        )

    def __repr__(self) -> str:
        return f"PolicyAudit({len(self.submissions):,} submissions, {len(self.broken):,} broke it)"
