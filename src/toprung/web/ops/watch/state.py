"""How far is the work? Counted in the database when it is asked for: nothing tells of a single board, team or run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from django.conf import settings
from django.db.models import Count
from django_ox.models import OxTask
from django_ox.stats import oldest_ready_age
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from toprung.web.core.config.databases import noted_damage
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import FirstRankColumn, RunState, Submission, Upload, UploadState
from toprung.web.core.store.behind import boards_behind
from toprung.web.core.work.workers import seconds_since_worker

TASK_STATES = {
    OxTask.Status.READY: "waiting",
    OxTask.Status.RUNNING: "running",
    OxTask.Status.FAILED: "failed",
    OxTask.Status.LOST: "lost",
}
SCORED = (RunState.SCORED, RunState.DONE)


class StateCollector(Collector):
    """Gauges of tasks, submissions, uploads, results, label versions and room."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from _tasks()
        yield _submissions()
        waiting = Upload.objects.filter(state__in=(UploadState.WAITING, UploadState.CHECKING)).count()
        yield _gauge("toprung_uploads_waiting", "Files whose check is not done.", waiting)
        behind = boards_behind().count()
        yield _gauge("toprung_boards_behind", "Boards whose pages do not show the latest results yet.", behind)
        yield from _label_versions()
        free = shutil.disk_usage(settings.ENVIRONMENT.data_folder).free
        is_damaged = bool(noted_damage(settings.ENVIRONMENT))
        yield _gauge("toprung_database_damaged", "1 where a page of the database cannot be read, else 0.", is_damaged)
        yield _gauge("toprung_free_bytes", "Room on the disk of the data folder.", free)


def _tasks() -> Iterator[GaugeMetricFamily]:
    family = GaugeMetricFamily("toprung_tasks", "Tasks in the background, by state.", labels=["state"])
    counted = dict(OxTask.objects.values_list("status").annotate(n=Count("pk")))
    for status, name in TASK_STATES.items():
        family.add_metric([name], counted.get(status, 0))
    yield family
    oldest = oldest_ready_age()
    age = oldest.total_seconds() if oldest is not None else 0
    yield _gauge("toprung_oldest_task_seconds", "How long the oldest task has waited that could run.", age)
    seen = seconds_since_worker()
    if seen is not None:
        yield _gauge("toprung_worker_seen_seconds", "How long ago a worker was seen.", seen)


def _submissions() -> GaugeMetricFamily:
    family = GaugeMetricFamily("toprung_submissions", "Submissions, by state.", labels=["state"])
    counted = dict(Submission.objects.values_list("state").annotate(n=Count("pk")))
    for state in RunState.values:
        family.add_metric([state], counted.get(state, 0))
    return family


def _label_versions() -> Iterator[GaugeMetricFamily]:
    """All that are being prepared together: how many, and how many of their runs are scored."""
    preparing = list(LabelSet.objects.filter(current_since=None, given_up_at=None))
    scored = FirstRankColumn.objects.filter(label_set__in=preparing, submission__state__in=SCORED).count()
    runs = sum(Submission.objects.filter(board=each.board_id, state__in=SCORED).count() for each in preparing)
    yield _gauge("toprung_label_versions_preparing", "Label versions that are not current yet.", len(preparing))
    family = GaugeMetricFamily(
        "toprung_label_version_runs", "Runs of the boards with a version in preparation.", labels=["state"]
    )
    family.add_metric(["scored"], scored)
    family.add_metric(["waiting"], max(0, runs - scored))
    yield family


def _gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, says, value=value)
