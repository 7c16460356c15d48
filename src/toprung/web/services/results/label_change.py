"""What does this version of the labels change? Every run's score under both, and who would hold the top rung.

Claims stand as recorded, and so does the holder; what would stand had all runs been settled under the new labels is
told beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toprung.analyses.relabel.find import rescore
from toprung.analyses.relabel.tables import RUN_COLUMNS, Relabelled, RelabelledRun
from toprung.analyses.timeline.find import Timeline, timeline
from toprung.errors import InputError
from toprung.report.charts.kinds import two_label_sets
from toprung.result import json_safe, tell
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import ScoreColumn, Submission
from toprung.web.core.store.columns import labels_of, score_table
from toprung.web.core.store.label_versions import version_before
from toprung.web.core.store.rules import claim_policy
from toprung.web.services.claims.records import dates_of
from toprung.web.services.results.content import show_explanation, show_provenance
from toprung.web.services.results.drawing import say_figure
from toprung.web.services.results.material import BoardMaterial
from toprung.web.services.results.public import decimals_for, seen_by
from toprung.words.wording import list_names, show_number


def show_change(material: BoardMaterial) -> dict[str, Any] | None:
    """What the version of these labels changes; None of the first, and where no run has scores under both."""
    before = version_before(material.labels)
    runs = [] if before is None else _runs_of_both(material, before)
    if before is None or not runs:
        return None
    would = {"would": show_would_stand(material), "from": before.version, "to": material.labels.version}
    try:
        found = _compare(material, before, runs)
    except InputError as error:  # no query is left of those before
        return would | {"sentence": str(error), "rows": [], "figures": []}
    return would | _show(material, found)


def _runs_of_both(material: BoardMaterial, before: LabelSet) -> list[Submission]:
    """Who was scored under the labels before; for everyone only who was shown then as well as now."""
    board, official = material.board, material.board.official_measure
    columns = ScoreColumn.objects.filter(label_set=before, measure=official, submission__in=material.submissions)
    known = set(columns.values_list("submission_id", flat=True))
    if material.is_public:
        shown = board.standings.filter(audience=Audience.PUBLIC, labels_version=before.version)
        known &= set(shown.values_list("submission_id", flat=True))
    return [each for each in material.submissions if each.pk in known]


def _compare(material: BoardMaterial, before: LabelSet, runs: Sequence[Submission]) -> Relabelled:
    measure = material.board.official_measure
    found = rescore(
        labels_of(before),
        labels_of(material.labels),
        measure=measure,
        seed=material.board.seed,
        before=score_table(before, runs, measure),
        after=material.findings.scores.select([each.run_id for each in runs]),
    )
    return seen_by(material.audience, found, material.release, key="relabel")


def _show(material: BoardMaterial, found: Relabelled) -> dict[str, Any]:
    decimals = decimals_for(material.board, material.audience)
    shown: dict[str, Any] = json_safe(
        {
            "sentence": found.sentence,
            "measure": found.measure,
            "decimals": decimals,
            "tau": found.tau,
            "tau_top": found.tau_top,
            "top": found.top,
            "perfect_before": found.perfect_before,
            "perfect_after": found.perfect_after,
            "perfect_words": [show_number(each, decimals) for each in (found.perfect_before, found.perfect_after)],
            "better_than_perfect": list(found.better_than_perfect),
            "n_queries": found.n_queries,
            "rows": [_to_row(row, decimals) for row in found.rows],
        }
    )
    return shown | {
        "notes": [note for note in found.notes if "`toprung" not in note],
        "explanation": show_explanation(found.explanation),
        "figures": [say_figure(two_label_sets.draw(found))],
        "provenance": show_provenance(found, material.audience),
    }


def _to_row(row: RelabelledRun, decimals: int) -> dict[str, Any]:
    words = {"before_words": show_number(row.before.estimate, decimals)}
    return tell(row, RUN_COLUMNS) | words | {"after_words": show_number(row.after.estimate, decimals)}


# ---- what would stand ----


def show_would_stand(material: BoardMaterial) -> dict[str, Any]:
    """Who would hold the rung, and which claims would have passed, had these labels been there from the start.

    For everyone among the runs that are shown.
    """
    found = replay(material)
    holder = material.board.holder
    recorded = "" if holder is None else holder.run_id
    would_hold = found.submissions[-1].holder
    passed = [claim.run for claim in found.claims if claim.passed]
    return {
        "holder": would_hold,
        "recorded_holder": recorded,
        "is_same": would_hold == recorded,
        "n_claims": len(found.claims),
        "passed": passed,
        "sentence": _say(material.labels, would_hold, recorded, len(found.claims), passed),
    }


def replay(material: BoardMaterial) -> Timeline:
    """All runs in the order they came, under these labels and the board's rules."""
    runs, policy = material.submissions, claim_policy(material.board)
    return timeline(
        material.findings.matrix,
        dates=dates_of(runs),
        rule=policy.rule,
        alpha=policy.alpha,
        gamma=policy.gamma,
        margins=policy.margins,
        baselines=[each.run_id for each in runs if each.is_baseline],
        seed=material.board.seed,
    )


def _say(labels: LabelSet, holder: str, recorded: str, n_claims: int, passed: Sequence[str]) -> str:
    also = ", as it is" if holder == recorded else f"; as recorded, it is {recorded}" if recorded else ""
    held = f"Had all runs come under labels v{labels.version}, {holder} would be the holder{also}."
    return f"{held} {_say_claims(n_claims, list(passed))}"


def _say_claims(n_claims: int, passed: list[str]) -> str:
    if not n_claims:
        return "No run would have made a claim."
    if n_claims == 1:
        return f"The one claim would {'' if passed else 'not '}have passed."
    if not passed:
        return f"Of {n_claims:,} claims none would have passed."
    if len(passed) == n_claims:
        return f"{'Both' if n_claims == 2 else f'All {n_claims:,}'} claims would have passed."
    return f"Of {n_claims:,} claims {len(passed):,} would have passed: {list_names(passed, most=8)}."
