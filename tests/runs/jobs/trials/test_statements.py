from datetime import UTC, datetime

import pytest

from runs.jobs.trials.statements import Statements
from runs.launch.launching import launch
from runs.models import Event, Trial, TrialFacts, TrialStatus

pytestmark = pytest.mark.django_db

AT = datetime(2026, 5, 4, 3, 2, 1, 123456, tzinfo=UTC)


@pytest.fixture
def trial(author, version, agents):
    return launch(author, version, [agents["echo"]]).trials.first()


def test_every_kind_of_value_is_found_as_it_was_written(trial):
    payload = {"b": 1, "a": [1.5, None, True, "\u00e9\u0000"], "big": 2**70}
    columns = ("trial_id", "sequence", "event_type", "source", "occurred_at", "payload")
    Statements(Event, *columns).insert([(trial.pk, 1, "100 %s", "native", AT, payload), (trial.pk, 2, "", "x", AT, {})])
    first, second = Event.objects.filter(trial=trial)
    assert (first.sequence, first.event_type, first.source, first.occurred_at) == (1, "100 %s", "native", AT)
    assert (first.payload, list(first.payload)) == (payload, ["b", "a", "big"])
    assert (second.sequence, second.payload) == (2, {})


def test_rows_are_put_in_place_of_those_with_the_same_key(trial):
    facts = Statements(TrialFacts, "trial_id", "ended_at", "latencies", "tools", "violations", "cost_usd")
    facts.put([(trial.pk, AT, [1.0], {"find": 1}, [], None)])
    facts.put([(trial.pk, AT, [2.0], {}, ["leak"], 0.25)])
    row = TrialFacts.objects.get()
    assert (row.latencies, row.tools, row.violations, row.cost_usd) == ([2.0], {}, ["leak"], 0.25)


def test_an_update_changes_its_columns_of_its_rows_and_nothing_else(trial):
    other = Trial.objects.create(run=trial.run, run_agent=trial.run_agent, number=2, case_key="kept", case_position=9)
    Statements(Trial, "status", "score", "finished_at", "id").update([(TrialStatus.PASSED, 0.5, AT, other.pk)])
    trial.refresh_from_db()
    other.refresh_from_db()
    assert (other.status, other.score, other.finished_at, other.case_key) == (TrialStatus.PASSED, 0.5, AT, "kept")
    assert (trial.status, trial.finished_at) == (TrialStatus.QUEUED, None)


def test_nothing_is_done_without_rows(django_assert_num_queries):
    with django_assert_num_queries(0):
        Statements(Event, "trial_id", "sequence").insert([])
