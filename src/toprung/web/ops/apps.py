from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate

from toprung.web.ops.watch.task_log import log_tasks


class OpsConfig(AppConfig):
    """Stores nothing; it begins the log, and keeps which schema was made."""

    name = "toprung.web.ops"
    label = "ops"

    def ready(self) -> None:
        log_tasks()
        post_migrate.connect(_keep_digest, sender=apps.get_app_config("web"))


def _keep_digest(**sent: Any) -> None:
    from toprung.web.ops.schema import keep_digest  # models are not there yet when this module is read

    keep_digest(**sent)
