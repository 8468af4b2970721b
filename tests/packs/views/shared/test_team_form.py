from packs.access import Role
from packs.models import Membership
from packs.views.shared.team_form import TeamForm


def test_it_offers_the_teams_in_which_the_user_may_write(author, team, other_team):
    Membership.objects.create(team=other_team, user=author, role=Role.VIEWER)
    form = TeamForm(author)
    assert list(form.fields["team"].queryset) == [team]
    assert form.fields["team"].initial == team
    assert form.is_for_one_team


def test_a_team_of_others_is_no_choice(author, other_team):
    assert TeamForm(author, {"team": other_team.pk}).has_error("team")
