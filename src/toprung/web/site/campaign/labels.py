"""What do votes change, and when is it published? The difference is looked at first; single queries can be refused."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from toprung.errors import InputError
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store import texts
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.services.data.opening import note_organiser
from toprung.web.services.judging.campaigns.change import MORE_VOTES, ask_for_more, can_ask_for_more
from toprung.web.services.judging.campaigns.export import FORMATS, ExportedFile, export_campaign
from toprung.web.services.judging.campaigns.labels_out import export_labels
from toprung.web.services.judging.campaigns.publish import accept_label, publish_labels, refuse_label
from toprung.web.services.judging.campaigns.review import LEAST_SURE, ask_for_review
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.campaign.finding import find_campaign, frame_of
from toprung.web.site.campaign.forms import PublishCampaignForm, RefuseLabelForm
from toprung.web.site.campaign.naming import call, names_of_runs

ON_A_PAGE = 20
KINDS = {
    "changed": "Changed",
    "unsure": "Least sure",
    "top": "Moves the top group",
    "cycles": "Go in a circle",
    "challenges": "Challenges",
    "reported": "Reported",
    "kept": "Not sure enough",
}
"""Which rows may be asked for, in words."""


@never_cache
@login_required
@require_safe
def review_labels(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    organiser_page, campaign = find_campaign(request.user, slug, name)
    report, is_current = ask_for_review(campaign)
    content: dict[str, Any] = {} if report is None else report.content
    context = frame_of(organiser_page, campaign) | {"review": content, "report": report, "is_current": is_current}
    if content and "fault" not in content:
        context |= _rows_context(request, campaign, content)
        words = f"{campaign.title}: judged by {content['n_people']} people, P(best) of at least {content['at_least']:g}"
        context["form"] = PublishCampaignForm(initial={"changes": words, "digest": content["digest"]})
    return render(request, "campaign/review.html", context)


def _rows_context(request: MemberRequest, campaign: Campaign, content: dict[str, Any]) -> dict[str, Any]:
    """The rows of this page, with their texts; that hidden ones were read is on record."""
    kind = request.GET.get("show", "changed")
    of_kind = {each: _of_kind(each, campaign, content) for each in KINDS}
    chosen = of_kind.get(kind, of_kind["changed"])
    asked = request.GET.get("page", "1")
    page = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1
    shown = chosen[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    refused = [{"query_id": query, "reason": reason} for query, reason in content["refused"].items()]
    ids = [row["query_id"] for row in (*shown, *refused)]
    if ids:
        note_organiser(campaign.board, ids, reason=f"Reviewing new labels of {campaign.slug}", by=request.user)
    queries = texts.queries(campaign.board, ids)
    docs = texts.passages(campaign.board, [doc for row in shown for doc in (*row["old"], *row["new"])])
    names = names_of_runs(campaign.board)
    rows = [
        row
        | {
            "up": call(row["up"], names),
            "down": call(row["down"], names),
            "text": queries.get(row["query_id"], row["query_id"]),
            "asked_for": campaign.design.asked_for.get(row["query_id"]),
            "old_texts": [docs.get(doc, doc) for doc in row["old"]],
            "new_texts": [docs.get(doc, doc) for doc in row["new"]],
        }
        for row in shown
    ]
    counts = [(each, words, len(of_kind[each])) for each, words in KINDS.items()]
    return {
        "rows": rows,
        "can_ask_for_more": can_ask_for_more(campaign),
        "kinds": [each for each in counts if each[2] or each[0] == "changed"],
        "kind": kind,
        "refused": [row | {"text": queries.get(str(row["query_id"]), row["query_id"])} for row in refused],
        "next_page": page + 1 if len(chosen) > page * ON_A_PAGE else None,
        "left_out": [
            row | {"run": names.get(row["run"], row["run"])} for row in content.get("left_out", ()) if row["n_items"]
        ],
    }


def _of_kind(kind: str, campaign: Campaign, content: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = content["rows"]
    if kind == "kept":
        return _kept(content)
    if kind == "unsure":
        return sorted((row for row in rows if (row["p_best"] or 0) < LEAST_SURE), key=lambda row: row["p_best"] or 0)
    if kind == "top":
        names = {row["run"] for row in content["runs"] if row["rank_before"][0] == 1 or row["rank_after"][0] == 1}
        return [row for row in rows if names & {*row["up"], *row["down"]}]
    if kind == "reported":
        reported = set(campaign.board.reported_labels.values_list("query_id", flat=True))
        return [row for row in rows if row["query_id"] in reported]
    mark = {"cycles": "is_cycle", "challenges": "is_challenge"}.get(kind)
    return rows if mark is None else [row for row in rows if row[mark]]


def _kept(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Queries with votes that keep their label, for no answer is sure enough; the least sure first."""
    nothing: dict[str, Any] = {"old": [], "new": [], "up": [], "down": []}
    kept = sorted((content["p_best"][query_id], query_id) for query_id in content["kept_old"])
    return [{"query_id": query_id, "p_best": p_best} | nothing for p_best, query_id in kept]


@login_required
@require_POST
def judge_label(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """Keep the old label of a query, with a reason; take that back; or ask for more votes on it."""
    _, campaign = find_campaign(request.user, slug, name)
    if request.POST.get("act") == "more":
        return _ask_for_more(request, campaign)
    if request.POST.get("act") == "accept":
        accept_label(campaign, request.POST.get("query_id", ""), by=request.user)
        return redirect("review_labels", slug=slug, name=name)
    _refuse(request, campaign, RefuseLabelForm(request.POST))
    return redirect("review_labels", slug=slug, name=name)


def _refuse(request: MemberRequest, campaign: Campaign, form: RefuseLabelForm) -> None:
    if not form.is_valid():
        messages.error(request, " ".join(str(each) for errors in form.errors.values() for each in errors))
        return
    try:
        refuse_label(campaign, form.cleaned_data["query_id"], reason=form.cleaned_data["reason"], by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "It keeps its old label.")


def _ask_for_more(request: MemberRequest, campaign: Campaign) -> HttpResponse:
    query_id, here = request.POST.get("query_id", ""), (campaign.board.slug, campaign.slug)
    try:
        ask_for_more(campaign, query_id, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("review_labels", *here)
    messages.success(request, f"{MORE_VOTES} more votes on it are asked for.")
    if request.POST.get("back") == "query":
        return redirect("campaign_query", *here, query_id)
    return redirect("review_labels", *here)


@login_required
@require_POST
def publish_campaign(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    _, campaign = find_campaign(request.user, slug, name)
    form = PublishCampaignForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Found no reason; expected some words on what is new, which everyone can read.")
        return redirect("review_labels", slug=slug, name=name)
    try:
        data = form.cleaned_data
        labels = publish_labels(campaign, changes=data["changes"], digest=data["digest"], by=request.user)
    except BoardRefusedError as error:
        messages.error(request, " ".join(fault.says for fault in error.faults))
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Labels v{labels.version} are being prepared; all runs are scored again.")
        return redirect("labels", slug=slug)
    return redirect("review_labels", slug=slug, name=name)


@never_cache
@login_required
@require_safe
def download_labels(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """What is reviewed, as files, before anyone publishes it."""
    _, campaign = find_campaign(request.user, slug, name)
    try:
        file = export_labels(campaign, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("review_labels", slug=slug, name=name)
    return _send(file)


@never_cache
@login_required
@require_safe
def export_judgments(request: MemberRequest, slug: str, name: str, as_format: str) -> HttpResponse:
    """Everything without identities: assessors are called by digests."""
    _, campaign = find_campaign(request.user, slug, name)
    if as_format not in FORMATS:
        raise Http404("There is no such format.")
    try:
        file = export_campaign(campaign, as_format, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("campaign", slug=slug, name=name)
    return _send(file)


def _send(file: ExportedFile) -> HttpResponse:
    response = HttpResponse(file.content, content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response
