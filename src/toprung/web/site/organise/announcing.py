"""What does the organiser tell everyone? Written here; on the board, in its feed, and mailed to who asked for it."""

from __future__ import annotations

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.web.core.models.following import LONGEST_ANNOUNCEMENT, LONGEST_HEADLINE
from toprung.web.services.following.announce import AnnouncementRefusedError, announce, withdraw_announcement
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.board.markdown import render_markdown
from toprung.web.site.organise.board_form import TEXT


class AnnouncementForm(forms.Form):
    """A headline, and a few words."""

    headline = forms.CharField(label="Headline", max_length=LONGEST_HEADLINE, error_messages=TEXT)
    text = forms.CharField(
        label="Text",
        required=False,
        max_length=LONGEST_ANNOUNCEMENT,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Short, in Markdown. It cannot be changed, only withdrawn.",
        error_messages=TEXT,
    )


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def show_announcements(request: MemberRequest, slug: str) -> HttpResponse:
    page = organise_at(request.user, slug)
    form = AnnouncementForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            announce(page.board, form.cleaned_data["headline"], form.cleaned_data["text"], by=request.user)
        except AnnouncementRefusedError as error:
            form.add_error("headline", str(error))
        else:
            messages.success(request, "It is announced: on the board, in its feed, and by mail to who asked for it.")
            return redirect("announcements", slug=slug)
    context = page.frame("announcements") | {
        "form": form,
        "announced": [(each, render_markdown(each.text)) for each in page.board.announcements.select_related("by")],
        "n_followers": page.board.follows.count(),
        "n_by_mail": page.board.follows.filter(by_mail=True).count(),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "organise/announcements.html", context, status=status)


@login_required
@require_POST
def withdraw(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    page = organise_at(request.user, slug)
    withdraw_announcement(get_object_or_404(page.board.announcements, pk=pk), by=request.user)
    messages.success(request, "It is withdrawn; mails that were sent cannot be taken back.")
    return redirect("announcements", slug=slug)
