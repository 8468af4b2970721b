import json

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from packs.formats.traces import check_trace
from runs.models import Event, Run, Trial, TrialRecord
from runs.replay.trajectories.traces import tools_hash
from runs.results import tracing
from runs.results.exporting import EXPORTS
from runs.results.tracing import trial_record, trial_trace
from tests.runs.failing import WRONG, failing_run, publish_suite, task

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(team, author):
    version = publish_suite(team, author, task("parcel_1"))
    return Trial.objects.filter(run=failing_run(team, author, version, trials=1)).order_by("pk")[0]


def test_the_trace_of_a_trial_keeps_to_the_format(trial):
    trace = trial_trace(trial)
    assert list(check_trace(trace)) == []
    assert json.loads(orjson.dumps(trace)) == trace


def test_a_trace_tells_calls_tokens_and_turns_in_order(trial):
    trace = trial_trace(trial)
    told = [(step["kind"], step["turn"], step.get("tool_result_status")) for step in trace["steps"]]
    assert told == [("model", 1, None), ("tool", 1, "error"), ("tool", 2, "ok")]
    assert (trace["tokens_in"], trace["tokens_out"], trace["latency_ms"]) == (120, 8, 450)
    assert (trace["tool_call_count"], trace["model_id"]) == (2, "numbat-1")


def test_a_trace_says_how_the_trial_ended(trial):
    assert trial_trace(trial)["termination"] == "agent_finished"
    assert trial_trace(trial)["outcome"]["success"] is False
    for status, fault, reason, told in [
        ("failed", "agent", "step_limit", "budget_exceeded"),
        ("failed", "agent", "provider_error", "agent_error"),
        ("error", "machine", "observer_error", "infra_error"),
        ("cancelled", "", "cancelled", "cancelled"),
    ]:
        trial.status, trial.fault, trial.stop_reason = status, fault, reason
        assert trial_trace(trial)["termination"] == told


def test_an_imported_record_goes_out_with_what_people_said_since(trial):
    came = {"grader": "human_review", "score": 2.0}
    TrialRecord.objects.create(trial=trial, record={"trace": trial_trace(trial), "evidence": {"human": [came], "x": 1}})
    assert trial_record(trial)["evidence"] == {"human": [came], "x": 1}
    said = {"grader": "human_review", "score": 4.0, "reviewer": "ada"}
    place = trial.event_count + 1
    Event.objects.create(
        trial=trial,
        sequence=place,
        event_type="grader.review.recorded",
        source="grader_verification",
        occurred_at=timezone.now(),
        payload={"validator_key": "human_review", "human": [said]},
    )
    assert trial_record(trial)["evidence"] == {"human": [came, said], "x": 1}
    TrialRecord.objects.filter(trial=trial).update(record=trial_trace(trial))
    assert trial_record(Trial.objects.get(pk=trial.pk))["evidence"] == {"human": [said]}


def test_handing_in_the_answer_is_no_call_of_a_trace(team, author):
    submit = {"type": "tool.call.completed", "payload": {"tool_name": "submit", "arguments": {"answer": "x"}}}
    version = publish_suite(team, author, task("parcel_1"), slug="other")
    run = failing_run(team, author, version, {**WRONG, "events": [*WRONG["events"], submit]}, trials=1)
    assert trial_trace(run.trials.get())["tool_call_count"] == 2


def test_the_digest_of_tools_is_that_of_the_list(trial):
    assert trial_trace(trial)["tool_allowlist_hash"] == tools_hash(["lookup"])


def test_a_record_holds_the_trace_the_verdict_and_what_graders_said(trial):
    record = trial_record(trial)
    assert (record["task_id"], record["trial_index"], record["state"]) == ("parcel_1", 1, "failed")
    assert record["trace"] == trial_trace(trial)
    assert record["output"] == WRONG["output"]
    assert [(grade["type"], grade["status"], grade["passed"]) for grade in record["graders"]] == [
        ("string_match", "ok", False)
    ]
    assert record["usage"]["steps"] == 2


def test_an_imported_trial_is_told_as_it_came(trial):
    trace = {**trial_trace(trial), "run_id": "elsewhere-7", "x-note": "kept"}
    TrialRecord.objects.create(trial=trial, record={"trace": trace, "evidence": {"facts": {"a": 1}}})
    assert trial_trace(trial) == trace
    record = trial_record(trial)
    assert record["trace"] == trace
    assert record["evidence"] == {"facts": {"a": 1}}
    assert record["state"] == "failed"


def test_a_trace_that_came_alone_gets_a_record_around_it(trial):
    trace = trial_trace(trial)
    TrialRecord.objects.create(trial=trial, record=trace)
    assert trial_record(trial)["trace"] == trace


def test_a_run_is_told_one_record_a_line(trial):
    write, media = EXPORTS["traces"]
    lines = b"".join(write(trial.run)).splitlines()
    assert media == "application/x-ndjson"
    assert [orjson.loads(line)["trial_index"] for line in lines] == [1]


@pytest.mark.parametrize("kind", ["traces", "agentv"])
def test_a_run_of_many_trials_is_told_with_as_many_queries_as_one_of_few(team, author, kind):
    version = publish_suite(team, author, task("parcel_1"))
    runs = [failing_run(team, author, version, trials=count) for count in (3, 30)]
    counts = []
    for run in runs:
        with CaptureQueriesContext(connection) as queries:
            b"".join(EXPORTS[kind][0](Run.objects.get(pk=run.pk)))
        counts.append(len(queries))
    assert counts[1] <= counts[0]


def test_trials_with_many_events_are_not_held_all_at_once(monkeypatch):
    monkeypatch.setattr(tracing, "MOST_EVENTS", 5)
    trials = [Trial(number=number, event_count=count) for number, count in enumerate((2, 2, 9, 1, 4, 1))]
    found = [[one.number for one in batch] for batch in tracing.batches(trials)]
    assert found == [[0, 1], [2], [3, 4], [5]]


def test_a_record_says_how_long_it_took_and_what_cut_the_answer_short(trial):
    trial.seconds, trial.finish_reason = 4.5, "length"
    record = trial_record(trial)
    assert (record["usage"]["wall_time_seconds"], record["finish_reason"]) == (4.5, "length")
    trial.seconds, trial.finish_reason = None, ""
    record = trial_record(trial)
    assert ("wall_time_seconds" in record["usage"], "finish_reason" in record) == (False, False)


def test_a_trace_names_the_model_that_was_asked_else_the_configured_one_else_the_kind(trial):
    assert trial_trace(trial, until=1)["model_id"] == trial.run_agent.kind
    trial.run_agent.config = {"model": "configured"}
    assert trial_trace(trial, until=1)["model_id"] == "configured"
    assert trial_trace(trial)["model_id"] == "numbat-1"


def test_flags_that_graders_raised_are_told_once_after_those_that_came(trial):
    flags = [{"kind": "leak", "severity": "violation"}]
    trial.scorecard = {"validator_details": [{"evidence": {"flags": flags}}, {"evidence": {"flags": flags}}, {}]}
    assert [flag["kind"] for flag in trial_trace(trial)["outcome"]["safety_flags"]] == ["leak"]
