"""What does a part of a report need, and what is there to give where it is missing? None where it is there."""

from __future__ import annotations

from collections.abc import Callable

from toprung.analyses.agreement.find import LEAST_QUERIES
from toprung.data.run_metadata import Metadata
from toprung.report.overview.answers import count_splits
from toprung.report.overview.material import ReportMaterial
from toprung.words.wording import list_names, say_count, say_queries

type Need = Callable[[ReportMaterial], str | None]

FILE_OF_RUNS = "a file with a row for each run (--dates FILE)"


def two_runs(material: ReportMaterial) -> str | None:
    return "Give at least two runs." if len(material.runs) < 2 else None


def enough_queries(material: ReportMaterial) -> str | None:
    found = len(material.matrix.query_ids)
    return f"Found {say_queries(found)}; give at least {LEAST_QUERIES}." if found < LEAST_QUERIES else None


def run_files(material: ReportMaterial) -> str | None:
    return None if material.inputs.runs else "Give labels and run files: scores do not say which documents were found."


def several_measures(material: ReportMaterial) -> str | None:
    found = material.inputs.evaluation
    if found is not None and len(found.measures) > 1:
        return None
    return "Give labels and run files, or what `evaluate` gave under several measures."


def few_enough_pairs(material: ReportMaterial) -> str | None:
    if count_splits(len(material.runs)):
        return None
    return f"Left out, for {say_count(len(material.runs), 'run')} would take too long; run `toprung agreement`."


def dates(material: ReportMaterial) -> str | None:
    if not material.dates:
        return f"Give the dates of submission: {FILE_OF_RUNS}, with the columns run and date."
    if material.undated:
        return f"Give a date for {list_names(material.undated)}: every run but baselines needs one."
    return None


def teams_and_dates(material: ReportMaterial) -> str | None:
    if material.submissions is not None:
        return None
    if material.metadata is None or not material.metadata.teams():
        return f"Give who submitted what, and when: {FILE_OF_RUNS}, with the columns run, team and date."
    missing = material.unsubmitted
    return f"Give a team and a date for {list_names(missing)}." if missing else "Give a team and a date for the runs."


def baseline(material: ReportMaterial) -> str | None:
    others = [run for run in material.inputs.baselines if run != material.best]
    if others:
        return None
    if material.inputs.baselines:
        return f"{material.inputs.baselines[0]} has the highest score itself: the comparison with it stands above."
    return "Name a run to compare with (--baseline RUN)."


def private_labels(material: ReportMaterial) -> str | None:
    """Labels that were given and fit no run are a fault, which says more than that something is missing."""
    if material.inputs.private:
        return None
    if material.inputs.not_private:
        raise next(iter(material.inputs.not_private.values()))
    return "Give labels of private queries (--private-qrels FILE)."


def new_labels(material: ReportMaterial) -> str | None:
    if material.inputs.new_labels is None and material.inputs.effort is None:
        return (
            "Give other labels of the same queries (--labels FILE), or the folder of a judging effort (--labels DIR)."
        )
    return run_files(material)


def judging_effort(material: ReportMaterial) -> str | None:
    if material.inputs.effort is None:
        return "Give the folder of a judging effort (--labels DIR), such as `toprung labels` makes."
    return run_files(material)


def pools_not_judged(material: ReportMaterial) -> str | None:
    """Where pools were judged, those are shown."""
    has_pools = material.inputs.effort is not None and bool(material.judged.pools)
    return "The pools that were judged are shown instead." if has_pools else None


def of_metadata(column: str, read: Callable[[Metadata], object]) -> Need:
    """What a column of the metadata says, for at least one run."""

    def need(material: ReportMaterial) -> str | None:
        if material.metadata is not None and read(material.metadata):
            return None
        return f"Give {FILE_OF_RUNS}, with the columns run and {column}."

    return need


cost = of_metadata("cost", Metadata.costs)
latency = of_metadata("latency", Metadata.latencies)


def several_seeds(material: ReportMaterial) -> str | None:
    systems = material.metadata.systems() if material.metadata else {}
    if any(len(runs) > 1 for runs in systems.values()):
        return None
    return f"Give {FILE_OF_RUNS}, with the columns run, system and seed: several runs of one system."
