"""A key is changed by every door there is: what refers to it follows, and the answer says so."""

import json

import pytest
from django.urls import reverse

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from packs.views.workbench.grid import bulk
from tests.packs.drafts import draft_of
from tests.packs.views.workbench.pages import Page

HTMX = {"HX-Request": "true"}
LOCATE = "Renamed locate to find. 3 places in 3 cases were updated."
FIRST = "Renamed first to one. 1 place in 1 case was updated."
TESTS = b"""\
tests:
- {id: first, criteria: Greets, input: Hi}
- {id: second, criteria: Greets, input: Hi, depends_on: [first]}
"""


@pytest.fixture
def parcels(team):
    return draft_of(team)


@pytest.fixture
def tests(team, author):
    return import_pack(team, author, {"a.eval.yaml": TESTS}, "tests")


def address_of(pack, row):
    return f"/packs/{pack.team.slug}/{pack.slug}/edit/{row}/"


def challenge_keys(pack):
    return set(pack.cases.values_list("challenge_key", flat=True))


def needs(pack):
    return pack.cases.get(key="second").document["depends_on"]


@pytest.fixture
def challenge(parcels):
    """The address of the challenge's page."""
    return address_of(parcels, f"challenges/{parcels.challenges.get().pk}")


def typed(client, address, parcels, text):
    """What the form sends while a key is typed."""
    parcels.refresh_from_db()
    data = {"at": "/key", "t:/key": text, "seen": parcels.revision}
    return client.post(f"{address}field/", data, headers=HTMX).content.decode()


def test_a_key_that_is_cleared_and_typed_anew_in_the_form(as_author, parcels, challenge):
    assert "Renamed" not in typed(as_author, challenge, parcels, "")
    assert LOCATE in typed(as_author, challenge, parcels, "find")
    assert challenge_keys(parcels) == {"find"}


def test_the_form_without_a_script(as_author, parcels):
    page = Page(as_author, parcels, f"challenges/{parcels.challenges.get().pk}")
    assert LOCATE in page.fill(**{"/key": "find"}).send().html
    assert challenge_keys(parcels) == {"find"}


def test_the_yaml_lens(as_author, parcels, challenge):
    text = as_author.get(challenge, {"lens": "yaml"}).context["text"].replace("key: locate", "key: find")
    page = as_author.post(f"{challenge}yaml/", {"text": text, "seen": parcels.revision}, follow=True)
    assert LOCATE in page.content.decode()
    assert challenge_keys(parcels) == {"find"}


def sent(client, method, address, body, **headers):
    return getattr(client, method)(f"/api/v1{address}", json.dumps(body), content_type="application/json", **headers)


TOLD = [{"kind": "challenge", "names": [{"old": "locate", "new": "find"}], "followers": {"case": 3}, "places": 3}]


def test_a_change_over_the_api(as_author, parcels):
    change = {"kind": "challenge", "node": parcels.challenges.get().pk, "pointer": "/key", "value": "find"}
    answer = sent(as_author, "post", f"/packs/{parcels.pk}/changes/", {"changes": [change]})
    assert answer.json()["renamed"] == TOLD
    assert challenge_keys(parcels) == {"find"}


def test_a_whole_document_over_the_api(as_author, parcels):
    row = parcels.challenges.get()
    body = {"document": row.document | {"key": "find"}}
    answer = sent(as_author, "put", f"/challenges/{row.pk}/", body, headers={"If-Match": "*"})
    assert answer.json()["renamed"] == TOLD
    assert challenge_keys(parcels) == {"find"}


def test_a_cell_of_the_grid(as_author, tests):
    cell = address_of(tests, f"cases/{tests.cases.get(key='first').pk}")
    answer = as_author.post(f"{cell}cell/save/", {"at": "/id", "text": "one", "seen": tests.revision}, headers=HTMX)
    assert FIRST in answer.content.decode()
    assert needs(tests) == ["one"]


def rows_of(pack):
    return address_of(pack, f"sets/{pack.input_sets.get().pk}/rows")


REPLACE = {"act": "edit", "go": "1", "pointer": "/id", "what": "replace", "find": "first", "text": "one"}


def test_cases_in_bulk(as_author, tests):
    page = as_author.post(f"{rows_of(tests)}bulk/", {**REPLACE, "scope": "all"}, follow=True)
    assert FIRST in page.content.decode()
    assert needs(tests) == ["one"]


def test_cases_in_bulk_by_a_job(as_author, tests, monkeypatch):
    monkeypatch.setattr(bulk, "MANY_CASES", 0)
    as_author.post(f"{rows_of(tests)}bulk/", {**REPLACE, "scope": "all"})
    job = Job.objects.get()
    execute_job(job.pk)
    assert FIRST in as_author.get(reverse("packs:job", args=[job.pk])).content.decode()
    assert needs(tests) == ["one"]


def test_cases_in_bulk_over_the_api(as_author, tests):
    wish = {"act": "replace", "pointer": "/id", "text": "one", "find": "first"}
    body = {"input_set": tests.input_sets.get().pk, "act": "edit", "where": {}, "wish": wish}
    job = sent(as_author, "post", f"/packs/{tests.pk}/cases/changes/", body).json()["id"]
    execute_job(job)
    answer = as_author.get(f"/api/v1/jobs/{job}/").json()
    assert answer["outcome"]["renamed"] == [FIRST]
    assert needs(tests) == ["one"]
