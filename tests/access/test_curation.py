"""Who gets what in curation; the table is in `tests/access/curation.py`."""

import pytest
from django.contrib import admin
from django.urls import reverse

from packs.access import Permission, Role
from tests.access.curation import KINDS, OTHERS, make_superuser, make_timetable, route_names, walk_curation
from tests.access.roles import MAY
from tests.access.walk import ALLOWED, CURATION, GONE, SIGN_IN, Walker, ask, member, quiet, routes
from tests.access.world import make_staff, make_world
from tests.people import client_of

pytestmark = pytest.mark.long


@pytest.fixture
def world(db):
    make_timetable()
    return make_world("quokka")


@pytest.fixture
def stranger(db):
    """Staff with all powers in another team."""
    administrator = make_world("wombat").people[Role.ADMINISTRATOR]
    return Walker(make_staff(administrator), elsewhere=MAY["administrator"])


def failures(world, walker):
    return wrong(walk_curation(world, walker))


def wrong(walked):
    return [
        f"{page.method} {page.url}: {answer} instead of {page.answers}"
        for page, answer, _ in walked
        if answer not in page.answers
    ]


def test_every_route_of_curation_is_in_the_table_and_the_other_way_round():
    assert {name.removeprefix("admin:") for name, _ in routes() if name.startswith("admin:")} == route_names()


@pytest.mark.parametrize("role", Role)
def test_staff_of_a_team_get_what_their_role_may_and_read_of_it_where_they_may_curate(world, role):
    walker = member(world, role)
    make_staff(walker.user)
    walked = list(walk_curation(world, walker))
    assert wrong(walked) == []
    reads = any("quokka parcels" in text for *_, text in walked)
    assert reads is (Permission.CURATE in walker.may)


def test_superusers_get_everything_that_can_be_done(world):
    assert failures(world, Walker(make_superuser(), MAY["administrator"])) == []


def test_staff_of_another_team_find_nothing_and_are_told_nothing(world, stranger):
    walked = list(walk_curation(world, stranger))
    assert wrong(walked) == []
    assert [page.url for page, _, text in walked if "quokka parcels" in text] == []
    assert [page.url for page, _, text in walked if world.secret in text.replace(page.url, "")] == []


def test_whoever_is_not_staff_is_asked_to_sign_in(world):
    assert failures(world, Walker(None)) == []
    assert failures(world, member(world, Role.ADMINISTRATOR)) == []


def test_acts_on_rows_out_of_reach_change_nothing(world, stranger, rf):
    client = client_of(stranger.user)
    request = rf.get("/")
    request.user = stranger.user
    for model, curated in admin.site._registry.items():
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        row = KINDS[name].row(world)
        before = model.objects.filter(pk=row.pk).values().get()
        for act in curated.get_actions(request):
            data = {"action": act, "_selected_action": [row.pk], "confirmed": "1"}
            with quiet():
                client.post(reverse(f"admin:{name}_changelist"), data)
            assert model.objects.filter(pk=row.pk).values().get() == before, (name, act)


def test_the_other_pages_of_curation_are_for_staff_and_say_nothing_of_other_teams(world, stranger):
    # There is one page to sign in. People who are signed in already and may not open administration are refused.
    doors = [(None, SIGN_IN), (world.people[Role.ADMINISTRATOR], 403)]
    for name, (method, place, query) in OTHERS.items():
        url = reverse(f"admin:{name}", kwargs=place)
        for user, door in doors:
            answer, _ = ask(client_of(user), method, url, data=query)
            assert answer == {"login": door, "logout": GONE}.get(name, CURATION), url
        answer, text = ask(client_of(stranger.user), method, url, data=query)
        promise = {"login": {403}, "logout": {GONE, ALLOWED}, "view_on_site": {404}}.get(name, {ALLOWED})
        # No row has an address of its own that Django knows; the links of the pages do not come from there.
        assert answer in promise, url
        # Administrators of a team look names up, to make members of them.
        assert name == "autocomplete" or world.secret not in text.replace("quokka&quot;", ""), url
