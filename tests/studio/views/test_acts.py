"""Acts of the command palette: what their words begin."""

import pytest

from packs.access import Role
from packs.models import Team
from studio.views.acts import act_hits
from studio.views.whereabouts import Whereabouts
from tests.access.world import make_world
from tests.packs.drafts import draft_of, pack_text
from tests.people import make_member


@pytest.fixture
def world(db):
    return make_world("quokka")


def titles(user, text):
    return [hit.title for hit in act_hits(user, text)]


def test_an_act_needs_its_first_letters_and_all_other_words(team, author):
    draft_of(team)
    assert titles(author, "publ parc") == titles(author, "publ") == ["Publish Parcels"]
    assert titles(author, "publish other") == titles(author, "republish") == titles(author, "") == []


def test_the_pack_of_the_page_comes_first(team, author):
    draft_of(team)
    draft_of(team, pack_text().replace(b"name: Parcels", b"name: Letters"), slug="letters")
    here = Whereabouts(team.slug, "parcels")
    assert [hit.title for hit in act_hits(author, "publ", here)] == ["Publish Parcels", "Publish Letters"]
    assert titles(author, "publ") == ["Publish Letters", "Publish Parcels"]


def test_rename_leads_to_the_field_that_states_the_name(team, author, as_author):
    draft_of(team)
    for text, title, pointer in [
        ("rename case-1", "Rename the case case-1", "/case_key"),
        ("rename locate", "Rename the challenge locate", "/key"),
        ("rename hubs", "Rename the input set hubs", "/key"),
        ("rename parcels", "Rename the pack Parcels", "/pack/name"),
    ]:
        hit = next(hit for hit in act_hits(author, text) if hit.title == title)
        assert f"at={pointer}" in hit.url
        assert as_author.get(hit.url).status_code == 200


def test_who_may_not_edit_renames_and_publishes_nothing(team):
    draft_of(team)
    viewer = make_member(team, Role.VIEWER)
    assert titles(viewer, "rename case-1") == titles(viewer, "publish") == []


@pytest.mark.parametrize(
    ("text", "chosen"), [("theme", ["light", "dark", "system"]), ("theme dark", ["dark"]), ("dark", ["dark"])]
)
def test_themes_are_acts(author, text, chosen):
    assert [hit.theme for hit in act_hits(author, text) if hit.theme] == chosen


def test_a_team_is_switched_to_by_its_name(team, author, as_author):
    other = Team.objects.create(slug="other", name="Other people")
    make_member(other, Role.AUTHOR)
    other.memberships.create(user=author, role=Role.AUTHOR)
    draft_of(team)
    draft_of(other, slug="theirs")
    [hit] = act_hits(author, "switch oth")
    rows = as_author.get(hit.url).context["rows"]
    assert [row.pack.slug for row in rows] == ["theirs"]
    assert titles(author, "team default") == [f"Switch to {team}"]


def test_a_finding_leads_to_its_field_and_errors_come_first(team, author, as_author):
    draft_of(team, pack_text().replace(b"locate\n", b"lost\n", 1))
    found = act_hits(author, "finding")
    assert found
    assert found[0].icon == "circle-alert"
    assert found == act_hits(author, "problem parcels")
    assert as_author.get(found[0].url).status_code == 200
    assert titles(author, "finding nothing") == []


def test_the_run_of_the_page_is_compared_with_the_one_before(world):
    author = world.people[Role.AUTHOR]
    [hit, _] = act_hits(author, "compare", Whereabouts(run=world.waiting.pk))
    assert hit.url.endswith(f"ids={world.run.pk}%2C{world.waiting.pk}")
    assert [hit.title for hit in act_hits(author, "compare", Whereabouts(run=world.run.pk))] == [
        f"Compare the last two runs of {world.pack}"
    ]


def test_two_letters_name_a_set_to_run_and_the_one_that_ran_last_is_first(world):
    author = world.people[Role.AUTHOR]
    key = world.version.input_sets.first().key
    assert titles(author, f"r{key[0]}")[0] == titles(author, "run")[0] == f"Run {world.pack} · {key}"
    assert titles(author, "rx") == []
    assert titles(world.people[Role.VIEWER], "run") == []
