"""Forms that make something for one of the user's teams."""

from typing import Any

from django import forms

from packs.models import Team


class TeamForm(forms.Form):
    """A form with the teams in which the user may write; the first one is preset."""

    team = forms.ModelChoiceField(Team.objects.none(), label="Team", empty_label=None)

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = Team.objects.editable_by(user).distinct()
        field: Any = self.fields["team"]
        field.queryset = self.teams
        field.initial = self.teams.first()

    @property
    def is_for_one_team(self) -> bool:
        return len(self.teams) == 1
