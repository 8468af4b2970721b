"""The front page and the sidebar of curation."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse

from packs.access import Role
from packs.models import PackStatus, Team
from packs.publish import publish
from studio.curation import GROUPS
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    user = make_member(team, Role.CURATOR)
    user.is_staff = True
    user.save()
    return user


def front(user):
    return client_of(user).get(reverse("admin:index"))


def links(user):
    found = front(user).context["sidebar_navigation"]
    return {item["title"]: item["link"] for group in found for item in group["items"]}


def test_drafts_wait_for_a_curator_until_they_are_published(team, curator):
    pack = draft_of(team)
    page = front(curator)
    assert [row.pk for row in page.context["drafts"]] == [pack.pk]
    assert reverse("packs:publish", args=["default", "parcels"]) in page.content.decode()
    publish(pack, curator)
    assert list(front(curator).context["drafts"]) == []
    pack.refresh_from_db()
    pack.revision += 1
    pack.save()
    assert [row.pk for row in front(curator).context["drafts"]] == [pack.pk]
    pack.status = PackStatus.ARCHIVED
    pack.save()
    assert list(front(curator).context["drafts"]) == []


def test_the_figures_count_packs_drafts_errors_and_runs(team, curator):
    draft_of(team)
    broken = draft_of(team, slug="broken")
    broken.problem_errors = 2
    broken.save()
    figures = {word: count for word, count, _ in front(curator).context["figures"]}
    assert figures == {"Packs": 2, "Drafts to publish": 2, "Packs with errors": 1, "Runs at work": 0}


def test_a_curator_learns_nothing_of_other_teams(team, curator):
    draft_of(Team.objects.create(slug="others", name="Others"), slug="secret-plans")
    page = front(curator)
    assert [count for _, count, _ in page.context["figures"]] == [0, 0, 0, 0]
    assert "secret-plans" not in page.content.decode()


def test_a_superuser_outside_of_a_team_is_led_to_no_page_that_is_not_there(team):
    draft_of(team)
    page = front(User.objects.create_superuser("root"))
    assert len(page.context["drafts"]) == 1
    assert reverse("packs:publish", args=["default", "parcels"]) not in page.content.decode()


def test_the_sidebar_leads_to_what_is_in_reach_and_back_to_the_studio(curator):
    shown = links(curator)
    assert shown["Back to the studio"] == "/"
    assert shown["Edits"] == reverse("admin:packs_edit_changelist")
    assert "Users" not in shown
    assert client_of(curator).get(shown["Keys for the API"]).status_code == 200


def test_every_kind_of_row_has_its_place_in_the_sidebar(db):
    shown = set(links(User.objects.create_superuser("root")).values())
    kinds = {reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist") for model in admin.site._registry}
    assert kinds <= shown
    assert len({name for names in GROUPS.values() for name in names}) == len(kinds)
