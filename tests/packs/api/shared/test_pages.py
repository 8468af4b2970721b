from packs.access import Role
from packs.api.shared.pages import page_of
from packs.api.shared.shapes import PackShape, TeamShape
from tests.people import client_of, make_member


def test_a_page_has_the_members_that_the_description_promises(team):
    answered = client_of(make_member(team, Role.VIEWER)).get("/api/v1/packs/").json()
    assert set(page_of(PackShape).fields) == set(answered)


def test_lists_of_other_rows_are_other_shapes():
    assert type(page_of(PackShape)) is type(page_of(PackShape))
    assert type(page_of(PackShape)) is not type(page_of(TeamShape))
