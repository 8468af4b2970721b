import pytest

from packs.access import Role
from packs.editing import apply
from packs.editing.values import Change
from tests.packs.drafts import draft_of
from tests.packs.views.workbench.pages import Page
from tests.people import client_of, make_member


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()


@pytest.fixture
def as_viewer(team):
    return client_of(make_member(team, Role.VIEWER))


@pytest.fixture
def as_stranger(stranger):
    return client_of(stranger)


@pytest.fixture
def node_page(as_author, draft):
    """An author's view of a node: `node_page("cases/1")`."""
    return lambda path, client=as_author, **query: Page(client, draft, path, query)


@pytest.fixture
def someone_else(team, draft):
    """Another author changes a value: `someone_else(row, pointer, value)`."""
    other = make_member(team, Role.CURATOR)
    return lambda row, pointer, value: apply(draft, [Change(row.kind, row.pk, pointer, value)], other)
