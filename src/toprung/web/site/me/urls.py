"""Where is a participant's home?"""

from __future__ import annotations

from django.urls import path

from toprung.web.site.me import api_page, views

urlpatterns = [
    path("me/", views.show_me, name="me"),
    path("me/invitations/<int:pk>/join/", views.join_invited, name="join_invited"),
    path("api/", api_page.show_api, name="api_page"),
]
