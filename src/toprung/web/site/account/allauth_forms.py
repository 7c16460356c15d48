"""What is different here from allauth's own forms? What needs mail is refused where none is sent."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from django.conf import settings
from django.forms import ValidationError

from toprung.web.services.people.login_links import came_by_link

NO_MAIL = "Found a server that sends no mail; expected an organiser to help: they can give you a new login link."


class ChangeAddressForm(allauth_forms.AddEmailForm):  # type: ignore[misc]  # allauth has no types
    """A new address takes effect when it is confirmed, so there must be mail."""

    def clean(self) -> dict[str, Any] | None:
        _check_mail()
        cleaned: dict[str, Any] | None = super().clean()
        return cleaned


class ResetPasswordForm(allauth_forms.ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """The answer is the same for every address, known or not."""

    def clean_email(self) -> str:
        _check_mail()
        email: str = super().clean_email()
        return email


class ChangePasswordForm(allauth_forms.ChangePasswordForm):  # type: ignore[misc]  # allauth has no types
    """Who just came by a login link need not know the old password: the link is for those who forgot it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if came_by_link(context.request):
            del self.fields["oldpassword"]


def _check_mail() -> None:
    if settings.ENVIRONMENT.mail is None:
        raise ValidationError(NO_MAIL)
