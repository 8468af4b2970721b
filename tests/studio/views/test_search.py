import pytest
from django.urls import reverse

from packs.access import Role
from packs.models.reindexing import comparisons
from runs.jobs.trials.retrying import retry_trials
from runs.models import Run, Trial
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
    assert (hit.title, hit.detail) == ("case-1", "Case · parcels")
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


GROUPS = {"Packs": "pack", "In drafts": "case", "Runs": "run", "Trials": "trial", "Agents": "agent"}


@pytest.mark.parametrize("role", list(Role))
def test_every_role_finds_what_it_may_see(world, role):
    found = hits(client_of(world.people[role]), "quokka")
    assert set(GROUPS) <= set(found)
    for group in GROUPS:
        assert client_of(world.people[role]).get(found[group][0].url).status_code == 200


def test_strangers_and_those_who_left_find_nothing(world, as_stranger):
    for client in (as_stranger, client_of(make_world("numbat").people[Role.ADMINISTRATOR])):
        for text in ("quokka", "quokka case", "run quokka", "rename quokka", "findings quokka", "team quokka"):
            found = client.get(reverse(SEARCH), {"q": text}, headers={"HX-Request": "true"}).text
            assert "quokka" not in found.replace(f"“{text}”", "")
    world.team.memberships.all().delete()
    assert not set(GROUPS) & set(hits(client_of(world.people[Role.AUTHOR]), "quokka"))


def test_drafts_of_proposals_are_not_found(world):
    client = client_of(world.people[Role.AUTHOR])
    before = [hit.url for hit in hits(client, "quokka")["In drafts"]]
    draft = world.proposal.draft
    assert not [hit for group in hits(client, draft.slug).values() for hit in group if draft.slug in hit.url]
    assert [hit.url for hit in hits(client, "quokka")["In drafts"]] == before


def test_a_trial_is_found_by_its_answer_and_no_more_once_it_is_tried_again(world):
    client = client_of(world.people[Role.AUTHOR])
    [hit] = hits(client, "quokka hub")["Trials"]
    assert hit.url == reverse("runs:trial", args=[world.trial.pk])
    retry_trials(world.run, Trial.objects.filter(pk=world.trial.pk), None)
    assert "Trials" not in hits(client, "quokka hub")
    assert [compared for compared in comparisons() if not compared.is_right] == []


def test_words_of_a_pack_narrow_what_is_in_it(world):
    client = client_of(world.people[Role.AUTHOR])
    Run.objects.filter(pk=world.run.pk).update(name="nightly")
    assert [hit.title for hit in hits(client, "quokka nightly")["Runs"]] == ["nightly"]
    assert "Runs" not in hits(client, "numbat nightly")


def test_nothing_but_punctuation_finds_nothing(world):
    client = client_of(world.people[Role.AUTHOR])
    assert not set(GROUPS) & set(hits(client, "\"*'() -- %_"))
