"""Where are the pages of boards?"""

from __future__ import annotations

from django.urls import path, re_path

from toprung.web.site.board import about, compare, home, label_versions, leaderboard, registered, stability, timeline
from toprung.web.site.board import export_views as exports

urlpatterns = [
    path("", home.list_boards, name="home"),
    path("boards/", home.list_boards, name="boards"),
    path("methods/", about.show_methods, name="methods"),
    path("b/<slug:slug>/", leaderboard.show_leaderboard, name="leaderboard"),
    path("b/<slug:slug>/embed/", leaderboard.embed_leaderboard, name="embed"),
    path("b/<slug:slug>/export.<str:ending>", exports.export, name="export"),
    path("b/<slug:slug>/timeline/", timeline.show_timeline, name="timeline"),
    path("b/<slug:slug>/timeline.json", timeline.show_timeline, {"as_json": True}, name="timeline_json"),
    path("b/<slug:slug>/claims/", timeline.show_claims, name="claims"),
    path("b/<slug:slug>/claims.json", timeline.show_claims, {"as_json": True}, name="claims_json"),
    path("b/<slug:slug>/labels/", label_versions.show_versions, name="label_versions"),
    path("b/<slug:slug>/labels.json", label_versions.show_versions, {"as_json": True}, name="label_versions_json"),
    path("b/<slug:slug>/stability/", stability.show_stability, name="stability"),
    path("b/<slug:slug>/significance/", stability.show_significance, name="significance"),
    re_path(
        r"^b/(?P<slug>[-a-zA-Z0-9_]+)/(?P<kind>stability|significance)\.(?P<ending>csv|json|tex)$",
        stability.export_result,
        name="export_result",
    ),
    path("b/<slug:slug>/analysis/<slug:key>/", registered.show_analysis, name="analysis"),
    path("b/<slug:slug>/compare/", compare.compare, name="compare"),
    re_path(
        r"^b/(?P<slug>[-a-zA-Z0-9_]+)/compare\.(?P<ending>json|tex)$", compare.export_comparison, name="compare_file"
    ),
    path("b/<slug:slug>/about/", about.show_about, name="about"),
]
