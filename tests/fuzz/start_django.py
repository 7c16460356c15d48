"""Django as the tests have it, for readers that need it; loaded when the first of them is asked."""

from __future__ import annotations

import os


def start_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.web.settings")
    import django
    from django.apps import apps

    if not apps.ready:
        django.setup()
