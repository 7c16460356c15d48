from django.apps import AppConfig

from toprung.web.ops.watch.task_log import log_tasks


class OpsConfig(AppConfig):
    """Stores nothing; it is there to begin with the log."""

    name = "toprung.web.ops"
    label = "ops"

    def ready(self) -> None:
        log_tasks()
