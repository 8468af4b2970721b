import re

import pytest
from django.urls import reverse

from packs.access import Role
from packs.formats import FORMATS, adapter_of
from packs.formats.document import NodeKind
from packs.importing.starting import samples
from packs.models import Pack
from packs.publish import publish
from packs.views.workbench.addresses import NodeRef
from runs.jobs.trials.tryouts import Given, try_answer
from tests.people import client_of

NEW = "packs:new"
# Kind of check to an answer as an author writes it, with outputs that pass and fail.
ANSWERS = {
    "contains": ("Leeds", "It is in\nLeeds", "York"),
    "exact_match": ("Leeds", "Leeds", "It is in Leeds"),
    "regex_match": ("Le{2}ds", "It is in Leeds", "Leds"),
    "numeric_match": ("42 ± 0.5", "About 42.4", "43"),
    "json_path_match": ('hubs[1].name = "Leeds"', '{"hubs": [{}, {"name": "Leeds"}]}', '{"hubs": [{"name": "Leeds"}]}'),
}
BEGINNINGS = [(name, check) for name in FORMATS for check in adapter_of(name).FIRST_CHECKS]


def start(client, team, **data):
    answers = {"question": "Where is PX-1?", "answer": "Leeds", "check": "contains"}
    given = {"team": team.pk, "title": "My pack", "start": "blank:challenge_pack", **answers, **data}
    return client.post(reverse(NEW), given)


@pytest.mark.parametrize(("name", "check"), BEGINNINGS)
def test_three_answers_make_a_pack_that_can_be_published_and_judges_by_them(as_author, team, author, name, check):
    written, right, wrong = ANSWERS[check]
    response = start(as_author, team, start=f"blank:{name}", answer=written, check=check)
    row = Pack.objects.get()
    assert (row.slug, row.title, row.format, row.problem_errors) == ("my-pack", "My pack", name, 0)
    case = row.cases.get()
    assert response.url == reverse("packs:edit-node", args=["default", "my-pack", NodeRef(NodeKind.CASE, case.pk)])
    assert [try_answer(author, case, Given(text)).verdict for text in (right, wrong)] == ["passed", "failed"]
    assert publish(row, author).number == 1


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_page_offers_the_checks_of_the_chosen_format(as_author, team, name):
    page = as_author.get(reverse(NEW), {"start": f"blank:{name}", "check": "exact_match"})
    offered = re.findall(r'name="check"\s+value="(\w+)"\s+(checked)?', page.content.decode())
    assert [kind for kind, _ in offered] == [kind for kind in ANSWERS if kind in adapter_of(name).FIRST_CHECKS]
    wanted = "exact_match" if "exact_match" in dict(offered) else "contains"
    assert [kind for kind, mark in offered if mark] == [wanted]


@pytest.mark.parametrize(
    ("field", "data"),
    [
        ("question", {"question": " "}),
        ("answer", {"answer": ""}),
        ("answer", {"check": "numeric_match", "answer": "some"}),
        ("answer", {"check": "json_path_match", "answer": "hub ="}),
        ("answer", {"check": "regex_match", "answer": "("}),
        ("answer", {"check": "regex_match", "answer": "(", "start": "blank:agentv"}),
        ("answer", {"check": "regex_match", "answer": "(", "start": "blank:task_suite"}),
        ("check", {"start": "blank:benchmark_pack", "check": "regex_match"}),
        ("check", {"check": "llm"}),
    ],
)
def test_an_answer_that_makes_no_valid_case_is_an_error_of_its_field(as_author, team, field, data):
    response = start(as_author, team, **data)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {field}
    assert not Pack.objects.exists()


def test_every_start_says_what_it_is_for(as_author, team):
    context = as_author.get(reverse(NEW)).context
    assert len({choice["help"] for choice in context["formats"]}) == len(FORMATS)
    assert all(sample.label for sample in context["samples"])


def test_a_pack_begins_as_a_copy_of_a_sample(as_author, team):
    sample = samples()[0]
    start(as_author, team, start=f"sample:{sample.name}", slug="copy", question="", answer="", check="")
    row = Pack.objects.get()
    assert (row.slug, row.title, row.cases.count()) == ("copy", "My pack", sample.cases)


@pytest.mark.parametrize("begin", ["blank:challenge_pack", f"sample:{samples()[0].name}"])
def test_a_taken_slug_is_an_error_of_the_field(as_author, team, begin):
    start(as_author, team)
    response = start(as_author, team, start=begin, slug="my-pack")
    assert response.status_code == 422
    assert response.context["form"].has_error("slug")
    assert Pack.objects.count() == 1


def test_a_name_that_others_have_makes_a_slug_of_its_own(as_author, team):
    for begin in ("blank:challenge_pack", f"sample:{samples()[0].name}"):
        assert start(as_author, team, start=begin).status_code == 302
    assert sorted(Pack.objects.values_list("slug", flat=True)) == ["my-pack", "my-pack-2"]


def test_a_start_that_does_not_exist_is_refused(as_author, team):
    assert start(as_author, team, start="sample:none").context["form"].has_error("start")


def test_only_authors_begin_packs(members, team):
    assert client_of(members[Role.REVIEWER]).get(reverse(NEW)).status_code == 403
