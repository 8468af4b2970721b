"""Keys and secrets reach nothing that people or programs can read."""

import json
import logging
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection as database
from django.urls import reverse

from runs.jobs.tasks import execute_rankings, execute_trials
from runs.launch.launching import launch
from runs.models import Agent, Event, Secret, Trial
from runs.results.exporting import EXPORTS
from tests.openai_server import Answer, calls, trouble
from tests.people import client_of
from tests.runs import conversations
from tests.runs.connections import make_connection
from tests.runs.judged_packs import RANKING, RUBRIC, judged_text
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "sk-planted-4711-key"
VALUE = 'planted/"4711"+value'
PLANTED = "planted"
TOOL = """\
tools:
  custom:
    - name: track
      description: Where a parcel is.
      parameters: {{type: object, properties: {{id: {{type: string}}}}}}
      implementation:
        primitive: http_request
        args:
          method: POST
          url: "{address}/track"
          headers: {{X-Token: "${{secrets.TRACKER}}"}}
          body: "{{}}"
"""
NETWORK = "  tool_policy: {allow_network: true}\n"


def echo(request, headers):
    """What a host answers that repeats all it was sent: in a header, in text and in names."""
    told = json.dumps({"output": f"the hub {headers}", headers.get("x-token", "none"): headers.get("authorization")})
    return Answer(raw=told.encode(), headers={"X-Echo": headers.get("x-token", "none").replace("\n", "")})


@pytest.fixture
def scene(team, author, model_server, local_endpoints, settings):
    """Runs of agents that use a key and a secret, against hosts that repeat whatever they are sent."""
    make_connection(team, model_server, key=KEY, max_retries=0)
    secret = Secret(team=team, name="TRACKER")
    secret.set_value(VALUE)
    secret.save()
    chat = {"connection": "models", "model": "small", "system": "Be brief."}
    http = {"address": f"{model_server.url}/agent", "headers": {"X-Token": "${secrets.TRACKER}"}, "max_retries": 0}
    agents = [
        Agent.objects.create(team=team, name="model", kind="chat", config=chat),
        Agent.objects.create(team=team, name="address", kind="http", config=http),
    ]
    text = pack_text({"default": 1}, mode="native", version=NETWORK) + TOOL.format(address=model_server.url)
    return publish_text(team, author, text), agents


def answers(model_server, last):
    """Repeats everything to agents and tools; a model first calls the tool, then writes the key down, then `last`."""
    steps = [calls(track='{"id": "PX-1"}'), calls(write_file=json.dumps({"path": "a.txt", "content": KEY})), last]

    def answer(request):
        if not model_server.paths[-1].endswith("/completions"):
            return echo(request, model_server.headers[-1])
        return steps.pop(0) if len(steps) > 1 else steps[0]

    return answer


@pytest.mark.parametrize(
    "last",
    [f"the hub {KEY} {VALUE}", trouble(401, f"no such key: {KEY}"), trouble(500, KEY), Answer(raw=KEY.encode())],
    ids=["answers", "refuses the key", "breaks", "writes garbage"],
)
def test_a_planted_key_and_secret_are_found_nowhere(scene, author, administrator, model_server, caplog, capsys, last):
    version, agents = scene
    caplog.set_level(logging.DEBUG)
    model_server.answer = answers(model_server, last)
    run = work_off(launch(author, version, agents))
    assert any(KEY in headers.get("authorization", "") for headers in model_server.headers)
    assert [headers["x-token"] for headers in model_server.headers if "x-token" in headers] == [VALUE, VALUE]
    assert Event.objects.filter(event_type__in=["tool.call.completed", "tool.call.failed"]).count() >= 2
    for place, text in (*rows(), *shown(run, administrator), *exported(run)):
        assert PLANTED not in text, place
    assert PLANTED not in caplog.text
    assert PLANTED not in "".join(str(vars(record)) for record in caplog.records)
    assert PLANTED not in "".join(capsys.readouterr())


def rows():
    """Every value of every row, and where rows lie in a file, its bytes: what was deleted may still stand there."""
    for model in apps.get_models():
        yield model.__name__, str(list(model._default_manager.values()))
    if database.vendor == "sqlite":
        yield "the file of the database", database.connection.serialize().decode("latin-1")


def shown(run, administrator):
    """Pages and endpoints that tell of the run, its agents and what they use."""
    client = client_of(administrator)
    pages = [reverse("runs:show", args=[run.pk]), reverse("runs:configuration", args=[run.pk])]
    pages += [reverse("runs:connections"), reverse("runs:secrets"), f"/api/v1/runs/{run.pk}/"]
    for agent in Agent.objects.all():
        pages += [reverse("runs:agent", args=[agent.pk]), f"/api/v1/agents/{agent.pk}/"]
    for trial in Trial.objects.filter(run=run):
        pages += [reverse(f"runs:{name}", args=[trial.pk]) for name in ("trial", "output", "replay", "events")]
        pages += [f"/api/v1/trials/{trial.pk}/{part}" for part in ("", "events/", "replay/", "scorecard/")]
    for page in pages:
        answer = client.get(page)
        # A trial that is an error has no scorecard.
        assert answer.status_code in (200, 409), page
        yield page, b"".join(answer).decode()


def exported(run):
    for kind, (write, media) in EXPORTS.items():
        if media == "application/zip":
            with ZipFile(BytesIO(b"".join(write(run)))) as packed:
                yield from ((name, packed.read(name).decode()) for name in packed.namelist())
            continue
        call_command("run", "export", str(run.pk), "--as", kind, "-o", "-")
        yield kind, ""


def test_the_page_of_an_agent_shows_no_key_when_it_is_tried(scene, administrator, model_server):
    _, agents = scene
    model_server.answer = lambda request: f"the hub {KEY} {VALUE}"
    page = client_of(administrator).post(reverse("runs:agent-test", args=[agents[0].pk]))
    assert page.context["trial"].outcome.final_output.startswith("the hub")
    assert PLANTED not in page.content.decode()


def test_judges_and_played_users_tell_no_key_either(team, author, administrator, model_server, local_endpoints, caplog):
    caplog.set_level(logging.DEBUG)
    models = [{"name": "small"}, {"name": "gpt-small"}]
    make_connection(team, model_server, key=KEY, max_retries=0, model_list=models)
    config = {"connection": "models", "model": "small"}
    names = ("one", "two")
    agents = [Agent.objects.create(team=team, name=name, kind="chat", config=config) for name in names]
    opinion = json.dumps({"score": 4, "ranking": ["A", "B"], "confidence": 0.5, "reasoning": f"It says {KEY}."})
    model_server.answer = lambda request: opinion if request["model"] == "gpt-small" else f"the hub {KEY}"
    text = judged_text(1, RUBRIC, RANKING, slug="judged")
    judged = launch(author, publish_text(team, author, text, slug="judged"), agents)
    execute_trials(judged.pk)
    execute_rankings(judged.pk)
    judged.refresh_from_db()
    assert judged.finished_at
    user = {"id": "talk", "actor": "llm", "persona": "Somebody.", "model": "gpt-small", "max_turns": 1}
    talk = conversations.begin(author, team, agents[0], user, slug="talk")
    asked = [request["model"] for request in model_server.requests]
    assert asked.count("gpt-small") >= 7
    for place, told in (*rows(), *shown(judged, administrator), *shown(talk, administrator)):
        assert PLANTED not in told, place
    assert PLANTED not in caplog.text
