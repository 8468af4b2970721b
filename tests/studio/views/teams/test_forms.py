from packs.access import Role
from studio.teams.invitations import Offer
from studio.views.teams.forms import HandOverForm, InvitationForm


def test_an_invitation_is_for_one_person_and_a_week_unless_said_otherwise():
    form = InvitationForm({"role": "author"})
    assert form.is_valid()
    assert form.offer() == Offer(Role.AUTHOR, 7)


def test_an_address_is_asked_for_where_the_site_can_mail(settings):
    assert "email" not in InvitationForm().fields
    settings.SMTP = "smtp://mail.example.org"
    assert "email" in InvitationForm().fields


def test_a_team_is_handed_to_another_person_of_it(team, administrator, author, stranger):
    choices = HandOverForm(team, administrator).fields["to"].queryset
    assert [member.user for member in choices] == [author]
