import pytest
from django.urls import reverse

from packs.access import Role
from tests.access.world import make_world
from tests.packs.drafts import draft_of
from tests.people import client_of

SEARCH = "studio:search"


def titles(response):
    return {name: [hit.title for hit in hits] for name, hits in response.context["groups"]}


def test_packs_are_found_by_title_and_slug(as_author, team):
    draft_of(team)
    for text in ("PARCEL", "parcels"):
        assert titles(as_author.get(reverse(SEARCH), {"q": text}))["Packs"] == ["Parcels"]


def test_pages_are_found_by_name(as_author):
    assert "Import a pack" in titles(as_author.get(reverse(SEARCH), {"q": "import"}))["Pages"]


def test_without_a_text_it_offers_the_newest_and_the_pages(as_author, team):
    draft_of(team)
    assert set(titles(as_author.get(reverse(SEARCH)))) == {"Packs", "Pages"}


def test_the_palette_gets_the_results_alone(as_author):
    response = as_author.get(reverse(SEARCH), {"q": "import"}, headers={"HX-Request": "true"})
    assert "<html" not in response.text
    assert 'role="option"' in response.text


def test_what_is_typed_is_shown_as_text(as_author):
    assert "<script>alert" not in as_author.get(reverse(SEARCH), {"q": "<script>alert"}).text


def test_very_long_numbers_are_no_error(as_author):
    assert as_author.get(reverse(SEARCH), {"q": "#" + "9" * 400}).status_code == 200


def test_a_stranger_finds_nothing_of_another_team(as_stranger, team):
    draft_of(team)
    assert "Packs" not in titles(as_stranger.get(reverse(SEARCH), {"q": "parcels"}))


def test_a_page_of_a_pack_is_found_by_the_words_of_both(as_author, team):
    draft_of(team)
    found = titles(as_author.get(reverse(SEARCH), {"q": "parc table"}))
    assert found["Pages of packs"] == ["Cases as a table"]
    assert "Gates" in titles(as_author.get(reverse(SEARCH), {"q": "gates"}))["Pages of packs"]


def test_pages_of_packs_that_one_may_not_see_are_not_found(as_stranger, team):
    draft_of(team)
    assert "Pages of packs" not in titles(as_stranger.get(reverse(SEARCH), {"q": "gates"}))


def test_a_word_of_a_case_leads_to_its_form(as_author, as_stranger, team):
    draft_of(team)
    [hit] = hits(as_author, "parcel case-1")["In drafts"]
    assert (hit.title, hit.detail) == ("case-1", "parcels")
    assert as_author.get(hit.url).context["desk"].name == "case-1"
    assert "In drafts" not in hits(as_stranger, "parcel case-1")


@pytest.fixture
def world(db):
    return make_world("quokka")


def test_agents_are_found_by_name(world):
    client = client_of(world.people[Role.VIEWER])
    [hit] = hits(client, "QUOKKA AG")["Agents"]
    assert client.get(hit.url).status_code == 200


def test_run_and_a_word_lead_to_the_launch_of_that_set(world):
    client = client_of(world.people[Role.AUTHOR])
    key = world.version.input_sets.first().key
    hit = hits(client, f"run quok {key[:3]}")["Do"][0]
    assert hit.title == f"Run {world.pack} · {key}"
    assert f"run start quokka@1 --team quokka --input-set {key}" in client.get(hit.url).text
    assert "Do" not in hits(client_of(world.people[Role.VIEWER]), "run quok")


def test_publish_and_compare_lead_to_their_pages(world, as_stranger):
    client = client_of(world.people[Role.AUTHOR])
    [hit] = hits(client, "pub quok")["Do"]
    assert client.get(hit.url).status_code == 200
    [hit] = hits(client, "comp quok")["Do"]
    assert hit.url.endswith(f"ids={world.run.pk}%2C{world.waiting.pk}")
    assert client.get(hit.url).status_code == 200
    assert "Do" not in hits(as_stranger, "comp quok")


def hits(client, text):
    return dict(client.get(reverse(SEARCH), {"q": text}).context["groups"])
