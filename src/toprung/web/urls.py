"""Where is each page? Each app lists its own."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from toprung.web.health import show_health, show_readiness
from toprung.web.watching.metrics import show_metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", show_health, name="health"),
    path("readyz", show_readiness, name="readiness"),
    path("metrics", show_metrics, name="metrics"),
    path("api/v1/", include("toprung.web.api.app")),
    path("accounts/", include("allauth.urls")),
    path("", include("toprung.web.accounts.urls")),
    path("", include("toprung.web.submissions.urls")),
    path("", include("toprung.web.boards.organise_urls")),
    path("", include("toprung.web.boards.urls")),
]
