"""Which step is a draft at? Labels, what is measured, policy, check and open; each saves what it asks and goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.access.drafts import get_draft_for_maker
from toprung.web.core.config.served_at import served_at
from toprung.web.core.models.boards import RULES
from toprung.web.core.models.drafts import BoardDraft
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.core.store.upload_cap import is_too_large
from toprung.web.services.boards import draft_plan, drafts
from toprung.web.services.boards.draft_plan import DraftChangedError
from toprung.web.services.boards.label_facts import BUCKETS, LabelFacts
from toprung.web.services.boards.preview import Preview
from toprung.web.services.boards.toml_out import write_board
from toprung.web.services.boards.words import (
    CLOSED,
    BoardChoice,
    admission_choices,
    hiding_choices,
    measure_choices,
    proposed_others,
    release_choices,
    say_attack,
    say_expected_claims,
    say_what_it_sees,
    visibility_choices,
)
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.board_form import SettingsForm
from toprung.web.site.organise.choices import choices_of_measure, choices_of_policy, initial_of, show_choices, tick
from toprung.web.site.organise.files_form import HIDDEN, PUBLIC, LabelsForm
from toprung.web.site.organise.opened import find_opened, note_opened
from toprung.web.site.organise.power_chart import PowerChart

STEPS = {"labels": "Labels", "measure": "What is measured", "policy": "Policy", "check": "Check and open"}
MEASURE_KEYS = ("official_measure", "another_measure", "other_measures", "depth", "cutoff", "rule")
MARGINS = ("answered_margin", "ranking_margin")
POLICY_KEYS = (
    *("gamma", "claims", "alpha", "release", "closed_until", "who_may_submit", "quota", "quota_days", "board_quota"),
    *("refuses_near_duplicates", "embargo_months", "opens_at", "closes_at", "seed"),
)
SEEN, LEAVE, STAY = "seen", "leave", "stay"
"""The edition of the draft that a page shows; the buttons that save and go elsewhere than on."""
TALLEST, LOWEST = 100, 124


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_step(request: MemberRequest, pk: int, step: str) -> HttpResponse:
    opened = find_opened(request.session, pk)
    if opened:
        return redirect("organise", slug=opened)
    draft = get_draft_for_maker(request.user, pk)
    if step not in STEPS:
        raise Http404("There is no such step.")
    page: dict[str, Callable[[MemberRequest, BoardDraft], HttpResponse]] = {
        "labels": _labels,
        "measure": _measure,
        "policy": _policy,
        "check": _check,
    }
    try:
        return page[step](request, draft)
    except DraftChangedError as error:
        messages.error(request, str(error), extra_tags="alert")
        is_there = BoardDraft.objects.filter(pk=pk).exists()
        return redirect("draft_step", pk=pk, step=step) if is_there else redirect("create_board")


def frame(draft: BoardDraft | None, step: str) -> dict[str, Any]:
    """What every step shows: where one is, and what is saved."""
    names = list(STEPS)
    at = names.index(step)
    steps = [(name, words, names.index(name) < at) for name, words in STEPS.items()]
    return {"draft": draft, "step": step, "steps": steps, "after": STEPS.get("".join(names[at + 1 : at + 2]), "")}


def _seen(request: MemberRequest) -> int:
    text = request.POST.get(SEEN, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _go_on(request: MemberRequest, draft: BoardDraft, step: str) -> HttpResponse:
    """To the next step, unless another button was pressed."""
    if LEAVE in request.POST:
        messages.success(request, f"Saved the draft of {draft}.")
        return redirect("create_board")
    names = list(STEPS)
    return redirect("draft_step", pk=draft.pk, step=step if STAY in request.POST else names[names.index(step) + 1])


# ---- labels ----


def show_labels_choices(form: LabelsForm) -> dict[str, Any]:
    return {"is_hidden": show_choices(form, "is_hidden", hiding_choices())}


def _labels(request: MemberRequest, draft: BoardDraft) -> HttpResponse:
    initial = initial_of(draft_plan.plan_of(draft)) | {"is_hidden": HIDDEN if draft_plan.is_hidden(draft) else PUBLIC}
    if request.method == "GET" or is_too_large(request):
        return _show_labels(request, draft, LabelsForm(initial=initial))
    form = LabelsForm(request.POST, request.FILES, initial=initial)
    form.is_valid()
    with drafts.hold(draft, _seen(request)):
        pass  # what another window changed is shown before anything is read
    if not any(name.endswith("_file") for name in form.errors):
        try:
            drafts.put_labels(draft, form.labels(), is_hidden=form.hides, seen=draft.edition)
        except BoardRefusedError as error:
            form.show_faults(error.faults)
    return save_labels(request, draft, form)


def save_labels(request: MemberRequest, draft: BoardDraft, form: LabelsForm) -> HttpResponse:
    """What the first step says of the board; the labels are kept already."""
    if form.is_valid():
        changes = draft_plan.with_address(draft, form.settings())
        faults = [fault for fault in draft_plan.find_faults_with(draft, changes) if fault.key in form.KEYS]
        form.show_faults(faults)
        if not faults:
            drafts.choose(draft, changes, seen=draft.edition)
            return _go_on(request, draft, "labels")
    elif STAY in request.POST:
        known = {key: value for key, value in form.settings().items() if value}
        drafts.choose(draft, known, seen=draft.edition)
        return _go_on(request, draft, "labels")
    return _show_labels(request, draft, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _show_labels(
    request: MemberRequest, draft: BoardDraft, form: LabelsForm, *, status: int = HTTPStatus.OK
) -> HttpResponse:
    context = frame(draft, "labels") | {
        "form": form,
        "choices": show_labels_choices(form),
        "label_sets": [(each, LabelFacts.from_json(each.facts)) for each in draft.label_sets.all()],
        "address": f"{served_at(settings.ENVIRONMENT)}/b/",
    }
    return render(request, "organise/create/labels.html", context, status=status)


# ---- what is measured ----


def _measure(request: MemberRequest, draft: BoardDraft) -> HttpResponse:
    facts = draft_plan.require_facts(draft)
    plan, chosen = draft_plan.propose(draft), draft_plan.plan_of(draft)
    initial = initial_of(plan) | {"rule": chosen.rule, "cutoff": chosen.cutoff}
    if plan.official_measure not in {each.value for each in measure_choices(facts)}:
        initial["another_measure"] = plan.official_measure
    if "other_measures" not in draft.settings:
        initial["other_measures"] = ", ".join(proposed_others(facts, plan.official_measure))
    form, status = _save(request, draft, (*MEASURE_KEYS, *MARGINS), initial)
    if form is None:
        return _go_on(request, draft, "measure")
    context = frame(draft, "measure") | {
        "form": form,
        "facts": facts,
        "plan": plan,
        "rule": RULES[plan.rule],
        "choices": choices_of_measure(form, facts, plan),
        "others": [name for name, is_ticked in tick(form, plan) if is_ticked][:2],
        "bars": list(_draw_bars(facts)),
    }
    return render(request, "organise/create/measure.html", context, status=status)


def _draw_bars(facts: LabelFacts) -> Iterator[tuple[str, int, int, int, int]]:
    """Of each bucket its name, how many queries, and the bar's height and place."""
    highest = max(facts.histogram)
    for place, ((name, _, _), n) in enumerate(zip(BUCKETS, facts.histogram, strict=True)):
        height = round(TALLEST * n / highest)
        yield name, n, height, 8 + 60 * place, LOWEST - height


# ---- policy ----


def _policy(request: MemberRequest, draft: BoardDraft) -> HttpResponse:
    facts, plan = draft_plan.require_facts(draft), draft_plan.propose(draft)
    form, status = _save(request, draft, POLICY_KEYS, initial_of(plan))
    if form is None:
        return _go_on(request, draft, "policy")
    preview = Preview.of(plan, facts.queries)
    hidden = facts.queries if draft_plan.is_hidden(draft) else 0
    context = frame(draft, "policy") | {
        "form": form,
        "plan": plan,
        "preview": preview,
        "said": say_what_it_sees(preview),
        "attack": ""
        if plan.release.startswith(CLOSED)
        else say_attack(plan.release, hidden, measure=plan.official_measure),
        "charts": PowerChart.of_both_widths(preview),
        "choices": choices_of_policy(form, plan, queries=facts.queries, hidden_queries=hidden),
    }
    return render(request, "organise/create/policy.html", context, status=status)


def _save(
    request: MemberRequest, draft: BoardDraft, keys: tuple[str, ...], initial: dict[str, Any]
) -> tuple[SettingsForm | None, int]:
    """Keep what the step chose: then no form is left to show; else the form, and the status of the page."""
    if request.method == "GET":
        return SettingsForm(initial=initial, only=keys), HTTPStatus.OK
    form = SettingsForm(request.POST, initial=initial, only=keys)
    if form.is_valid():
        changes = form.settings()
        faults = [fault for fault in draft_plan.find_faults_with(draft, changes) if fault.key in keys]
        form.show_faults(faults)
        if not faults:
            drafts.choose(draft, changes, seen=_seen(request))
            return None, HTTPStatus.OK
    return form, HTTPStatus.UNPROCESSABLE_ENTITY


# ---- check and open ----


def _check(request: MemberRequest, draft: BoardDraft) -> HttpResponse:
    plan = draft_plan.propose(draft)
    faults, has_read = draft_plan.find_faults_with(draft, {}), "has_read" in request.POST
    if request.method == "POST":
        try:
            drafts.choose(draft, {"is_public": bool(request.POST.get("is_public"))}, seen=_seen(request))
            if LEAVE in request.POST:
                return _go_on(request, draft, "check")
            if has_read and not faults:
                board = drafts.open_board(draft, seen=draft.edition, by=request.user)
                note_opened(request.session, draft.pk, board.slug)
                return redirect("organise", slug=board.slug)
        except BoardRefusedError as error:
            faults = list(error.faults)
        plan = draft_plan.propose(draft)
    facts, hidden = draft_plan.require_facts(draft), draft_plan.is_hidden(draft)
    hidden_queries = facts.queries if hidden else 0
    releases = release_choices(plan.release, hidden_queries=hidden_queries, measure=plan.official_measure)
    form = SettingsForm(initial={"is_public": "on" if plan.is_public else ""}, only=("is_public",))
    context = frame(draft, "check") | {
        "plan": plan,
        "facts": facts,
        "labels": draft_plan.official_of(draft),
        "others": draft.label_sets.exclude(use="official"),
        "faults": [(fault, _step_of(fault.key)) for fault in faults],
        "must_read": request.method == "POST" and not has_read,
        "release": _name(releases, plan.release),
        "rule": RULES.get(plan.rule, plan.rule),
        "claims": say_expected_claims(plan.gamma),
        "percent": f"{100 * plan.alpha:g}",
        "who": _name(admission_choices(plan.who_may_submit, is_hidden=hidden), plan.who_may_submit),
        "toml": write_board(plan, draft_plan.named_labels(draft)),
        "is_public": form["is_public"],
        "choices": {"is_public": show_choices(form, "is_public", visibility_choices())},
    }
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "organise/create/check.html", context, status=status)


def _name(choices: Sequence[BoardChoice], value: str) -> str:
    """In the words it was chosen by; a day that is held back until is said as it is."""
    kind = value.partition(":")[0]
    return next((each.words for each in choices if each.value == value), "") or next(
        (f"{each.words} {value.partition(':')[2]}" for each in choices if each.value == kind), value
    )


def _step_of(key: str) -> str:
    """Where a fault is put right."""
    if key in (*MEASURE_KEYS, *MARGINS):
        return "measure"
    return "policy" if key in POLICY_KEYS else "labels"
