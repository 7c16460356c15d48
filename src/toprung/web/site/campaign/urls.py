"""Where are the pages of organisers who have answers judged?"""

from __future__ import annotations

from django.urls import path

from toprung.web.site.campaign import drafts, labels, people, running, spare, texts

HERE = "b/<slug:slug>/organise/judging"
ONE = f"{HERE}/<slug:name>"
urlpatterns = [
    path("b/<slug:slug>/spare-minutes/", spare.show_spare_minutes, name="spare_minutes"),
    path(f"{HERE}/", drafts.list_campaigns, name="campaigns"),
    path(f"{HERE}/+new/", drafts.new_campaign, name="new_campaign"),
    path(f"{ONE}/", running.show_campaign, name="campaign"),
    path(f"{ONE}/news/", running.show_news, name="campaign_news"),
    path(f"{ONE}/golds/", drafts.look_at_golds, name="campaign_golds"),
    path(f"{ONE}/start/", drafts.start_campaign, name="start_campaign"),
    path(f"{ONE}/act/", running.act_on_campaign, name="act_on_campaign"),
    path(f"{ONE}/texts/", texts.change_texts, name="campaign_texts"),
    path(f"{ONE}/open/", running.list_open, name="campaign_open"),
    path(f"{ONE}/queries/<path:query_id>/", running.show_query, name="campaign_query"),
    path(f"{ONE}/assessors/", people.show_assessors, name="campaign_assessors"),
    path(f"{ONE}/assessors/<slug:code>/", people.act_on_assessor, name="act_on_assessor"),
    path(f"{ONE}/notes/<int:pk>/", people.answer_to_note, name="answer_note"),
    path(f"{ONE}/pay/", people.show_pay, name="campaign_pay"),
    path(f"{ONE}/review/", labels.review_labels, name="review_labels"),
    path(f"{ONE}/review/label/", labels.judge_label, name="judge_label"),
    path(f"{ONE}/review/labels.zip", labels.download_labels, name="download_new_labels"),
    path(f"{ONE}/publish/", labels.publish_campaign, name="publish_campaign"),
    path(f"{ONE}/export/<slug:as_format>/", labels.export_judgments, name="export_judgments"),
]
