"""What may people write about themselves and their teams? Every field checked; errors say found and expected.

The sign-up form is loaded by allauth while it builds its own, so this module must not import allauth's forms.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest

from toprung.errors import InputError
from toprung.web.core.models.people import Membership, Team, User
from toprung.web.core.names import LONGEST, check_person_name, check_team_name, look_of


class PersonNameField(forms.CharField):
    """A person's name, in its one written form."""

    def __init__(self, **options: Any) -> None:
        super().__init__(label="Name", max_length=LONGEST, strip=True, **options)
        self.widget.attrs["autocomplete"] = "name"

    def clean(self, value: Any) -> str:
        return _check(check_person_name, super().clean(value))


class SignupForm(forms.Form):
    """What is asked beside address and password."""

    name = PersonNameField(help_text="Shown to your teams and beside what you do.")
    field_order = ("name", "email", "password1")

    def signup(self, request: HttpRequest, user: User) -> None:  # noqa: ARG002 - allauth calls it so
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])


class NameForm(forms.Form):
    """A person's own name, to change."""

    name = PersonNameField()


class TeamForm(forms.Form):
    """A new team."""

    name = forms.CharField(
        label="Name of the team",
        max_length=LONGEST,
        help_text="Stands on boards beside your runs, and stays on record. It cannot be changed later.",
    )

    def clean_name(self) -> str:
        name = _check(check_team_name, self.cleaned_data["name"])
        if Team.objects.filter(look=look_of(name)).exists():
            raise forms.ValidationError(
                f"Found '{name}', which is the name of a team or can be taken for one; expected another name."
            )
        return name


class InviteForm(forms.Form):
    """Whom to invite; where mail is sent, the link can be mailed."""

    email = forms.EmailField(
        label="Address",
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        help_text="The link is mailed there. Leave it empty to get a link that you hand over yourself.",
    )


class LeaveTeamForm(forms.Form):
    """For the last owner of a team with others in it: who owns it next, or nobody."""

    CLOSE = "close"
    next_owner = forms.ChoiceField(label="What becomes of the team", widget=forms.RadioSelect)

    def __init__(self, *args: Any, others: list[Membership], **options: Any) -> None:
        super().__init__(*args, **options)
        self.others = {str(other.pk): other for other in others}
        field = self.fields["next_owner"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
        field.choices = [
            *((key, f"{other.user} owns it from now on") for key, other in self.others.items()),
            (self.CLOSE, "It is closed: everyone leaves, and its runs stay on record"),
        ]

    @property
    def heir(self) -> Membership | None:
        """None where the team is to be closed."""
        return self.others.get(self.cleaned_data["next_owner"])


class DeleteAccountForm(forms.Form):
    """Asks for the password, where there is one."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("Found another password; expected the one you sign in with.")
        return password


def _check(checker: Any, text: str) -> str:
    try:
        name: str = checker(text)
    except InputError as error:
        raise forms.ValidationError(str(error)) from None
    return name
