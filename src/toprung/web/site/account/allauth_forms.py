"""What is different here from allauth's own forms? What needs mail is refused where none is sent."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from django import forms
from django.conf import settings

from toprung.web.core.models.people import User
from toprung.web.services.people.login_links import came_by_link
from toprung.web.services.people.tokens import open_tokens, revoke_tokens
from toprung.words.wording import say_count

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


class _OffersToRevokeTokens(forms.Form):
    """A new password may mean that somebody has the old one, and what they made with it would work on."""

    user: User | None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        n = 0 if self.user is None else open_tokens(self.user).count()
        if n:
            said = f"Revoke {say_count(n, 'token')} too: programs that act for you stop"
            self.fields["revoke_tokens"] = forms.BooleanField(required=False, initial=True, label=said)

    def save(self) -> None:
        super().save()  # type: ignore[misc]  # of allauth's form, which comes next
        if self.user is not None and self.cleaned_data.get("revoke_tokens"):
            revoke_tokens(open_tokens(self.user))


class ChangePasswordForm(_OffersToRevokeTokens, allauth_forms.ChangePasswordForm):  # type: ignore[misc]  # as above
    """Who just came by a login link need not know the old password: the link is for those who forgot it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if came_by_link(context.request):
            del self.fields["oldpassword"]


class ResetPasswordKeyForm(_OffersToRevokeTokens, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]  # as above
    """For who forgot the old password, or whose old one somebody else has."""


def _check_mail() -> None:
    if settings.ENVIRONMENT.mail is None:
        raise forms.ValidationError(NO_MAIL)
