"""What may a token do, for whom, and for how long? Asked of the person who makes it."""

from __future__ import annotations

from typing import Any

from django import forms

from toprung.web.core.access.rights import teams_of
from toprung.web.core.models.people import Scope, Team, User
from toprung.web.core.names import clean_name
from toprung.web.services.people.tokens import DEFAULT_DAYS, MOST_DAYS

LONGEST_NAME = 60
ALL_TEAMS = ""


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        label="What it is for", max_length=LONGEST_NAME, help_text="Such as: my laptop. Shown to you alone."
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope.value, f"{scope.value}: {scope.label}") for scope in Scope],
        initial=[Scope.READ.value, Scope.SUBMIT.value],
        widget=forms.CheckboxSelectMultiple,
    )
    team = forms.ChoiceField(label="For which team", required=False)
    days = forms.IntegerField(
        label="Days that it works", min_value=1, max_value=MOST_DAYS, initial=DEFAULT_DAYS, help_text="At most a year."
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.teams = {team.slug: team for team in teams_of(user)}
        field = self.fields["team"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
        field.choices = [
            (ALL_TEAMS, "All my teams"),
            *((slug, f"{team} alone") for slug, team in self.teams.items()),
        ]

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])[:LONGEST_NAME]
        if not name:
            raise forms.ValidationError("Found no letter; expected a name.")
        return name

    @property
    def scopes_chosen(self) -> list[Scope]:
        return [Scope(each) for each in self.cleaned_data["scopes"]]

    @property
    def team_chosen(self) -> Team | None:
        return self.teams.get(self.cleaned_data["team"])
