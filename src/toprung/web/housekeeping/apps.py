from django.apps import AppConfig


class HousekeepingConfig(AppConfig):
    name = "toprung.web.housekeeping"
    label = "housekeeping"

    def ready(self) -> None:
        from toprung.web.watching.task_log import log_tasks

        log_tasks()
