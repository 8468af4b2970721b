from statistics import fmean

import pytest

from runs.models import Trial
from runs.results.charts import charts_of
from runs.statistics.distributions import counted, steps
from runs.statistics.estimates import wilson
from tests.runs.noise import noisy_run

pytestmark = pytest.mark.django_db
JUDGED = ("passed", "failed")


@pytest.fixture
def run(team, author, version):
    return noisy_run(team, author, version)


def charts(run):
    return {chart.key: chart for chart in charts_of(run)}


def records(chart):
    return [dict(zip([column.key for column in chart.columns], row, strict=True)) for row in chart.rows]


def trials_of(run):
    """The trials of each agent by its name, read row by row."""
    found = {}
    for trial in Trial.objects.filter(run=run).select_related("run_agent").order_by("run_agent__position"):
        found.setdefault(trial.run_agent.name, []).append(trial)
    return found


def test_pass_rates_are_those_of_the_trials(run):
    for row, (name, trials) in zip(records(charts(run)["pass-rates"]), trials_of(run).items(), strict=True):
        passed = sum(trial.status == "passed" for trial in trials)
        judged = sum(trial.status in JUDGED for trial in trials)
        assert (row["label"], row["passed"], row["judged"], row["planned"]) == (name, passed, judged, len(trials))
        assert row["value"] == passed / judged
        assert (row["low"], row["high"]) == wilson(passed, judged)


def test_scores_have_an_interval_over_cases(run):
    for row, (name, trials) in zip(records(charts(run)["scores"]), trials_of(run).items(), strict=True):
        scores = [trial.score for trial in trials if trial.score is not None]
        assert (row["label"], row["trials"], row["cases"]) == (name, len(scores), 3)
        assert row["value"] == pytest.approx(fmean(scores))
        assert 0 <= row["low"] <= row["value"] <= row["high"] <= 1


@pytest.mark.parametrize("field", ["seconds", "cost_usd", "total_tokens"])
def test_the_spread_counts_every_trial_that_says_something_once(run, field):
    rows = records(charts(run)[field])
    all_values = [
        getattr(trial, field) for trials in trials_of(run).values() for trial in trials if trial.status != "error"
    ]
    found = steps(min(all_values), max(all_values))
    assert [(row["from"], row["to"]) for row in rows] == found.edges
    for position, trials in enumerate(trials_of(run).values()):
        values = [getattr(trial, field) for trial in trials if trial.status != "error"]
        assert [row[f"agent-{position}"] for row in rows] == counted(found, values)


def test_cost_stands_against_quality_and_time_where_no_cost_is_known(run):
    rows = records(charts(run)["tradeoff"])
    best = max(rows, key=lambda row: row["quality"])
    assert best["front"] == "yes"
    assert min(rows, key=lambda row: row["cost"])["front"] == "yes"
    Trial.objects.filter(run=run).update(cost_usd=None)
    assert charts(run)["tradeoff"].title == "Time and quality"
    assert "cost_usd" not in charts(run)


def test_one_agent_is_not_weighed_against_itself(team, author, version):
    assert "tradeoff" not in charts(noisy_run(team, author, version, agents=1))


def test_a_run_without_verdicts_has_no_charts(run):
    Trial.objects.filter(run=run).update(status="queued", score=None)
    assert charts(run) == {}


def test_the_number_of_queries_does_not_grow_with_the_run(team, author, version, django_assert_max_num_queries):
    run = noisy_run(team, author, version, agents=4, trials=8)
    with django_assert_max_num_queries(11):
        charts_of(run)
