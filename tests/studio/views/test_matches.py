"""What the index of words finds, as the palette lists it; `test_search` asks the page."""

import pytest

from packs.access import Role
from studio.views.matches import LIMIT, Question, node_hits, run_hits
from tests.access.world import make_world
from tests.packs.drafts import draft_of, pack_text


@pytest.fixture
def world(db):
    return make_world("quokka")


def test_no_group_is_longer_than_its_limit_and_the_key_comes_before_the_text(team, author):
    draft_of(team, pack_text(30))
    found = node_hits(Question(author, "parcels case-1"))
    assert len(found) == LIMIT
    assert found[0].title == "case-1"


def test_a_number_leads_to_its_run(world):
    found = run_hits(Question(world.people[Role.VIEWER], f"#{world.run.pk}"))
    assert found[0].url.endswith(f"/{world.run.pk}/")


def test_an_entry_whose_row_is_out_of_reach_leads_nowhere(world):
    """The index alone decides nothing: the row is looked for among those that the user may see."""
    user = world.people[Role.VIEWER]
    question = Question(user, "quokka")
    world.team.memberships.all().delete()
    assert run_hits(question) == []
