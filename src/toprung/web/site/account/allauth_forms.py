"""What is different here from allauth's own forms? What needs mail is refused where none is sent."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.conf import settings
from django.db import transaction
from django.shortcuts import redirect

from toprung.web.core.models.people import User
from toprung.web.services.people.login_links import came_by_link
from toprung.web.services.people.tokens import open_tokens, revoke_tokens
from toprung.web.services.people.trusting import NOT_CONFIRMED, note_owner
from toprung.words.wording import say_count

NO_MAIL = (
    "Found a server that sends no mail; expected whoever runs it to help: they can give you a login link "
    "(“toprung login-link”)."
)


class ChangeAddressForm(allauth_forms.AddEmailForm):  # type: ignore[misc]  # allauth has no types
    """A new address takes effect when it is confirmed, so there must be mail."""

    def clean(self) -> dict[str, Any] | None:
        _check_mail()
        if self.user.waits_for_owner:
            raise forms.ValidationError(NOT_CONFIRMED)
        cleaned: dict[str, Any] | None = super().clean()
        return cleaned


class ResetPasswordForm(allauth_forms.ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """The answer is the same for every address, known or not."""

    def clean_email(self) -> str:
        _check_mail()
        email: str = super().clean_email()
        return email


class _NewPassword(forms.Form):
    """Not for a session that ended while this request was on its way: its password would replace the owner's."""

    user: User | None

    def save(self) -> None:
        assert self.user is not None  # noqa: S101 - None only where the page says that the link does not work
        with transaction.atomic():
            held = User.objects.select_for_update(no_key=True).get(pk=self.user.pk)
            if held.password != self.user.password:
                raise ImmediateHttpResponse(redirect("account_login"))
            self.set_password()

    def set_password(self) -> None:
        super().save()  # type: ignore[misc]  # of allauth's form, which comes next


class SetPasswordForm(_NewPassword, allauth_forms.SetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """For who has none."""


class _OffersToRevokeTokens(_NewPassword):
    """A new password may mean that somebody has the old one, and what they made with it would work on."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        n = 0 if self.user is None else open_tokens(self.user).count()
        if n:
            said = f"Revoke {say_count(n, 'token')} too: programs that act for you stop"
            self.fields["revoke_tokens"] = forms.BooleanField(required=False, initial=True, label=said)

    def set_password(self) -> None:
        super().set_password()
        if self.user is not None and self.cleaned_data.get("revoke_tokens"):
            revoke_tokens(open_tokens(self.user))


class ChangePasswordForm(_OffersToRevokeTokens, allauth_forms.ChangePasswordForm):  # type: ignore[misc]  # as above
    """Who just came by a login link need not know the old password: the link is for those who forgot it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if came_by_link(context.request):
            del self.fields["oldpassword"]


class ResetPasswordKeyForm(_OffersToRevokeTokens, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]  # as above
    """For who forgot the old password, or whose old one somebody else has; the mail went to the account's owner."""

    def set_password(self) -> None:
        if self.user is not None:
            note_owner(self.user)
        super().set_password()


def _check_mail() -> None:
    if settings.ENVIRONMENT.mail is None:
        raise forms.ValidationError(NO_MAIL)
