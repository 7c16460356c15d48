"""Where is what other places take from a board?"""

from __future__ import annotations

from django.urls import path

from toprung.web.site.share import badge, card, feed, follow, hooks

urlpatterns = [
    path("b/<slug:slug>/feed.atom", feed.show_feed, name="feed"),
    path("b/<slug:slug>/follow/", follow.follow_board, name="follow"),
    path("b/<slug:slug>/follow/hooks/", hooks.add, name="add_hook"),
    path("b/<slug:slug>/follow/hooks/<int:pk>/remove/", hooks.remove, name="remove_hook"),
    path("b/<slug:slug>/badge.svg", badge.show_board_badge, name="badge"),
    path("b/<slug:slug>/runs/<str:label>/badge.svg", badge.show_run_badge, name="run_badge"),
    path("b/<slug:slug>/card.png", card.show_card, name="card"),
    path("stop/<str:token>/", follow.stop, name="stop_mails"),
]
