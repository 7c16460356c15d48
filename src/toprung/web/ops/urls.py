"""Where is each page? Each app lists its own."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from toprung.web.ops.health import show_health, show_readiness
from toprung.web.ops.watch.metrics import show_metrics

handler500 = "toprung.web.ops.watch.database_away.answer_fault"
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", show_health, name="health"),
    path("readyz", show_readiness, name="readiness"),
    path("metrics", show_metrics, name="metrics"),
    path("api/v1/", include("toprung.web.api.app")),
    path("accounts/", include("allauth.urls")),
    path("", include("toprung.web.site.account.urls")),
    path("", include("toprung.web.site.me.urls")),
    path("", include("toprung.web.site.share.urls")),
    path("", include("toprung.web.site.submit.urls")),
    path("", include("toprung.web.site.judging.urls")),
    path("", include("toprung.web.site.organise.urls")),
    path("", include("toprung.web.site.data.urls")),
    path("", include("toprung.web.site.campaign.urls")),
    path("", include("toprung.web.site.query.urls")),
    path("", include("toprung.web.site.board.urls")),
]
