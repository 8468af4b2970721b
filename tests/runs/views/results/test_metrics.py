import pytest
from django.urls import reverse

from runs.views.results.metrics import in_digits
from tests.runs.failing import failing_run, publish_suite, task

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author):
    return failing_run(team, author, publish_suite(team, author, task("parcel_1"), task("parcel_2")), trials=1)


def page(client, run, query=""):
    return client.get(reverse("runs:metrics", args=[run.pk]) + query)


def test_metrics_stand_with_their_definitions_and_a_drawing_that_can_be_read_aloud(as_author, run):
    answer = page(as_author, run)
    text = answer.content.decode()
    names = [drawn.measure.name for drawn in answer.context["metrics"]]
    assert {"success", "tool_call_count", "tool_error_rate"} <= set(names)
    assert 'aria-label="Distribution: 2: 2"' in text
    assert all(drawn.measure.definition for drawn in answer.context["metrics"])


def test_one_metric_is_shown_by_case(as_author, run):
    cases = page(as_author, run, "?metric=tool_call_count").context["by_case"]
    assert [case for case, _ in cases] == ["parcel_1", "parcel_2"]
    assert page(as_author, run, "?metric=none&agent=x").context["by_case"] == []


def test_a_trial_shows_what_was_measured_of_it(as_author, run):
    tracked = as_author.get(reverse("runs:trial", args=[run.trials.first().pk])).context["tracked"]
    assert [(metric["name"], metric["value"]) for metric in tracked] == [
        ("tool_call_count", "2"),
        ("tool_error_rate", "0.5"),
    ]


def test_a_stranger_finds_no_metrics(as_stranger, run):
    assert page(as_stranger, run).status_code == 404


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (None, "–"),
        (0.00024633, "0.000246"),
        (0.41667, "0.417"),
        (999.4, "999"),
        (1234.5, "1,234"),
        (-20_000, "-20,000"),
    ],
)
def test_a_number_has_the_digits_that_tell_something(number, told):
    assert in_digits(number) == told
