"""Who gets what at every address of the site; the tables are in `tests/access/`."""

import pytest
from django.urls import reverse

from packs.access import GRANTS, SCOPES, Permission, Role, Scope
from packs.views.workbench.addresses import PACK
from studio.tokens import Wish, issue
from tests.access.endpoints import ENDPOINTS
from tests.access.ids import loose_ends
from tests.access.needs import Need
from tests.access.roles import MAY, SCOPE_MAY
from tests.access.walk import CURATION, METHODS, ROWS, Walker, ask, dead_offers, is_own, member, quiet, routes, walk
from tests.access.world import leave, make_world
from tests.people import client_of

pytestmark = pytest.mark.long


@pytest.fixture
def world(db):
    return make_world("quokka")


@pytest.fixture
def elsewhere(db):
    return make_world("wombat")


def stranger_from(elsewhere):
    administrator = elsewhere.people[Role.ADMINISTRATOR]
    return Walker(administrator, elsewhere=MAY["administrator"])


def failures(world, walker, rows=ROWS):
    return wrong(walk(world, walker, rows))


def wrong(walked):
    """The requests whose answer is not what the table promises."""
    return [str(step) for step in walked if step.answer != step.promise]


def open_to_others(walked):
    """The pages, fragments, files and answers of the API that a proxy may keep, or a browser without asking again."""
    return [f"{step.url} ({step.name})" for step in walked if step.method == "GET" and not step.is_own]


def test_roles_and_scopes_grant_what_the_tables_say():
    assert {role.value: {one.value for one in granted} for role, granted in GRANTS.items()} == MAY
    assert {scope.value: {one.value for one in granted} for scope, granted in SCOPES.items()} == SCOPE_MAY
    assert set(MAY) == set(Role.values)
    assert frozenset[str]().union(*SCOPE_MAY.values()) == set(Permission)


def test_every_route_has_its_row_and_every_row_its_route():
    assert {name for name, _ in routes() if not name.startswith("admin:")} == set(ROWS)


@pytest.mark.parametrize("role", Role)
def test_each_role_gets_what_it_may_and_is_offered_no_more_and_nobody_else_may_keep_it(world, role):
    walker = member(world, role)
    walked = list(walk(world, walker))
    assert wrong(walked) == []
    assert list(dead_offers(walker, walked)) == []
    assert open_to_others(walked) == []
    assert [f"{step.url}: {end}" for step in walked for end in loose_ends(step.text)] == []
    assert len(walked) > 400


@pytest.mark.parametrize("scope", Scope)
def test_a_key_of_an_administrator_gets_what_its_one_scope_allows_and_no_more(world, scope):
    user = world.people[Role.ADMINISTRATOR]
    _, key = issue(user, Wish("robot", scopes=[scope]))
    # The description of the API is a page, which takes no key.
    rows = {name: row for name, row in ENDPOINTS.items() if name != "api-reference"}
    assert failures(world, Walker(user, SCOPE_MAY[scope] | {"read"}, key=key), rows) == []


def test_a_stranger_finds_nothing_of_the_team_and_is_told_nothing_of_it(world, elsewhere):
    rows = {name: row for name, row in ROWS.items() if Need.LINK not in row.needs.values()}
    walked = list(walk(world, stranger_from(elsewhere), rows))
    assert wrong(walked) == []
    assert [str(step) for step in walked if world.secret in step.text.replace(step.url, "")] == []


def test_nobody_is_asked_to_sign_in_and_nobody_else_may_keep_that(world):
    walked = list(walk(world, Walker(None)))
    assert wrong(walked) == []
    assert open_to_others(walked) == []


def test_a_closed_account_is_nobody(world):
    assert failures(world, Walker(leave(world, Role.ADMINISTRATOR))) == []


def test_no_route_takes_a_method_that_its_row_does_not_name(world):
    client = client_of(world.people[Role.ADMINISTRATOR])
    taken = []
    for name, row in ROWS.items():
        place = next(iter(row.places(world)))
        for method in set(METHODS) - set(row.needs):
            answer, _ = ask(client, method, reverse(name, kwargs=place))
            if answer not in {405, CURATION}:
                taken.append(f"{method} {name}: {answer}")
    assert taken == []


def test_the_things_of_another_team_are_not_found_below_an_own_pack(world, elsewhere):
    client = client_of(elsewhere.people[Role.ADMINISTRATOR])
    own = {"team": elsewhere.team.slug, "slug": elsewhere.pack.slug}
    reached, asked = [], 0
    for name, row in ROWS.items():
        for place in row.places(world):
            is_foreign = "pk" in place or place.get("ref", PACK) != PACK
            # Presence calls every node gone that the pack does not have (tests/packs/views/workbench/test_presence.py).
            if "team" not in place or not is_foreign or name == "packs:edit-presence":
                continue
            url = reverse(name, kwargs={**place, **{key: own[key] for key in own if key in place}})
            for method in row.needs:
                sent = row.sends[method](elsewhere) if method in row.sends else {}
                answer, _ = ask(client, method, url, **sent)
                asked += 1
                if answer != 404:
                    reached.append(f"{method} {url}: {answer}")
    assert reached == []
    assert asked > 30


@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, None])
def test_no_page_of_curation_no_refusal_and_no_dead_end_is_kept_by_others(world, role):
    client = client_of(world.people[role] if role else None)
    routes = ["admin:index", "admin:packs_pack_changelist", "studio:sign-out", "packs:import"]
    for url in [*map(reverse, routes), "/nowhere/", "/api/v1/nowhere/"]:
        with quiet():
            assert is_own(client.get(url)), url
