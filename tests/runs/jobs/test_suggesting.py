"""Probes that a model suggests for a case of a draft, by a job."""

import json
from datetime import timedelta

import pytest
from django.utils.timezone import now

from packs.editing import EditRefused, remove_node
from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE, NodeKind
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import AuditEvent, Job, JobStatus, Membership
from runs.jobs.proofs import start_proving, state_answer
from runs.jobs.suggesting import decide, offers_for, start_suggesting
from runs.models import Suggestion
from runs.proof.author import read_notes
from runs.proof.probes import Work
from tests.openai_server import Answer, trouble
from tests.runs.connections import make_connection
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
REPLY = {
    "wrong": [{"answer": "Leeds or York", "why": "It names two."}, {"answer": "LEEDS.", "why": "Shouting."}],
    "right": [{"answer": "Leeds", "why": "The hub."}, {"answer": "The hub is in Leeds"}],
}


@pytest.fixture
def connection(team, model_server, local_endpoints):
    priced = {"name": "small", "input_per_million": 1.0, "output_per_million": 2.0}
    return make_connection(team, model_server, model_list=[priced, {"name": "free"}], max_retries=0)


@pytest.fixture
def case(team, author):
    loose = {"says": ("contains", *TIDY[1:])}
    pack = import_pack(team, author, challenge(loose, ["Leeds", "York"]), "planted.yaml")
    return pack.cases.order_by("position").select_related("pack__team", "input_set").first()


def asked(case, connection, author, model="small"):
    job = start_suggesting(case, connection.pk, model, author)
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def test_a_model_suggests_answers_and_the_graders_say_what_they_make_of_them(case, connection, author, model_server):
    model_server.reply(json.dumps(REPLY))
    job = asked(case, connection, author)
    assert job.status == JobStatus.COMPLETED, job.error
    found = {row.text: row for row in Suggestion.objects.filter(node=case.pk)}
    assert {text: (row.kind, row.verdict, row.is_doubtful) for text, row in found.items()} == {
        "Leeds": ("right", "passed", False),
        "The hub is in Leeds": ("right", "passed", False),
        "Leeds or York": ("wrong", "passed", True),
        "LEEDS.": ("wrong", "failed", False),
    }
    assert found["Leeds or York"].why == "It names two."
    assert found["LEEDS."].reason.startswith("says:")
    # The reference is this very answer.
    assert [text for text, row in found.items() if row.known == "right"] == ["Leeds"]
    assert (job.outcome["suggestions"], job.outcome["doubtful"], job.outcome["tokens"]) == (4, 1, 10)
    assert file_content(case.pack, PROOF_FILE) is None
    [event] = AuditEvent.objects.filter(kind="probes.suggested")
    assert event.actor_name == author.username
    [request] = model_server.requests
    assert "Number 1" in request["messages"][1]["content"]
    assert asked(case, connection, author).outcome["suggestions"] == 4
    assert Suggestion.objects.count() == 4


def test_only_what_a_person_confirms_becomes_a_probe(case, connection, author, model_server):
    model_server.reply(json.dumps(REPLY))
    asked(case, connection, author)
    for text, decision in (("Leeds or York", "wrong"), ("The hub is in Leeds", "right"), ("LEEDS.", "dismiss")):
        decide(Suggestion.objects.get(text=text), case, decision, author)
    notes, _ = read_notes(file_content(case.pack, PROOF_FILE))
    [entry] = notes.document["cases"]
    origin = "suggested by small"
    assert entry["wrong"] == [{"text": "Leeds or York", "origin": origin}]
    assert entry["right"] == [{"text": "The hub is in Leeds", "origin": origin}]
    assert [row.text for row in Suggestion.objects.all()] == ["Leeds"]


def test_an_answer_that_the_author_calls_wrong_is_known(case, connection, author, model_server):
    state_answer(case, "wrong", Work("LEEDS."), author)
    model_server.reply(json.dumps(REPLY))
    asked(case, connection, author)
    assert Suggestion.objects.get(text="LEEDS.").known == "wrong"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (trouble(429, "You exceeded your current quota.", code="insufficient_quota"), "The model gave no answer"),
        (trouble(500), "The model gave no answer"),
        (Answer(raw=b"<html>Sign in</html>", headers={"Content-Type": "text/html"}), "The model gave no answer"),
        ("", "empty reply"),
        ("I cannot help with that.", "something else than JSON"),
        ('{"wrong": [{"answer": 3}]}', "Entry 1 of wrong"),
    ],
)
def test_a_model_that_gives_nothing_useful_fails_the_job_with_why(case, connection, author, model_server, answer, said):
    model_server.script([answer])
    job = asked(case, connection, author)
    assert (job.status, Suggestion.objects.count()) == (JobStatus.REFUSED, 0)
    assert said in job.error


def test_offers_say_what_asking_takes_before_anybody_is_asked(case, connection, model_server):
    small, free = offers_for(case)
    assert (small.model, small.estimate.calls) == ("small", 1)
    assert small.estimate.tokens > 1_500
    assert small.estimate.cost_usd > 0
    assert (free.model, free.estimate.cost_usd) == ("free", None)
    assert model_server.requests == []


def test_a_model_that_no_connection_lists_is_not_asked(case, connection, author):
    with pytest.raises(EditRefused) as refused:
        start_suggesting(case, connection.pk, "large", author)
    assert refused.value.code == "unknown_model"


def test_who_may_not_run_any_more_asks_nobody(case, connection, author, model_server):
    job = start_suggesting(case, connection.pk, "small", author)
    Membership.objects.filter(user=author).update(role="viewer")
    execute_job(job.pk)
    job.refresh_from_db()
    assert (job.status, model_server.requests) == (JobStatus.REFUSED, [])


def lost_at(job, name, monkeypatch):
    """Have the worker of a job die where it calls a function."""

    def die(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(name, die)
        with pytest.raises(KeyboardInterrupt):
            execute_job(job.pk)
    job.refresh_from_db()


def begun_anew(job):
    Job.objects.filter(pk=job.pk).update(status=JobStatus.QUEUED)
    execute_job(job.pk)
    job.refresh_from_db()


def test_a_job_that_is_lost_after_the_reply_goes_on_with_it(case, connection, author, model_server, monkeypatch):
    model_server.reply(json.dumps(REPLY))
    job = start_suggesting(case, connection.pk, "small", author)
    lost_at(job, "runs.jobs.suggesting.read_reply", monkeypatch)
    begun_anew(job)
    assert (job.status, len(model_server.requests)) == (JobStatus.COMPLETED, 1)
    assert (job.outcome["suggestions"], job.outcome["tokens"]) == (4, 10)


def test_a_job_that_is_lost_while_the_model_replies_asks_no_second_time(
    case, connection, author, model_server, monkeypatch
):
    job = start_suggesting(case, connection.pk, "small", author)
    lost_at(job, "runs.jobs.suggesting.open_endpoint", monkeypatch)
    # Until the model cannot reply any more, nobody takes it for lost.
    assert job.touched_at - now() > timedelta(seconds=connection.timeout_seconds - 60)
    begun_anew(job)
    assert (job.status, job.outcome, model_server.requests) == (JobStatus.REFUSED, {"code": "not_answered"}, [])


def test_suggestions_go_with_their_case(case, connection, author, model_server):
    model_server.reply(json.dumps(REPLY))
    asked(case, connection, author)
    other = case.pack.cases.exclude(pk=case.pk).get()
    remove_node(case.pack, NodeKind.CASE, case.pk, author)
    execute_job(start_proving(case.pack, author).pk)
    assert Suggestion.objects.count() == 0
    assert asked(other, connection, author).outcome["suggestions"] == 4
