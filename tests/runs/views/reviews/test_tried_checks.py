import pytest

from packs.access import Role
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(team):
    return draft_of(team)


def sent(draft, **more):
    at = "/version/evaluation_spec/validators/0"
    return f"/tryouts/checks/{draft.pk}/", {"node": "pack", "at": at, "answer": "York", **more}


def test_the_verdict_and_its_reason_are_shown(as_author, draft):
    said = as_author.post(*sent(draft)).content.decode()
    assert 'data-state="' in said


def test_a_node_or_place_that_there_is_not_is_not_found(as_author, draft):
    assert as_author.post(*sent(draft, node="cases/x")).status_code == 404
    assert as_author.post(*sent(draft, node="cases/999999")).status_code == 404
    assert as_author.post(*sent(draft, at="version")).status_code == 404
    for at in ("/version/nothing", "/version", "/version/evaluation_spec/validators", "/pack"):
        assert "has gone" in as_author.post(*sent(draft, at=at)).content.decode()


def test_a_viewer_tries_nothing(team, draft):
    as_viewer = client_of(make_member(team, Role.VIEWER))
    assert as_viewer.post(*sent(draft)).status_code == 403
