"""Where are the pages of data?"""

from __future__ import annotations

from django.urls import path

from toprung.web.site.data import organise, views

HERE, ORGANISE = "b/<slug:slug>/data", "b/<slug:slug>/organise/data"
urlpatterns = [
    path(f"{HERE}/", views.show_data, name="data"),
    path(f"{HERE}/accept/", views.accept_data_terms, name="accept_data_terms"),
    path(f"{HERE}/SHA256SUMS", views.show_sums, name="data_sums"),
    path(f"{HERE}/files/<str:name>", views.download_data_file, name="data_file"),
    path(f"{ORGANISE}/", organise.organise_data, name="organise_data"),
    path(f"{ORGANISE}/terms/", organise.change_terms, name="change_data_terms"),
    path(f"{ORGANISE}/<int:pk>/remove/", organise.remove_data_file, name="remove_data_file"),
    path(f"{ORGANISE}/<int:pk>/open/", organise.open_data_file, name="open_data_file"),
]
