"""Suggested probes over REST."""

import json

import pytest

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from runs.models import Suggestion
from tests.runs.connections import make_connection
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db


def test_a_model_is_chosen_by_what_it_takes_asked_and_its_answers_are_settled(
    as_author, team, author, model_server, local_endpoints
):
    connection = make_connection(team, model_server, max_retries=0)
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds"]), "planted.yaml")
    url = f"/api/v1/cases/{pack.cases.get().pk}/suggestions/"
    offer = as_author.get(url).json()["offers"][0]
    assert (offer["connection"], offer["calls"]) == (connection.pk, 1)
    model_server.reply(json.dumps({"wrong": [{"answer": "York"}, {"answer": "Hull"}]}))
    chosen = {"connection": offer["connection"], "model": offer["model"]}
    answer = as_author.post(url, chosen, content_type="application/json")
    assert (answer.status_code, answer.json()["kind"]) == (202, "suggest")
    execute_job(Job.objects.get(kind="suggest").pk)
    first, second = as_author.get(url).json()["suggestions"]
    assert (first["text"], first["kind"], first["verdict"]) == ("York", "wrong", "failed")
    for each, decision, status in ((first, "wrong", 204), (second, "perhaps", 400), (second, "dismiss", 204)):
        place = f"/api/v1/suggestions/{each['id']}/"
        assert as_author.post(place, {"decision": decision}, content_type="application/json").status_code == status
    assert not Suggestion.objects.exists()
    unknown = as_author.post(url, {**chosen, "model": "nobody"}, content_type="application/json")
    assert (unknown.status_code, unknown.json()["findings"][0]["code"]) == (422, "api.unknown_model")
