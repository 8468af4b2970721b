"""Suggested probes beside the proof of a case."""

import json

import pytest

from packs.access import Role
from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from runs.models import Suggestion
from tests.people import client_of, make_member
from tests.runs.connections import make_connection
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(team, author):
    loose = {"says": ("contains", *TIDY[1:])}
    return import_pack(team, author, challenge(loose, ["Leeds"]), "planted.yaml").cases.get()


def test_a_suggestion_is_asked_for_with_its_price_seen_and_confirmed(
    as_author, case, team, model_server, local_endpoints
):
    url = f"/proofs/cases/{case.pk}/"
    assert "Ask for answers" not in as_author.get(url).content.decode()
    connection = make_connection(
        team,
        model_server,
        model_list=[{"name": "small", "input_per_million": 1.0, "output_per_million": 2.0}],
        max_retries=0,
    )
    assert "small of models, about $0.00" in as_author.get(url).content.decode()
    model_server.reply(json.dumps({"wrong": [{"answer": "Leeds & <York>", "why": "Two."}]}))
    answer = as_author.post(f"{url}suggest/", {"model": f"{connection.pk}:small"})
    job = Job.objects.get(kind="suggest")
    execute_job(job.pk)
    assert f'href="{url}"' in as_author.get(answer.url).content.decode()
    as_viewer = client_of(make_member(team, Role.VIEWER))
    assert "Leeds &amp; &lt;York&gt;" in as_viewer.get(url).content.decode()
    assert "This is wrong" not in as_viewer.get(url).content.decode()
    place = f"/proofs/suggestions/{Suggestion.objects.get().pk}/"
    assert as_author.post(place, {"decision": "perhaps"}).status_code == 404
    shown = as_author.post(place, {"decision": "wrong"}).content.decode()
    assert "accepts_wrong" in shown
    assert b"Leeds & <York>" in file_content(case.pack, PROOF_FILE)
    assert as_author.post(place, {"decision": "wrong"}).status_code == 404


def test_a_model_that_is_not_there_is_refused_beside_the_form(as_author, case):
    answer = as_author.post(f"/proofs/cases/{case.pk}/suggest/", {"model": "7:small"})
    assert answer.status_code == 422
    assert "No connection of the team answers" in answer.content.decode()
    assert as_author.post(f"/proofs/cases/{case.pk}/suggest/", {"model": "x"}).status_code == 404
