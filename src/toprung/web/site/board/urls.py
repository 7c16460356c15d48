"""Where are the pages of boards?"""

from __future__ import annotations

from django.urls import path, re_path

from toprung.web.site.board import about, compare, history, home, label_versions, leaderboard, registered, stability
from toprung.web.site.board import export_views as exports
from toprung.web.site.board.moved import lead_on

BOARD = r"b/(?P<slug>[-a-zA-Z0-9_]+)"

urlpatterns = [
    path("", home.list_boards, name="home"),
    path("boards/", home.list_boards, name="boards"),
    path("methods/", about.show_methods, name="methods"),
    path("b/<slug:slug>/", leaderboard.show_leaderboard, name="leaderboard"),
    path("b/<slug:slug>/embed/", leaderboard.embed_leaderboard, name="embed"),
    path("b/<slug:slug>/export.<str:ending>", exports.export, name="export"),
    path("b/<slug:slug>/history/", history.show_history, name="history"),
    re_path(rf"^{BOARD}/history\.(?P<ending>csv|json|tex|svg|png|pdf)$", history.export_history, name="history_file"),
    path("b/<slug:slug>/timeline/", lead_on, {"to": "history"}, name="timeline"),
    path("b/<slug:slug>/timeline.json", lead_on, {"to": "history_file", "ending": "json"}, name="timeline_json"),
    path("b/<slug:slug>/claims/", lead_on, {"to": "history", "place": "claims"}, name="claims"),
    path("b/<slug:slug>/claims.json", lead_on, {"to": "history_file", "ending": "json"}, name="claims_json"),
    path("b/<slug:slug>/labels/", label_versions.show_versions, name="label_versions"),
    path("b/<slug:slug>/labels.json", label_versions.show_versions, {"as_json": True}, name="label_versions_json"),
    re_path(
        rf"^{BOARD}/labels/label-sets\.(?P<ending>svg|png|pdf)$",
        label_versions.export_picture,
        name="label_versions_picture",
    ),
    path("b/<slug:slug>/stability/", stability.show_stability, name="stability"),
    path("b/<slug:slug>/significance/", lead_on, {"to": "stability", "place": "order"}, name="significance"),
    re_path(
        rf"^{BOARD}/(?P<kind>stability|significance)\.(?P<ending>csv|json|tex)$",
        stability.export_result,
        name="export_result",
    ),
    re_path(
        rf"^{BOARD}/stability/(?P<kind>places|shares|pairs|all)\.(?P<ending>svg|png|pdf)$",
        stability.export_picture,
        name="stability_picture",
    ),
    path("b/<slug:slug>/analysis/<slug:key>/", registered.show_analysis, name="analysis"),
    re_path(
        rf"^{BOARD}/analysis/(?P<key>[-a-zA-Z0-9_]+)/(?P<kind>[-a-z]+)\.(?P<ending>svg|png|pdf)$",
        registered.export_picture,
        name="analysis_picture",
    ),
    path("b/<slug:slug>/compare/", compare.compare, name="compare"),
    re_path(rf"^{BOARD}/compare\.(?P<ending>json|tex)$", compare.export_comparison, name="compare_file"),
    re_path(
        rf"^{BOARD}/compare/(?P<kind>rank-differences|miss-cost|query-differences)\.(?P<ending>svg|png|pdf)$",
        compare.export_picture,
        name="compare_picture",
    ),
    path("b/<slug:slug>/about/", about.show_about, name="about"),
]
