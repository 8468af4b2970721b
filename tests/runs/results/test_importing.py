import io
import threading
import zipfile
from importlib import import_module

import orjson
import pytest
from django.apps import apps
from django.db import connection
from django.urls import reverse

from packs.access import Role
from runs.bin import delete, purge
from runs.launch.launching import add_trials
from runs.launch.refusals import LaunchRefused
from runs.models import RecordUpload, Run, Trial, TrialPlan
from runs.results.exporting import EXPORTS
from runs.results.importing import NoSuchUpload, Wish, confirm, import_records, look, read_records, wait
from runs.results.importing.reading import TOO_MANY
from runs.results.importing.writing import ImportRefused
from runs.results.playback import transcript
from runs.results.tracing import trial_record, trial_trace
from tests.people import make_member
from tests.runs.failing import failing_run, publish_suite, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

HASH = "sha256:" + "0" * 64
STEP = {
    "timestamp": "2026-02-11T09:14:02Z",
    "turn": 1,
    "kind": "tool",
    "tool_name": "lookup",
    "tool_args": {"id": "P-1"},
    "tool_result_status": "ok",
    "retries": 0,
    "tokens_in": 100,
    "tokens_out": 10,
    "latency_ms": 300,
    "text": "It is in Leeds.",
}
TRACE = {
    "run_id": "elsewhere-1",
    "agent_version": "finder 2",
    "model_id": "numbat-1",
    "prompt_hash": HASH,
    "tool_allowlist_hash": HASH,
    "steps": [STEP],
    "tokens_in": 100,
    "tokens_out": 10,
    "latency_ms": 300,
    "tool_call_count": 1,
    "outcome": {"success": True, "safety_flags": []},
}


def record(task_id="parcel_1", index=1, **trace):
    return {"task_id": task_id, "trial_index": index, "trace": {**TRACE, **trace}}


def lines(*values):
    return b"".join(orjson.dumps(value) + b"\n" for value in values)


@pytest.fixture
def version(team, author):
    replay = task("incident-2026-02-11_lost_1", "failure_replays")
    replay["inputs"]["incident_trace_ref"] = "elsewhere-9"
    return publish_suite(team, author, task("parcel_1", trials={"k": 2}), task("parcel_2"), replay)


def looked(version, data, name="records.jsonl", **wish):
    return look(version, read_records(name, data), Wish(**wish))


def codes(found):
    return sorted({finding.code for finding in found.findings if finding.is_error})


def test_records_become_the_trials_of_a_run_that_workers_grade(version, author):
    lost = record(index=2, run_id="elsewhere-2", steps=[{**STEP, "text": "It is lost."}])
    run = import_records(looked(version, lines(record(), lost)), author)
    work_off(run)
    trials = list(Trial.objects.filter(run=run).order_by("number"))
    assert [(trial.case_key, trial.number, trial.status) for trial in trials] == [
        ("parcel_1", 1, "passed"),
        ("parcel_1", 2, "failed"),
    ]
    assert [entry.name for entry in run.agents.all()] == ["finder 2 (numbat-1)"]
    assert (run.trials_per_case, run.trial_count) == (2, 2)


def shown(client, trial):
    """The times that the replay of a trial shows beside its steps, and the headlines of these."""
    rows = client.get(reverse("runs:replay", args=[trial.pk]), {"types": "all"}).context["rows"]
    return [row["offset"] for row in rows], [row["done"] for row in rows]


def test_times_are_those_of_the_place_where_the_trial_took_place(version, author, as_author):
    told = {**STEP, "timestamp": "2026-02-11T10:20:43Z", "turn": 2}
    run = work_off(import_records(looked(version, lines(record(steps=[STEP, told]))), author))
    trial = run.trials.get()
    assert trial.seconds == 4001
    assert "1 h 6 min" in as_author.get(reverse("runs:trial", args=[trial.pk])).content.decode()
    offsets, headlines = shown(as_author, trial)
    known = [offset for offset in offsets if offset is not None]
    assert (known[0], max(known)) == (0, 4001)
    # What is done here with the trial has no place in its time.
    assert offsets[-1] is None
    assert not [headline for headline in headlines if "interrupted" in headline]
    step = as_author.get(reverse("runs:replay", args=[trial.pk]), {"step": headlines.index("Agent step 2") + 1})
    assert "4,001.000 s after the start" in step.content.decode()


def test_trials_of_before_get_the_time_that_their_events_tell(version, author):
    told = {**STEP, "timestamp": "2026-02-11T10:20:43Z", "turn": 2}
    run = work_off(import_records(looked(version, lines(record(steps=[STEP, told]))), author))
    run.trials.update(seconds=None)
    import_module("runs.migrations.0023_fill_trial_seconds").fill(apps, None)
    assert run.trials.get().seconds == 4001


def test_a_trial_whose_times_nobody_told_has_no_duration(version, author, as_author):
    nothing = {"steps": [], "tokens_in": 0, "tokens_out": 0, "latency_ms": 0, "tool_call_count": 0}
    told = {**record(**nothing), "output": "It is in Leeds."}
    trial = work_off(import_records(looked(version, lines(told)), author)).trials.get()
    assert trial.seconds is None
    assert set(shown(as_author, trial)[0]) == {None}
    assert "wall_time_seconds" not in trial_record(trial).get("usage", {})


def test_several_trials_become_one_verdict_as_the_pack_says(version, author):
    run = import_records(looked(version, lines(record(), record(index=2, run_id="b"))), author)
    assert [(plan.case.key, plan.count, plan.rule) for plan in TrialPlan.objects.filter(run=run)] == [
        ("parcel_1", 2, "pass^k")
    ]


def test_what_is_exported_can_be_imported_and_is_the_same_trace(version, author):
    run = work_off(import_records(looked(version, lines(record())), author))
    [line] = b"".join(EXPORTS["traces"][0](run)).splitlines()
    assert orjson.loads(line)["trace"] == record()["trace"]
    again = work_off(import_records(looked(version, line), author))
    assert trial_trace(again.trials.get()) == record()["trace"]


def test_a_trial_of_ours_comes_back_with_its_trace_and_verdict(team, author, version):
    ours = failing_run(team, author, version, trials=1, input_set="golden")
    trial = Trial.objects.filter(run=ours).select_related("run__version__pack", "run_agent", "case")[0]
    told = trial_record(trial)
    back = work_off(import_records(looked(version, orjson.dumps(told), "trial.json"), author)).trials.get()
    assert trial_trace(back) == told["trace"]
    assert (back.status, back.final_output) == (trial.status, trial.final_output)
    assert transcript(back) == []


def test_records_of_a_run_that_was_deleted_become_a_run_of_their_own(version, author, administrator):
    gone = work_off(import_records(looked(version, lines(record())), author))
    exported = b"".join(EXPORTS["traces"][0](gone))
    delete(gone, administrator)
    back = work_off(import_records(looked(version, exported), author))
    assert trial_trace(back.trials.get()) == record()["trace"]
    purge(Run._base_manager.get(pk=gone.pk), administrator)
    assert list(Run._base_manager.all()) == [back]


def test_a_run_over_several_suites_holds_them_all(version, author):
    found = looked(version, lines(record(), record("incident-2026-02-11_lost_1")))
    run = import_records(found, author)
    assert (run.input_set, run.selection, run.trial_count) == (None, "all", 2)


def test_a_trace_belongs_to_the_case_that_tells_of_it(version):
    [planned] = looked(version, lines({**TRACE, "run_id": "elsewhere-9"})).planned
    assert planned.case.key == "incident-2026-02-11_lost_1"


def test_a_trace_without_a_case_belongs_to_the_one_that_was_said(version):
    assert codes(looked(version, lines(TRACE))) == ["traces.E002"]
    [planned] = looked(version, lines(TRACE), case="parcel_2").planned
    assert planned.case.key == "parcel_2"


def test_json_lines_lists_and_archives_are_read(version):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("one.json", orjson.dumps(record()))
        out.writestr("more/two.jsonl", lines(record("parcel_2")))
    for name, data, count in [
        ("one.json", orjson.dumps(record()), 1),
        ("list.json", orjson.dumps([record(), record("parcel_2")]), 2),
        ("named.json", orjson.dumps({"trials": [record(), record("parcel_2")]}), 2),
        ("lines.txt", lines(record(), record("parcel_2")), 2),
        ("all.zip", archive.getvalue(), 2),
    ]:
        found = looked(version, data, name)
        assert (len(found.planned), codes(found)) == (count, []), name


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "traces.E006"),
        (b"[]", "traces.E001"),
        (b'{"a": 1}', "traces.E001"),
        (lines(record("nobody")), "traces.E003"),
        (lines(record(), record()), "traces.E005"),
        (lines(record(prompt_hash="sha256:x")), "task_suite.E706"),
        (lines(record(steps=[{**STEP, "tool_result_status": "fine"}])), "task_suite.E705"),
        (b"{" * 100_000, None),
        (b"\xff\x00\x01", None),
    ],
)
def test_nothing_is_written_where_something_is_wrong(version, author, data, code):
    found = looked(version, data)
    assert codes(found)
    assert code is None or codes(found) == [code]
    with pytest.raises(ImportRefused):
        import_records(found, author)
    assert not Run.objects.exists()


def test_a_finding_names_the_line(version):
    found = looked(version, lines(record(), record("nobody")))
    assert [(finding.file, finding.line) for finding in found.findings] == [("records.jsonl", 2)]


def test_a_format_whose_runs_take_one_set_refuses_records_of_several(sets_version, author):
    several = [record("case-0000"), record("case-0001")]
    assert "traces.E004" in codes(looked(sets_version, lines(*several)))


def test_what_was_looked_at_waits_for_its_user_and_is_imported_once(version, author, team):
    token = str(wait(version, author, "records.jsonl", lines(record()), Wish(name="Last night")).token)
    with pytest.raises(NoSuchUpload):
        confirm(make_member(team, Role.CURATOR), token)
    assert confirm(author, token).name == "Last night"
    for gone in (token, "x", ""):
        with pytest.raises(NoSuchUpload):
            confirm(author, gone)
    assert not RecordUpload.objects.exists()


def test_what_cannot_be_imported_goes_on_waiting(version, author):
    token = str(wait(version, author, "records.jsonl", lines(record("nobody")), Wish()).token)
    with pytest.raises(ImportRefused):
        confirm(author, token)
    assert RecordUpload.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_confirms_twice_at_once_gets_one_run(version, author):
    token = str(wait(version, author, "records.jsonl", lines(record()), Wish()).token)
    ready, refused = threading.Barrier(2), []

    def press():
        ready.wait()
        try:
            confirm(author, token)
        except NoSuchUpload:
            refused.append(token)
        finally:
            connection.close()

    presses = [threading.Thread(target=press) for _ in range(2)]
    for thread in presses:
        thread.start()
    for thread in presses:
        thread.join()
    assert (Run.objects.count(), len(refused)) == (1, 1)


def test_names_that_no_database_takes_are_made_storable(version, author):
    odd = record(agent_version="bad\0name", model_id="m" * 300)
    run = import_records(looked(version, lines(odd), name="A\0B"), author)
    assert "\0" not in run.name + run.agents.get().name
    assert len(run.agents.get().name) <= 120


def test_who_may_not_run_a_pack_imports_nothing(version, stranger):
    with pytest.raises(LaunchRefused):
        import_records(looked(version, lines(record())), stranger)


def test_trials_of_elsewhere_cannot_be_made_once_more(version, author, as_author):
    run = work_off(import_records(looked(version, lines(record())), author))
    with pytest.raises(LaunchRefused) as refused:
        add_trials(run, 1)
    assert refused.value.code == "run_is_imported"
    page = as_author.get(reverse("runs:show", args=[run.pk])).content.decode()
    assert reverse("runs:again", args=[run.pk]) not in page
    assert reverse("runs:import") in page


def test_no_more_records_are_taken_than_one_upload_may_hold(monkeypatch):
    monkeypatch.setattr("runs.results.importing.reading.MAX_RECORDS", 2)
    line = orjson.dumps({"task_id": "one", **TRACE}) + b"\n"
    assert [row.code for row in read_records("two.jsonl", line * 2).findings] == []
    assert [row.code for row in read_records("three.jsonl", line * 3).findings] == [TOO_MANY.code]
