"""Where are the pages of public queries?"""

from __future__ import annotations

from django.urls import path

from toprung.web.site.query import reports, views

urlpatterns = [
    path("b/<slug:slug>/queries/", views.show_queries, name="queries"),
    path("b/<slug:slug>/queries.csv", views.export_queries, name="queries_csv"),
    path("b/<slug:slug>/queries/report/", reports.report_query, name="report_label"),
    path("b/<slug:slug>/organise/reports/", reports.list_reports, name="reported_labels"),
    path("b/<slug:slug>/organise/reports/<int:pk>/", reports.answer, name="answer_report"),
]
