"""Where are the pages of organisers?"""

from __future__ import annotations

from django.urls import path, re_path

from toprung.web.site.organise import announcing
from toprung.web.site.organise import audit as organise_audit
from toprung.web.site.organise import baselines as organise_baselines
from toprung.web.site.organise import checklist as checklist_page
from toprung.web.site.organise import claims as organise_claims
from toprung.web.site.organise import create as create_board
from toprung.web.site.organise import ending as organise_ending
from toprung.web.site.organise import import_page as organise_import
from toprung.web.site.organise import labels as organise_labels
from toprung.web.site.organise import people as organise_people
from toprung.web.site.organise import policy as organise_policy
from toprung.web.site.organise import steps as organise_steps
from toprung.web.site.organise import validity as organise_validity
from toprung.web.site.organise import versions as organise_versions

HERE = "b/<slug:slug>/organise"
urlpatterns = [
    path("boards/new/", create_board.create_board, name="create_board"),
    path("boards/new/<int:pk>/drop/", create_board.drop_draft, name="drop_draft"),
    path("boards/new/<int:pk>/board.toml", create_board.download_toml, name="draft_toml"),
    path("boards/new/<int:pk>/<slug:step>/", organise_steps.show_step, name="draft_step"),
    path("b/<slug:slug>/claims/<int:number>/void/", organise_claims.void_claim, name="void_claim"),
    path("b/<slug:slug>/labels/<int:pk>/", organise_labels.download_public_labels, name="public_labels"),
    path(f"{HERE}/", checklist_page.show_checklist, name="organise"),
    path(f"{HERE}/end/", organise_ending.end_board, name="end_board"),
    path(f"{HERE}/end/bundle", organise_ending.download_final_bundle, name="final_bundle"),
    path("b/<slug:slug>/final/", organise_ending.show_final, name="final"),
    path("b/<slug:slug>/final.json", organise_ending.download_final, name="final_json"),
    path(f"{HERE}/validity/", organise_validity.show_validity, name="validity"),
    re_path(
        r"^b/(?P<slug>[-a-zA-Z0-9_]+)/organise/validity/(?P<kind>[-a-z]+)\.(?P<ending>svg|png|pdf)$",
        organise_validity.export_picture,
        name="validity_picture",
    ),
    path(f"{HERE}/validity.json", organise_validity.export_validity, name="validity_json"),
    path(f"{HERE}/audit/", organise_audit.show_audit, name="audit"),
    path(f"{HERE}/audit/check/", organise_audit.check_audit, name="check_audit"),
    path(f"{HERE}/audit.json", organise_audit.export_audit, name="export_audit"),
    path(f"{HERE}/labels/", organise_labels.show_labels, name="labels"),
    path(f"{HERE}/labels/<int:pk>/", organise_labels.open_labels, name="open_labels"),
    path(f"{HERE}/labels/publish/", organise_versions.publish_labels, name="publish_labels"),
    path(f"{HERE}/labels/preparation/", organise_versions.show_preparation, name="preparation"),
    path(f"{HERE}/labels/<int:pk>/give-up/", organise_versions.give_up_labels, name="give_up_labels"),
    path(f"{HERE}/labels/<int:pk>/try-again/", organise_versions.try_labels_again, name="try_labels_again"),
    path(f"{HERE}/policy/", organise_policy.show_policy, name="policy"),
    path(f"{HERE}/people/", organise_people.show_people, name="people"),
    path(f"{HERE}/people/<int:pk>/change/", organise_people.change_role, name="change_role"),
    path(f"{HERE}/people/<int:pk>/remove/", organise_people.remove_role, name="remove_role"),
    path(f"{HERE}/people/<int:pk>/link/", organise_people.give_link, name="give_link"),
    path(f"{HERE}/people/teams/<slug:team>/approve/", organise_people.approve_team, name="approve_team"),
    path(f"{HERE}/people/teams/<slug:team>/invite/", organise_people.invite_to_team, name="invite_to_team"),
    path(f"{HERE}/announcements/", announcing.show_announcements, name="announcements"),
    path(f"{HERE}/announcements/<int:pk>/withdraw/", announcing.withdraw, name="withdraw_announcement"),
    path(f"{HERE}/baselines/", organise_baselines.show_baselines, name="baselines"),
    path(f"{HERE}/baselines/<int:pk>/add/", organise_baselines.accept_baseline, name="accept_baseline"),
    path(f"{HERE}/baselines/<int:pk>/forget/", organise_baselines.forget_file, name="forget_baseline"),
    path(f"{HERE}/import/", organise_import.import_history, name="import_runs"),
    path(f"{HERE}/import/forget/", organise_import.forget_history, name="forget_history"),
]
