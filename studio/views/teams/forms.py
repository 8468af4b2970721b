"""What is asked about teams, invitations and accounts of programs."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator

from packs.access import Role
from packs.models import Membership, Team
from packs.quotas import QUOTAS
from runs.retention import Forecast, forecast
from studio.teams.invitations import MOST_DAYS, MOST_PEOPLE, Offer, can_mail

if TYPE_CHECKING:
    TeamForm = forms.ModelForm[Team]
    NewUserForm = UserCreationForm[User]
else:
    TeamForm = forms.ModelForm
    NewUserForm = UserCreationForm


def doomed(goes: Forecast, days: int) -> str:
    """What a rule of so many days would remove, for the person who sets it."""
    runs = f"{goes.runs:,} run{'' if goes.runs == 1 else 's'}"
    trials = f"{goes.trials:,} trial{'' if goes.trials == 1 else 's'}"
    return (
        f"This removes recordings within a day, for ever: those of {trials} of {runs}, {goes.events:,} events, are "
        f"older than {days} days. Save again if you agree."
    )


class NewTeamForm(forms.Form):
    """What a new team is called."""

    name = forms.CharField(max_length=200, label="Name")


class RulesForm(TeamForm):
    """The name of a team, what its versions and its members need, and what it may use."""

    class Meta:
        model = Team
        fields = (
            *("name", "needs_approval", "needs_proof", "needs_second_factor", "recording_days"),
            *(quota.column for quota in QUOTAS.values()),
        )

    # The days that the administrator has agreed to, once it was said what goes.
    agreed = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data, auto_id="rules_%s", instance=team)

    def clean(self) -> dict[str, Any]:
        """Refuse a shorter time for recordings until it was said what would be removed."""
        given = super().clean() or {}
        days, before = given.get("recording_days"), self.initial.get("recording_days")
        if days and (before is None or days < before) and given.get("agreed") != days:
            goes = forecast(self.instance, days)
            if goes.runs:
                self.data = {**dict(self.data.items()), "agreed": str(days)}
                self.add_error("recording_days", doomed(goes, days))
        return given


class RoleForm(forms.Form):
    """A role."""

    role = forms.ChoiceField(choices=Role.choices, initial=Role.AUTHOR, label="Role")


class InvitationForm(RoleForm):
    """Whom a link lets in, and for how long."""

    max_uses = forms.ChoiceField(
        choices=[(1, "one person"), (5, "up to 5 people"), (MOST_PEOPLE, f"up to {MOST_PEOPLE} people")],
        required=False,
        label="For",
    )
    days = forms.ChoiceField(
        choices=[(1, "in a day"), (7, "in 7 days"), (MOST_DAYS, f"in {MOST_DAYS} days")],
        initial=7,
        required=False,
        label="Ends",
    )
    email = forms.EmailField(
        required=False, label="Mail it to", help_text="Without an address, the link is shown once to copy."
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="invitation_%s")
        if not can_mail():
            del self.fields["email"]

    def offer(self) -> Offer:
        """What was asked for."""
        given = self.cleaned_data
        return Offer(Role(given["role"]), int(given["days"] or 7), int(given["max_uses"] or 1), given.get("email", ""))


class HandOverForm(forms.Form):
    """Who becomes administrator."""

    to = forms.ModelChoiceField(Membership.objects.none(), label="New administrator", empty_label=None)

    def __init__(self, team: Team, user: Any, data: Any = None) -> None:
        super().__init__(data, auto_id="hand_over_%s")
        people = Membership.objects.filter(team=team, user__is_active=True, user__service_account=None)
        field: Any = self.fields["to"]
        field.queryset = people.exclude(user=user.pk).select_related("user").order_by("user__username")
        field.label_from_instance = lambda member: str(member.user)


class ServiceAccountForm(RoleForm):
    """What a new account of a program is called, and its role."""

    name = forms.CharField(
        max_length=100,
        label="Name",
        help_text="What will use it, such as nightly-pipeline.",
        validators=[UnicodeUsernameValidator()],
    )
    field_order = ("name", "role")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="account_%s")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("An account of this name is there already.", code="unique")
        return name


class AccountForm(NewUserForm):
    """A new account; passwords are checked as on the account page."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)
