"""Where are the pages of submissions?"""

from __future__ import annotations

from django.urls import path, re_path

from toprung.web.site.run import editing, status, withdrawing
from toprung.web.site.run import views as runs
from toprung.web.site.submit import asking, files
from toprung.web.site.submit import views as submitting

urlpatterns = [
    path("b/<slug:slug>/submit/", submitting.submit_run, name="submit"),
    path("b/<slug:slug>/submit/ask/", asking.ask, name="ask_to_take_part"),
    path("b/<slug:slug>/uploads/", files.send_file, name="send_file"),
    path("b/<slug:slug>/uploads/<int:pk>/", files.show_upload, name="upload"),
    path("b/<slug:slug>/runs/<str:label>/", runs.show_run, name="run"),
    re_path(
        r"^b/(?P<slug>[-a-zA-Z0-9_]+)/runs/(?P<label>[^/]+)/versions\.(?P<ending>svg|png|pdf)$",
        runs.export_picture,
        name="run_picture",
    ),
    path("b/<slug:slug>/runs/<str:label>/status/", status.show_status, name="run_status"),
    path("b/<slug:slug>/runs/<str:label>/edit/", editing.edit_run, name="edit_run"),
    path("b/<slug:slug>/runs/<str:label>/withdraw/", withdrawing.withdraw_run, name="withdraw_run"),
]
