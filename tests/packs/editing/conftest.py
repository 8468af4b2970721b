import pytest

from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()
