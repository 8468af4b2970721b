"""What happened that concerns a person."""

import pytest

from packs.access import Role
from packs.notices import KINDS, RUN_ENDED, SECOND_FACTOR, Notice
from runs.jobs.notices.noting import note
from runs.models import Notification, NotificationChoice
from tests.people import client_of, make_member
from tests.runs.noticed import notice

pytestmark = pytest.mark.django_db


@pytest.fixture
def viewer(team):
    return make_member(team, Role.VIEWER)


@pytest.fixture
def as_viewer(viewer):
    return client_of(viewer)


def test_the_list_leads_on_and_following_is_reading(as_viewer, team, viewer):
    row = note(notice(team, [viewer]))
    assert "nightly ended." in as_viewer.get("/notifications/").text
    answer = as_viewer.get(f"/notifications/{row.pk}/")
    assert (answer.status_code, answer["Location"]) == (302, "/runs/")
    assert Notification.objects.get().read_at is not None
    assert "Mark all as read" not in as_viewer.get("/notifications/").text


def test_all_can_be_marked_as_read_at_once(as_viewer, team, viewer, author):
    note(notice(team, [viewer, author]))
    as_viewer.post("/notifications/read/")
    assert [row.user for row in Notification.objects.filter(read_at=None)] == [author]


def test_who_left_a_team_sees_nothing_of_it(as_viewer, team, viewer):
    row = note(notice(team, [viewer]))
    team.memberships.filter(user=viewer).delete()
    assert "nightly" not in as_viewer.get("/notifications/").text
    assert as_viewer.get(f"/notifications/{row.pk}/").status_code == 404


def test_choices_are_kept_and_without_a_mail_server_only_those_for_the_studio(as_viewer, viewer):
    sent = {f"in_studio:{kind}": "on" for kind in KINDS if kind != RUN_ENDED}
    assert as_viewer.post("/notifications/", sent).status_code == 302
    assert [row.kind for row in NotificationChoice.objects.filter(user=viewer, in_studio=False)] == [RUN_ENDED]
    assert "By mail" not in as_viewer.get("/notifications/").text


def test_mail_needs_an_address(as_viewer, viewer, settings):
    settings.SMTP = "smtp://mail.example.org"
    sent = {f"by_mail:{RUN_ENDED}": "on"}
    assert as_viewer.post("/notifications/", sent).status_code == 422
    assert "Change the address" in as_viewer.get("/notifications/").text
    type(viewer).objects.filter(pk=viewer.pk).update(email="me@example.org")
    assert as_viewer.post("/notifications/", {**sent, "email": "thief@example.org"}).status_code == 302
    viewer.refresh_from_db()
    assert viewer.email == "me@example.org"
    assert NotificationChoice.objects.get(user=viewer, by_mail=True).kind == RUN_ENDED


def test_with_a_directory_the_page_says_where_mail_goes_and_offers_no_change(as_viewer, viewer, settings):
    settings.SMTP, settings.OIDC_ISSUER = "smtp://mail.example.org", "https://id.example.org"
    type(viewer).objects.filter(pk=viewer.pk).update(email="me@example.org")
    text = as_viewer.get("/notifications/").text
    assert "Mail goes to me@example.org" in text
    assert "Change the address" not in text


def test_what_happened_to_an_account_its_owner_alone_sees(as_viewer, as_author, viewer):
    about = {"title": "Your second factor was turned on.", "place": "studio:account", "people": frozenset({viewer.pk})}
    row = note(Notice(SECOND_FACTOR, None, args=(), **about))
    assert "Your second factor was turned on." in as_viewer.get("/notifications/").text
    assert as_viewer.get(f"/notifications/{row.pk}/").url == "/account/"
    assert "Your second factor" not in as_author.get("/notifications/").text
    assert as_author.get(f"/notifications/{row.pk}/").status_code == 404
