"""Answers tried over the API."""

import json

import pytest

from packs.importing import import_pack
from runs.jobs.tasks import execute_tryout
from runs.jobs.trials.tryouts import MOST_OPEN
from runs.sandbox import bubblewrap

pytestmark = pytest.mark.django_db
ROWS = (
    {"id": "a", "family": "short_answer", "input": {"question": "Q"}, "eval": {"accepted_answers": ["Leeds"]}},
    {
        "id": "b",
        "family": "code_completion",
        "input": {"prompt": "P"},
        "eval": {"tests": {"source": "inline", "code": "assert x == 1"}, "reference_solution": "x = 1"},
        "environment": {"image": "python"},
    },
)


@pytest.fixture
def pack(team, author):
    rows = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
    return import_pack(team, author, {"manifest.yaml": b"id: quiz\nversion: 1\n", "tasks.jsonl": rows}, "quiz")


def send(client, pack, key, **data):
    path = f"/api/v1/cases/{pack.cases.get(key=key).pk}/tryouts/"
    return client.post(path, data=json.dumps(data), content_type="application/json")


def test_words_get_their_verdict_in_the_answer(as_author, pack):
    answer = send(as_author, pack, "a", output=" It is Leeds\n")
    assert (answer.status_code, answer.json()["verdict"], answer.json()["output"]) == (201, "passed", " It is Leeds\n")
    assert answer.json()["scorecard"]["validator_details"][0]["verdict"] == "pass"
    [listed] = as_author.get(f"/api/v1/cases/{pack.cases.get(key='a').pk}/tryouts/").json()["results"]
    assert listed["id"] == answer.json()["id"]


@pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")
def test_what_has_to_be_run_is_asked_for_until_it_is_judged(as_author, pack):
    answer = send(as_author, pack, "b", output="x = 1")
    address = f"/api/v1/tryouts/{answer.json()['id']}/"
    assert (answer.status_code, as_author.get(address).json()["status"]) == (202, "queued")
    execute_tryout(answer.json()["id"])
    judged = as_author.get(address).json()
    assert (judged["status"], judged["verdict"], judged["score"]) == ("completed", "passed", 1.0)


def test_what_cannot_be_tried_says_why(as_author, pack):
    unknown = send(as_author, pack, "a", output="x", judges=["nobody"])
    assert (unknown.status_code, unknown.json()["findings"][0]["code"]) == (422, "api.unknown_judge")
    assert send(as_author, pack, "a", files={"a": 1, "b": ["c"]}).status_code == 400
    for _ in range(MOST_OPEN):
        send(as_author, pack, "b", output="x")
    assert send(as_author, pack, "b", output="x").status_code == 429
