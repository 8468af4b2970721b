import pytest
from django.urls import reverse

from packs.access import Role
from packs.formats import FORMATS
from packs.importing.starting import samples
from packs.models import Pack
from tests.people import client_of

NEW = "packs:new"


def start(client, team, **data):
    return client.post(reverse(NEW), {"team": team.pk, "title": "My pack", "start": "blank:challenge_pack", **data})


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_blank_pack_is_valid_from_the_start(as_author, team, name):
    response = start(as_author, team, start=f"blank:{name}")
    row = Pack.objects.get()
    assert (row.slug, row.title, row.format, row.problem_errors) == ("my-pack", "My pack", name, 0)
    assert response.url == reverse("packs:edit", args=["default", "my-pack"])


def test_every_start_says_what_it_is_for(as_author, team):
    context = as_author.get(reverse(NEW)).context
    assert len({blank["help"] for blank in context["blanks"]}) == len(FORMATS)
    assert all(sample.label for sample in context["samples"])


def test_a_pack_begins_as_a_copy_of_a_sample(as_author, team):
    sample = samples()[0]
    start(as_author, team, start=f"sample:{sample.name}", slug="copy")
    row = Pack.objects.get()
    assert (row.slug, row.title, row.cases.count()) == ("copy", "My pack", sample.cases)


@pytest.mark.parametrize("begin", ["blank:challenge_pack", f"sample:{samples()[0].name}"])
def test_a_taken_slug_is_an_error_of_the_field(as_author, team, begin):
    start(as_author, team)
    response = start(as_author, team, start=begin)
    assert response.status_code == 422
    assert response.context["form"].has_error("slug")
    assert Pack.objects.count() == 1


def test_a_start_that_does_not_exist_is_refused(as_author, team):
    assert start(as_author, team, start="sample:none").context["form"].has_error("start")


def test_only_authors_begin_packs(members, team):
    assert client_of(members[Role.REVIEWER]).get(reverse(NEW)).status_code == 403
