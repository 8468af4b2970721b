"""Members and invitations of a team over the API."""

import pytest
from django.core import mail

from packs.access import Role, Scope
from packs.models import AuditEvent, Invitation, Membership
from studio.teams.invitations import MOST_OPEN, Offer, invite
from studio.teams.service_accounts import make_service_account
from studio.tokens import Wish, issue


def at(team, path):
    return f"/api/v1/teams/{team.slug}/{path}"


def call(client, method, address, **body):
    return getattr(client, method)(address, body, content_type="application/json")


def codes(answer):
    return [finding["code"] for finding in answer.json()["findings"]]


def test_members_are_listed_with_their_roles(as_author, administrator, author, team):
    make_service_account(team, "pipeline", Role.VIEWER, administrator)
    rows = {row["user"]: row for row in as_author.get(at(team, "members/")).json()["results"]}
    assert (rows[str(author)]["role"], rows[str(author)]["is_service_account"]) == ("author", False)
    assert (rows["pipeline"]["role"], rows["pipeline"]["is_service_account"]) == ("viewer", True)


def test_a_role_is_changed_and_a_member_removed_and_both_are_in_the_audit_log(as_administrator, author, team):
    address = at(team, f"members/{author.memberships.get(team=team).pk}/")
    assert call(as_administrator, "patch", address, role="curator").json()["role"] == "curator"
    assert author.memberships.get(team=team).role == Role.CURATOR
    assert as_administrator.delete(address).status_code == 204
    assert not author.memberships.filter(team=team).exists()
    kinds = AuditEvent.objects.filter(team=team, subject=str(author)).order_by("id").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["member.changed", "member.deleted"]


def test_the_last_administrator_and_a_role_of_the_directory_stay(as_administrator, administrator, author, team):
    own = administrator.memberships.get(team=team)
    for answer in (
        call(as_administrator, "patch", at(team, f"members/{own.pk}/"), role="viewer"),
        as_administrator.delete(at(team, f"members/{own.pk}/")),
        as_administrator.post(at(team, "leave/")),
    ):
        assert (answer.status_code, codes(answer)) == (409, ["api.last_administrator"])
    other = author.memberships.get(team=team)
    Membership.objects.filter(pk=other.pk).update(is_from_directory=True)
    answer = call(as_administrator, "patch", at(team, f"members/{other.pk}/"), role="viewer")
    assert (answer.status_code, codes(answer)) == (409, ["api.from_directory"])
    assert set(team.memberships.values_list("pk", "role")) >= {(own.pk, "administrator"), (other.pk, "author")}


def test_a_member_of_another_team_is_not_found_here(as_administrator, stranger, team, other_team):
    theirs = stranger.memberships.get(team=other_team)
    assert as_administrator.delete(at(team, f"members/{theirs.pk}/")).status_code == 404
    assert stranger.memberships.filter(team=other_team).exists()


def test_a_member_leaves_but_not_by_a_key_that_does_not_administer(client, as_author, author, team):
    _, key = issue(author, Wish("robot", scopes=[Scope.EDIT, Scope.RUN]))
    answer = client.post(at(team, "leave/"), headers={"authorization": f"Bearer {key}"})
    assert (answer.status_code, codes(answer)) == (403, ["api.out_of_scope"])
    assert as_author.post(at(team, "leave/")).status_code == 204
    assert as_author.get(at(team, "members/")).status_code == 404


def test_the_link_of_an_invitation_is_shown_once_and_lets_somebody_in(as_administrator, as_stranger, stranger, team):
    made = call(as_administrator, "post", at(team, "invitations/"), role="reviewer", days=2)
    assert made.status_code == 201
    (listed,) = as_administrator.get(at(team, "invitations/")).json()
    assert listed == {**made.json(), "link": None}
    as_stranger.post(made.json()["link"])
    assert stranger.memberships.get(team=team).role == Role.REVIEWER
    assert as_administrator.get(at(team, "invitations/")).json() == []


def test_an_invitation_is_taken_back(as_administrator, as_stranger, stranger, team):
    made = call(as_administrator, "post", at(team, "invitations/"), role="viewer").json()
    assert as_administrator.delete(at(team, f"invitations/{made['id']}/")).status_code == 204
    assert as_stranger.post(made["link"]).status_code == 404
    assert not stranger.memberships.filter(team=team).exists()


def test_a_link_is_mailed_only_where_the_studio_sends_mail(as_administrator, team, settings):
    wish = {"role": "viewer", "email": "ann@example.org"}
    settings.SMTP = ""
    refused = call(as_administrator, "post", at(team, "invitations/"), **wish)
    assert (refused.status_code, refused.json()["findings"][0]["path"]) == (400, "email")
    settings.SMTP = "smtp://mail.example.org"
    assert call(as_administrator, "post", at(team, "invitations/"), **wish).json()["link"] is None
    assert [message.to for message in mail.outbox] == [["ann@example.org"]]


@pytest.mark.parametrize("wrong", [{"role": "owner"}, {"role": "viewer", "days": 31}, {"role": "viewer", "uses": 1}])
def test_a_wish_that_pages_do_not_offer_is_refused(as_administrator, team, wrong):
    assert call(as_administrator, "post", at(team, "invitations/"), **wrong).status_code == 400
    assert not Invitation.objects.exists()


def test_so_many_invitations_are_open_at_most(as_administrator, administrator, team):
    for _ in range(MOST_OPEN):
        invite(team, administrator, Offer(Role.VIEWER, 1))
    answer = call(as_administrator, "post", at(team, "invitations/"), role="viewer")
    assert (answer.status_code, codes(answer)) == (409, ["api.too_many_invitations"])
