"""Renaming over the API: how many places, then the edit, in every format."""

import json

import pytest

from packs.formats.costs import MANY_CASES
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from tests.packs.drafts import draft_of, pack_text
from tests.packs.fine.generated import bases
from tests.packs.formats.names.test_renames import PACK


def ask(client, pack, **body):
    return client.post(f"/api/v1/packs/{pack.pk}/rename/", json.dumps(body), content_type="application/json")


def ahead(client, pack, **asked):
    return client.get(f"/api/v1/packs/{pack.pk}/rename/", asked).json()


@pytest.fixture
def desk(team, author):
    return import_pack(team, author, {"pack.yaml": PACK.encode()}, "desk")


def test_the_places_before_are_those_after(as_author, desk):
    asked = {"what": "input", "name": "question"}
    nodes = {"pack": 1, "challenge": 1, "case": 2}
    assert ahead(as_author, desk, **asked) == {"places": 6, "nodes": nodes, "is_whole": True}
    answer = ask(as_author, desk, **asked, new="query").json()
    assert answer["renamed"] == [
        {
            "kind": "input",
            "names": [{"old": "question", "new": "query"}],
            "followers": {"pack": 1, "challenge": 1, "case": 2},
            "places": 6,
        }
    ]
    assert ahead(as_author, desk, what="input", name="query")["places"] == 6


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"what": "input", "name": "question", "new": "place"}, "name_is_taken"),
        ({"what": "castle", "name": "question", "new": "place"}, "no_such_name"),
        ({"what": "input", "name": "gone", "new": "place2"}, "no_such_name"),
    ],
)
def test_a_refusal_is_a_sentence(as_author, desk, body, code):
    answer = ask(as_author, desk, **body)
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["code"] == f"api.{code}"


@pytest.mark.parametrize(
    ("format_name", "what", "old", "new"),
    [
        ("challenge_pack", "validator", "answer", "right"),
        ("agentv", "asset", "rules/fines.md", "rules/late.md"),
        ("benchmark_pack", "asset", "assets/parcels.csv", "assets/list.csv"),
        ("task_suite", "tool", "catalogue_lookup", "look_up"),
    ],
)
def test_every_format_has_things_to_rename(as_author, team, author, format_name, what, old, new):
    """The samples of ours, one thing each."""
    [files] = [
        found
        for found in bases()[format_name]
        if any(old.encode() in data for data in found.values()) or any(old in name for name in found)
    ][:1]
    pack = import_pack(team, author, files, "sample")
    before = ahead(as_author, pack, what=what, name=old)["places"]
    [renamed] = ask(as_author, pack, what=what, name=old, new=new).json()["renamed"]
    assert renamed["places"] == ahead(as_author, pack, what=what, name=new)["places"] == before > 0
    pack.refresh_from_db()
    assert pack.problem_errors == 0


def test_a_name_in_very_many_nodes_is_a_job(as_author, team):
    large = draft_of(team, pack_text(MANY_CASES + 1))
    answer = ask(as_author, large, what="challenge", name="locate", new="find")
    assert answer.status_code == 202
    job = Job.objects.get(pk=answer.json()["id"])
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.outcome["renamed"] == [
        f"Renamed locate to find. {MANY_CASES + 1} places in {MANY_CASES + 1} cases were updated."
    ]
    asked = {"what": "expectation", "name": large.cases.first().document["expectations"][0]["key"]}
    answer = ask(as_author, large, **asked, new="fresh")
    execute_job(answer.json()["id"])
    assert large.cases.filter(document__contains="fresh").count() == MANY_CASES + 1
    # Reading every node takes too long for a request.
    found = ahead(as_author, large, what="expectation", name="fresh")
    assert 0 < sum(found["nodes"].values()) <= MANY_CASES
    assert not found["is_whole"]
