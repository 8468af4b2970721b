import pytest
from django.urls import reverse

from tests.runs.failing import failing_run, publish_suite, task

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author):
    return failing_run(team, author, publish_suite(team, author, task("parcel_1"), task("parcel_2")), trials=1)


def page(client, run, query=""):
    return client.get(reverse("runs:metrics", args=[run.pk]) + query)


def test_metrics_of_all_agents_stand_side_by_side_with_their_definitions(as_author, run):
    answer = page(as_author, run)
    rows = answer.context["metrics"]
    assert {"success", "tool_call_count", "tool_error_rate"} <= {row["name"] for row in rows}
    assert all(row["measure"].definition for row in rows)
    assert {len(row["cells"]) for row in rows} == {len(answer.context["agents"])}


def test_one_metric_is_drawn_from_a_table_and_shown_by_case(as_author, run):
    answer = page(as_author, run, "?metric=tool_call_count")
    assert [row["name"] for row in answer.context["by_case"]] == ["parcel_1", "parcel_2"]
    chart = answer.context["drawn"].chart
    assert (chart.drawing, chart.rows) == ("kinds", (("2", 2),))
    assert b'id="chart-metric"' in answer.content
    assert page(as_author, run, "?metric=success").context["drawn"].chart.drawing == "kinds"


def test_a_metric_that_is_not_there_gives_way_to_the_score(as_author, run):
    assert page(as_author, run, "?metric=none").context["metric"] == "score"


def test_a_trial_shows_what_was_measured_of_it(as_author, run):
    tracked = as_author.get(reverse("runs:trial", args=[run.trials.first().pk])).context["tracked"]
    assert [(metric["name"], metric["value"]) for metric in tracked] == [
        ("tool_call_count", "2"),
        ("tool_error_rate", "0.5"),
    ]


def test_a_stranger_finds_no_metrics(as_stranger, run):
    assert page(as_stranger, run).status_code == 404
