"""Where are the pages of people and teams? Signing in and up, passwords and second factors are allauth's."""

from __future__ import annotations

from django.urls import path

from toprung.web.site.account import invitations, links, teams, tokens
from toprung.web.site.account import views as account

urlpatterns = [
    path("account/", account.show_account, name="account"),
    path("account/delete/", account.delete_account, name="delete_account"),
    path("account/tokens/", tokens.show_tokens, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", tokens.revoke_token, name="revoke_token"),
    path("link/<str:token>/", links.log_in_by_link, name="login_link"),
    path("teams/new/", teams.create_team, name="create_team"),
    path("teams/<slug:slug>/", teams.show_team, name="team"),
    path("teams/<slug:slug>/invite/", invitations.invite, name="invite"),
    path("teams/<slug:slug>/uninvite/<int:pk>/", invitations.withdraw_invitation, name="withdraw_invitation"),
    path("teams/<slug:slug>/members/<int:pk>/remove/", teams.remove_member, name="remove_member"),
    path("teams/<slug:slug>/members/<int:pk>/own/", teams.make_owner, name="make_owner"),
    path("teams/<slug:slug>/leave/", teams.leave_team, name="leave_team"),
    path("join/<str:secret>/", invitations.join_team, name="join_team"),
]
