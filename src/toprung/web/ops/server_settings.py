"""How does the web server run? Settings of gunicorn; where it listens and with how many processes is said at start."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

from toprung.web.ops.logs import LINE, logging_settings

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

wsgi_app = "toprung.web.ops.wsgi:application"
worker_class = "toprung.web.ops.web_worker.WebWorker"
threads = 4
timeout = 120
graceful_timeout = 20
keepalive = 20
"""Seconds that a connection waits for the next request: as long as most people read a pair, and longer than the proxy
of the docs keeps one, so that it sends nothing on a connection that is just being closed."""
sendfile = False
"""Who takes nothing of a file would be waited for without end."""
control_socket_disable = True
loglevel = "warning"
logconfig_dict = logging_settings(os.environ.get("TOPRUNG_LOG_FORMAT", LINE).strip())


def on_starting(server: Any) -> None:  # noqa: ARG001 - gunicorn calls it so
    """Its processes count requests together, in files of a folder that must be known before they begin."""
    os.environ[METRICS_FOLDER] = tempfile.mkdtemp(prefix="toprung-metrics-")


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001 - gunicorn calls it so
    """What a process counted stays counted; what it had open is closed."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:  # noqa: ARG001 - gunicorn calls it so
    shutil.rmtree(os.environ[METRICS_FOLDER], ignore_errors=True)
