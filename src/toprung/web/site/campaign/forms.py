"""What does an organiser fill in for a campaign? Every choice with its consequence; found and expected in errors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.db.models import QuerySet

from toprung.labels.best.replacement import RULES
from toprung.labels.plans.price import PLATFORMS
from toprung.web.core.models.campaigns import CampaignDesign, PlanKind, PublishBy, WhichQueries
from toprung.web.core.models.judging import Campaign, CampaignAccess, Ending
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.services.judging.campaigns.plan import CampaignChoices, fee_of
from toprung.web.site.organise.board_form import CHOICE, TEXT
from toprung.web.site.organise.forms import LabelSetField, ReasonForm

NUMBER = {
    "required": "Found nothing; expected a number.",
    "invalid": "Found no number; expected one such as 2.00.",
    "min_value": "Found %(show_value)s; expected %(limit_value)s or more.",
    "max_value": "Found %(show_value)s; expected %(limit_value)s or less.",
    "max_decimal_places": "Found more decimals; expected at most %(max)s.",
    "max_digits": "Found a longer number; expected at most %(max)s digits.",
    "max_whole_digits": "Found a longer number; expected at most %(max)s digits before the point.",
}
WHOLE = NUMBER | {"invalid": "Found no whole number; expected one such as 10."}
OF_CAMPAIGN = (
    *("title", "reward", "budget", "minutes", "access", "study_id", "shows_hidden_to_strangers", "allows_ties"),
    *("allows_highlighting", "lang", "retention_days", "is_standing"),
)
OF_DESIGN = (
    *("queries", "n_sample", "runs", "depth", "plan", "target", "most_votes", "votes", "pairs_per_task"),
    *("golds_per_task", "misses", "platform", "at_least"),
    *("challenge_rule", "most_per_team", "publish_by", "publish_changes"),
)
CODES = {f"code_{ending.value}": ending for ending in Ending}


class CampaignForm(forms.Form):
    """A draft of a campaign."""

    title = forms.CharField(label="Name", max_length=120, initial="Second look", error_messages=TEXT)
    label_set = LabelSetField(
        label="Labels to look into", queryset=LabelSet.objects.none(), empty_label=None, error_messages=CHOICE
    )
    queries = forms.ChoiceField(label="Queries", choices=WhichQueries, initial=WhichQueries.ALL, error_messages=CHOICE)
    n_sample = forms.IntegerField(
        label="How many at random",
        required=False,
        min_value=1,
        help_text="Where some are drawn.",
        error_messages=WHOLE,
    )
    runs = forms.MultipleChoiceField(
        label="Runs whose answers are put to the test",
        required=False,
        help_text="All settled runs where none is marked; the label is always among the answers.",
        error_messages=CHOICE,
    )
    depth = forms.IntegerField(
        label="First answers of each run", min_value=1, max_value=10, initial=1, error_messages=WHOLE
    )
    plan = forms.ChoiceField(
        label="Plan", choices=PlanKind, initial=PlanKind.ADAPTIVE, widget=forms.RadioSelect, error_messages=CHOICE
    )
    target = forms.FloatField(
        label="Decided from P(best)", min_value=0.5, max_value=0.999, initial=0.9, error_messages=NUMBER
    )
    most_votes = forms.IntegerField(
        label="Most votes on a query", min_value=1, max_value=500, initial=30, error_messages=WHOLE
    )
    votes = forms.IntegerField(
        label="Votes on every pair",
        min_value=1,
        max_value=99,
        initial=3,
        help_text="Where every pair is asked as often.",
        error_messages=WHOLE,
    )
    pairs_per_task = forms.IntegerField(
        label="Pairs in a task", min_value=1, max_value=100, initial=10, error_messages=WHOLE
    )
    golds_per_task = forms.IntegerField(
        label="Test pairs in a task", min_value=0, max_value=20, initial=3, error_messages=WHOLE
    )
    misses = forms.TypedChoiceField(
        label="A task is taken out of use by",
        choices=[(1, "one missed test pair"), (2, "two missed test pairs")],
        coerce=int,
        initial=1,
        help_text="Of three, who clicks at random passes one task in eight by the first, one in two by the second.",
        error_messages=CHOICE,
    )
    reward = forms.DecimalField(
        label="Pay for a task, $",
        min_value=Decimal(0),
        max_digits=8,
        decimal_places=2,
        initial="2.00",
        error_messages=NUMBER,
    )
    minutes = forms.IntegerField(
        label="Minutes a task takes", min_value=1, max_value=240, initial=8, error_messages=WHOLE
    )
    platform = forms.ChoiceField(
        label="Fee",
        choices=[(each.key, f"{each.title}: {each.fee:.1%}") for each in PLATFORMS.values()],
        initial="own",
        error_messages=CHOICE,
    )
    budget = forms.DecimalField(
        label="Budget, $, fees included",
        required=False,
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=2,
        help_text="Never more is spent; nothing where money is not counted.",
        error_messages=NUMBER,
    )
    access = forms.ChoiceField(
        label="Who judges", choices=CampaignAccess, initial=CampaignAccess.INVITED, error_messages=CHOICE
    )
    study_id = forms.CharField(label="Study id at Prolific", required=False, max_length=40, error_messages=TEXT)
    shows_hidden_to_strangers = forms.BooleanField(
        label="Show texts of hidden queries to people without an account", required=False
    )
    allows_ties = forms.BooleanField(label="“Equally good” may be chosen", required=False)
    allows_highlighting = forms.BooleanField(label="Words of the question may be marked", required=False)
    lang = forms.CharField(label="Language of the passages", max_length=20, initial="en", error_messages=TEXT)
    retention_days = forms.IntegerField(
        label="Days until assessors are forgotten",
        min_value=0,
        max_value=3650,
        initial=180,
        help_text="After the campaign is closed; after their last visit where it is kept open.",
        error_messages=WHOLE,
    )
    at_least = forms.FloatField(
        label="A new label needs P(best) of",
        min_value=0.5,
        max_value=0.999,
        initial=0.9,
        help_text="Below it a query keeps the old one.",
        error_messages=NUMBER,
    )
    is_standing = forms.BooleanField(
        label="Keep it open for answers of new runs",
        required=False,
        help_text="First answers that nobody has judged challenge the labels the day they come.",
    )
    challenge_rule = forms.ChoiceField(
        label="A challenge is won by", choices=[(name, name) for name in RULES], error_messages=CHOICE
    )
    most_per_team = forms.IntegerField(
        label="Open challenges of a team", min_value=1, max_value=10_000, initial=50, error_messages=WHOLE
    )
    publish_by = forms.ChoiceField(label="New labels are published", choices=PublishBy, error_messages=CHOICE)
    publish_changes = forms.IntegerField(
        label="So many changes", min_value=1, max_value=10_000, initial=10, error_messages=WHOLE
    )

    def __init__(self, sets: QuerySet[LabelSet], submissions: list[Submission], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["label_set"]
        field.queryset = sets
        runs: Any = self.fields["runs"]
        runs.choices = [(each.run_id, f"{each.run_id} {each.name}") for each in submissions]
        for name, ending in CODES.items():
            self.fields[name] = forms.CharField(
                label=f"Code: {ending.label}", required=False, max_length=20, strip=True, error_messages=TEXT
            )

    @property
    def code_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in CODES]

    def to_choices(self) -> CampaignChoices:
        data = self.cleaned_data
        codes = {str(ending): data[name] for name, ending in CODES.items() if data[name]}
        fee = fee_of(data["platform"])
        return CampaignChoices(
            label_set=data["label_set"],
            campaign={name: data[name] for name in OF_CAMPAIGN} | {"codes": codes, "fee": fee},
            design={name: data[name] for name in OF_DESIGN},
        )


def initial_of(campaign: Campaign, design: CampaignDesign) -> dict[str, Any]:
    """What the form of a draft begins with."""
    return (
        {name: getattr(campaign, name) for name in OF_CAMPAIGN}
        | {name: getattr(design, name) for name in OF_DESIGN}
        | {name: campaign.codes.get(str(ending), "") for name, ending in CODES.items()}
        | {"label_set": campaign.label_set_id}
    )


class PilotForm(forms.Form):
    tasks = forms.IntegerField(
        label="Tasks in the pilot", min_value=1, max_value=1_000, initial=10, error_messages=WHOLE
    )


class TopUpForm(forms.Form):
    amount = forms.DecimalField(
        label="Add, $", min_value=Decimal("0.01"), max_digits=12, decimal_places=2, error_messages=NUMBER
    )


class TargetForm(forms.Form):
    target = forms.FloatField(label="Decided from P(best)", min_value=0.5, max_value=0.999, error_messages=NUMBER)


class AssessorForm(ReasonForm):
    """What is done about an assessor, and why."""

    act = forms.ChoiceField(
        choices=[
            ("exclude", "Take the work out of use (it is paid)"),
            ("restore", "Put it back into use"),
            ("block", "Block"),
            ("unblock", "Unblock"),
            ("note", "Write a note"),
        ],
        error_messages=CHOICE,
    )


class RefuseLabelForm(ReasonForm):
    query_id = forms.CharField(max_length=2_000, widget=forms.HiddenInput)


class PublishCampaignForm(forms.Form):
    changes = forms.CharField(
        label="Reason, shown with the version",
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages=TEXT,
    )
    digest = forms.CharField(max_length=80, widget=forms.HiddenInput)


class PlatformListForm(forms.Form):
    """Ids as the platform lists them: they are matched, and not kept."""

    people = forms.CharField(
        label="Participant ids",
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="One a line, or the demographic export of Prolific as CSV.",
        error_messages=TEXT,
    )
