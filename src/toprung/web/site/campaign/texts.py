"""How are guidelines, examples and consent written? As people read them now, each change a new version."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.errors import InputError
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.campaigns import change
from toprung.web.services.judging.examples import consent_of, examples_of, guidelines_of, seconds_to_read
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.campaign.finding import find_campaign, frame_of
from toprung.web.site.campaign.texts_forms import CampaignTextsForm, ExampleForm

EXAMPLES = {"first": "First worked example", "second": "Second worked example", "trial": "Pair to try"}
"""What each is called in a form, and on the page."""


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def change_texts(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """What people read stands in the fields, also where it is what Toprung proposes."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    posted = request.POST if request.method == "POST" else None
    form, examples = _texts_form(campaign, posted), _example_forms(campaign, posted)
    if posted is not None and all([form.is_valid(), *(each.is_valid() for each in examples)]):
        try:
            told = [each.to_example() for each in examples]
            change.change_texts(campaign, by=request.user, examples=told, **form.cleaned_data)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Saved. Who is judging reads what is new before the next pair.")
            return redirect("campaign", slug=slug, name=name)
    context = frame_of(organiser_page, campaign) | {
        "form": form,
        "examples": list(zip(EXAMPLES.values(), examples, strict=True)),
        "seconds_to_read": seconds_to_read(campaign),
    }
    status = HTTPStatus.OK if posted is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "campaign/texts.html", context, status=status)


def _texts_form(campaign: Campaign, posted: QueryDict | None) -> CampaignTextsForm:
    return CampaignTextsForm(posted, initial={"guidelines": guidelines_of(campaign), "consent": consent_of(campaign)})


def _example_forms(campaign: Campaign, posted: QueryDict | None) -> list[ExampleForm]:
    read = zip(EXAMPLES, examples_of(campaign), strict=True)
    return [ExampleForm(posted, prefix=prefix, initial=asdict(each)) for prefix, each in read]
