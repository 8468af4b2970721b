"""The canary of a pack, stamped on its page and found again in answers."""

import json

import pytest
from django.utils.timezone import now

from packs.editing import undo
from packs.importing import import_pack
from packs.publish import publish
from runs.grading.graders.evidence.recording import SCORING_SOURCE
from runs.launch.launching import launch
from runs.models import Event, Trial
from runs.results.canaries import canary_of, sightings_of
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
PAGE = "/proofs/default/planted/"


def test_it_is_stamped_once_and_found_in_answers(as_author, team, author, agents):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds", "York"], asked="Answer exactly."), "planted")
    assert (canary_of(pack), "Stamp a canary" in as_author.get(PAGE).content.decode()) == ("", True)
    as_author.post(f"{PAGE}canary/")
    as_author.post(f"{PAGE}canary/")
    canary = as_author.get(f"/api/v1/packs/{pack.pk}/proof/").json()["canary"]
    assert canary == canary_of(pack)
    run = launch(author, publish(pack, author), [agents["echo"]])
    first, second = Trial.objects.filter(run=run).order_by("pk")
    Trial.objects.filter(pk=first.pk).update(status="failed", final_output=f"I know {canary.upper()}")
    Trial.objects.filter(pk=second.pk).update(status="failed", final_output="I know nothing")
    found = sightings_of(pack)
    assert (found.answers, found.followed, found.trials) == (2, 2, [first.pk])
    assert "1 trial has it" in as_author.get(PAGE).text
    marked = ["has the canary" in as_author.get(f"/runs/trials/{pk}/").text for pk in (first.pk, second.pk)]
    assert marked == [True, False]
    pack.refresh_from_db()
    undo(pack, author)
    assert canary_of(pack) == ""


@pytest.mark.parametrize(
    ("kind", "source", "payload", "is_told"),
    [
        ("tool.call.completed", "x", {"result": {"lines": ["canary: {canary}"]}}, True),
        ("turn.assistant.message", "x", {"content": "It begins with {spaced}"}, True),
        ("workspace.captured", "x", {"files": {"copy.yaml": "{canary}"}}, True),
        # What a grader or a judge says is not the agent's.
        ("grader.verification.file_captured", "x", {"content": "{canary}"}, False),
        ("model.call.completed", SCORING_SOURCE, {"output_text": "{canary}"}, False),
        ("tool.call.completed", "x", {"result": "{other}"}, False),
    ],
)
def test_it_is_found_in_what_an_agent_did(as_author, team, author, agents, kind, source, payload, is_told):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds"], asked="Answer exactly."), "planted")
    as_author.post(f"{PAGE}canary/")
    canary = canary_of(pack)
    said = {"canary": canary, "spaced": canary.replace("-", " ").upper(), "other": f"{canary[:-12]}{'0' * 12}"}
    text = json.dumps(payload)
    for name, value in said.items():
        text = text.replace(f"{{{name}}}", value)
    trial = Trial.objects.get(run=launch(author, publish(pack, author), [agents["echo"]]))
    Trial.objects.filter(pk=trial.pk).update(status="failed", event_count=1)
    Event.objects.create(
        trial=trial, sequence=900, event_type=kind, source=source, occurred_at=now(), payload=json.loads(text)
    )
    assert sightings_of(pack).trials == ([trial.pk] if is_told else [])
    page = as_author.get(f"/runs/trials/{trial.pk}/").text
    assert ("What the agent did has the canary" in page) == is_told
