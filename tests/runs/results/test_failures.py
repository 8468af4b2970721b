import pytest

from packs.formats.provenance import find_provenance
from packs.models import Case, Edit, InputSet
from runs.models import Trial
from runs.results.failures import (
    draft,
    duplicates_of,
    failure_of,
    find_place,
    keep,
    places_of,
    worded,
    wording_in,
    wording_of,
)
from runs.results.failures.wording import Wording
from tests.runs.failing import failing_run, publish_suite, task

pytestmark = pytest.mark.django_db


def first(run):
    related = ("run__version__pack", "run_agent", "case__input_set")
    return Trial.objects.filter(run=run).select_related(*related).order_by("pk")[0]


@pytest.fixture
def trial(team, author, version):
    return first(failing_run(team, author, version))


@pytest.fixture
def suite(team, author):
    return publish_suite(team, author, task("parcel_1", trials={"k": 1}))


@pytest.fixture
def task_trial(team, author, suite):
    return first(failing_run(team, author, suite, trials=1))


def kept(trial, pack, author, **words):
    failure = failure_of(trial)
    failure = worded(failure, Wording(**{**vars_of(wording_of(failure)), **words}))
    return keep(pack, find_place(places_of(pack)), failure, author)


def vars_of(wording):
    return {name: getattr(wording, name) for name in ("title", "key", "request", "expected", "forbidden")}


def test_a_failure_tells_what_was_asked_what_was_expected_and_where_it_comes_from(trial):
    failure = failure_of(trial)
    assert failure.request == "Where is hub0?"
    assert failure.expected == ("hub",)
    facts = failure.facts
    assert (facts["run"], facts["trial"], facts["version"]) == (trial.run_id, trial.pk, "parcels@1")
    assert facts["digest"] == trial.run.version.digest


def test_a_step_of_the_replay_cuts_the_trace(trial):
    whole, cut = failure_of(trial), failure_of(trial, 4)
    assert len(cut.trace["steps"]) < len(whole.trace["steps"])
    assert cut.facts["step"] == 4
    assert failure_of(trial, 4000).trace["steps"] == whole.trace["steps"]


def test_a_failure_shows_what_the_agent_did_wrong(trial):
    assert "retry" in failure_of(trial).signs
    statuses = [step["tool_result_status"] for step in failure_of(trial).trace["steps"] if step["kind"] == "tool"]
    assert statuses == ["error", "ok"]


def test_a_case_goes_into_the_draft_as_an_edit_that_can_be_undone(trial, author):
    pack = trial.run.version.pack
    row = kept(trial, pack, author)
    assert (row.input_set.key, row.key) == ("default", "case-0000-replay-1")
    assert row.document["inputs"] == trial.case.document["inputs"]
    edit = Edit.objects.filter(pack=pack).latest("pk")
    assert (edit.author, edit.label) == (author, f"Make a case of trial {trial.pk}")


def test_a_suite_gets_its_set_of_failures_with_the_first_one(task_trial, author):
    pack = task_trial.run.version.pack
    assert [(place.pk, place.key) for place in places_of(pack)] == [(0, "failure_replays")]
    row = kept(task_trial, pack, author)
    assert row.input_set.key == "failure_replays"
    assert row.error_count == 0
    assert [place.pk for place in places_of(pack)] == [row.input_set_id]
    assert InputSet.objects.filter(pack=pack, key="failure_replays").count() == 1


def test_a_replay_is_graded_as_the_task_that_failed(task_trial, author):
    document = kept(task_trial, task_trial.run.version.pack, author).document
    assert {"type": "string_match", "patterns": ["Leeds"]} in document["graders"]
    assert document["inputs"]["flaky_tool"] == "lookup"
    assert document["inputs"]["incident_trace_ref"] == f"run-{task_trial.run_id}-trial-{task_trial.pk}"


def test_a_failure_of_one_format_becomes_a_case_of_another(task_trial, trial, author):
    challenge = kept(task_trial, trial.run.version.pack, author, request="Where is it?", expected="Leeds")
    assert challenge.document["inputs"] == [{"key": "parcel", "kind": "text", "value": "Where is it?"}]
    replay = kept(trial, task_trial.run.version.pack, author)
    assert replay.document["inputs"]["user_message"] == "Where is hub0?"
    assert find_provenance(replay.document)[1]["trial"] == trial.pk


def test_words_that_an_author_changed_are_what_the_case_says(trial, author):
    row = kept(trial, trial.run.version.pack, author, key="mine", request="And now?\r\nTell me.", expected="Leeds")
    assert row.key == "mine"
    assert row.document["inputs"][0]["value"] == "And now?\nTell me."
    assert row.document["expectations"][0]["value"] == "Leeds"


def test_words_that_were_not_sent_are_those_of_the_trial(trial):
    failure = failure_of(trial)
    words = wording_in({"title": "", "expected": ["hub", "pier"], "pack": 3}, failure)
    assert (words.title, words.expected, words.request) == ("", "hub\npier", failure.request)


def test_a_second_case_of_a_trial_is_a_duplicate(trial, author):
    pack = trial.run.version.pack
    failure = failure_of(trial)
    place = find_place(places_of(pack))
    before = duplicates_of(pack, draft(pack, place, failure).document, failure)
    assert [found for found in before if not found.is_source] == []
    row = keep(pack, place, failure, author)
    [found] = duplicates_of(pack, draft(pack, place, failure).document, failure)
    assert (found.case, found.reason) == (row, "same_trace")


def test_a_case_that_asks_the_same_is_a_duplicate_unless_it_is_the_one_that_failed(task_trial, author, team):
    pack = task_trial.run.version.pack
    failure = failure_of(task_trial)
    place = find_place(places_of(pack))
    [found] = duplicates_of(pack, draft(pack, place, failure).document, failure)
    assert (found.case.key, found.is_source) == ("parcel_1", True)
    Case.objects.filter(pk=found.case.pk).update(key="another")
    [found] = duplicates_of(pack, draft(pack, place, failure).document, failure)
    assert (found.reason, found.is_source) == ("same_text", False)


def test_a_place_of_another_draft_is_none(trial):
    assert find_place(places_of(trial.run.version.pack), 10**9) is None


def test_a_trial_without_a_case_becomes_one(team, author, bare_version):
    trial = first(failing_run(team, author, bare_version))
    row = kept(trial, bare_version.pack, author, expected="hub")
    assert (row.challenge_key, row.error_count) == ("locate", 0)


def test_a_trial_of_which_nothing_was_recorded_becomes_a_case(trial, author):
    trial.events.all().delete()
    Trial.objects.filter(pk=trial.pk).update(status="error", fault="machine", error="The disk is full.")
    trial.refresh_from_db()
    failure = failure_of(trial, 3)
    assert (failure.trace["steps"], failure.trace["termination"]) == ([], "infra_error")
    assert kept(trial, trial.run.version.pack, author).error_count == 0


def test_a_very_long_request_is_looked_for_as_well(trial, version, author):
    kept(trial, version.pack, author, request="Where is it? " * 5_000)
    failure = failure_of(trial)
    failure = worded(failure, Wording(**{**vars_of(wording_of(failure)), "request": "Where is it? " * 5_000}))
    place = find_place(places_of(version.pack))
    found = duplicates_of(version.pack, draft(version.pack, place, failure).document, failure)
    assert [each.reason for each in found] != []
