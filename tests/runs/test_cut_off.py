"""Answers that were cut off: said on every page, and in every export."""

import io
import zipfile

import pytest
from django.urls import reverse

from runs.grading.graders.evidence.recording import record
from runs.launch.launching import launch
from runs.models import Agent
from runs.results.exporting import EXPORTS, offered
from tests.openai_server import Answer
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off


@pytest.mark.parametrize(
    ("reasons", "told"),
    [
        (["stop"], ""),
        (["length", "stop"], "length"),
        (["MAX_TOKENS"], "length"),
        (["length", "content_filter"], "content_filter"),
        ([None, 3, ["length"]], ""),
    ],
)
def test_a_reply_that_was_cut_off_is_told_in_two_words(reasons, told):
    calls = [{"event_type": "model.call.completed", "payload": {"finish_reason": reason}} for reason in reasons]
    of_judge = {**calls[0], "source": "worker_scoring", "payload": {"finish_reason": "length"}}
    assert record([*calls, of_judge]).finish_reason == told


@pytest.fixture
def run(team, author, model_server, local_endpoints):
    """One trial whose answer is whole, one that was cut, and one that was filtered: all of them pass."""
    make_connection(team, model_server)
    agent = Agent.objects.create(team=team, name="m", kind="chat", config={"connection": "models", "model": "small"})
    reasons = ["stop", "length", "content_filter"]
    model_server.script([Answer("at the hub", finish_reason=reason) for reason in reasons])
    version = publish_text(team, author, pack_text({"default": 3}))
    return work_off(launch(author, version, [agent]))


@pytest.mark.django_db
def test_the_pages_say_which_answers_were_cut_off(as_author, run):
    assert sorted(run.trials.values_list("finish_reason", flat=True)) == ["", "content_filter", "length"]
    for trial in run.trials.all():
        page = as_author.get(reverse("runs:trial", args=[trial.pk]))
        assert (page.context["cut_off"] is not None) == bool(trial.finish_reason)
        assert (f'<span class="mono">{trial.finish_reason}</span>' in page.content.decode()) == bool(
            trial.finish_reason
        )
    page = as_author.get(reverse("runs:show", args=[run.pk]))
    assert [(facet.label, facet.total) for facet in page.context["finishes"]] == [
        ("Cut off: length", 1),
        ("Cut off: content filter", 1),
    ]
    assert "Not every answer is whole" in page.content.decode()
    narrowed = as_author.get(reverse("runs:show", args=[run.pk]), {"finish": "length"})
    [cut] = run.trials.filter(finish_reason="length")
    assert [row.key for row in narrowed.context["rows"]] == [cut.case_key]


@pytest.mark.django_db
def test_the_api_finds_them(as_author, run):
    found = as_author.get(f"/api/v1/runs/{run.pk}/trials/", {"finish_reason": "length"}).json()["results"]
    assert [trial["finish_reason"] for trial in found] == ["length"]
    assert as_author.get(f"/api/v1/runs/{run.pk}/trials/", {"finish_reason": "stop"}).status_code == 400


@pytest.mark.django_db
def test_every_export_says_it(run):
    for kind in offered(run):
        data = b"".join(EXPORTS[kind][0](run))
        if EXPORTS[kind][1] == "application/zip":
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                data = b"".join(packed.read(name) for name in packed.namelist() if name.endswith("index.jsonl"))
        assert b"content_filter" in data, kind
