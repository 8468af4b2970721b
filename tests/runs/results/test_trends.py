import pytest

from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from runs.results.trends import (
    NO_SET,
    changes_of,
    charts_of_trend,
    ended_runs,
    newest_runs,
    set_name,
    sets_of,
    trend_of,
)
from runs.statistics.estimates import wilson
from tests.runs.outcomes import run_with
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def history(team, author, version):
    """Two runs of two agents, and one of the next version."""
    first = run_with(team, author, version, {"old": ["p", "f", "e"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    pack = version.pack
    pack.refresh_from_db()
    later = publish(pack, author, number=2)
    second = run_with(team, author, later, {"old": ["f", "p", "p"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    return version.pack, first, second


def runs_of(pack):
    return list(ended_runs(pack))


def test_a_point_has_the_shares_and_the_cost_of_its_trials(history):
    pack, first, second = history
    trend = trend_of(runs_of(pack))
    assert [(point.run, point.agent, point.version) for point in trend.points] == [
        (first.pk, "old", 1),
        (first.pk, "new", 1),
        (second.pk, "old", 2),
        (second.pk, "new", 2),
    ]
    old = trend.points[0]
    assert (old.shares.passed, old.shares.judged, old.shares.planned) == (1, 2, 3)
    assert old.shares.interval == wilson(1, 2)
    # Errors cost as well.
    assert (old.cost_usd, old.cost_per_pass) == (1.5, 1.5)
    assert trend.incomplete == [old]
    assert set(trend.agents) == {"old", "new"}


def test_a_cost_that_is_not_known_of_every_judged_trial_is_not_stated(history):
    pack, first, _ = history
    Trial.objects.filter(run=first, run_agent__name="old", status="failed").update(cost_usd=None)
    points = trend_of(runs_of(pack)).points
    assert points[0].cost_per_pass is None
    assert points[1].cost_per_pass == 0.5
    costs = next(chart for chart in charts_of_trend(trend_of(runs_of(pack))) if chart.key == "cost-over-time")
    assert len(costs.rows) == 3


def test_the_charts_say_what_the_points_say(history):
    trend = trend_of(runs_of(history[0]))
    rates = charts_of_trend(trend)[0]
    keys = [column.key for column in rates.columns]
    rows = [dict(zip(keys, row, strict=True)) for row in rates.rows]
    assert [row["value"] for row in rows] == [point.shares.pass_rate for point in trend.points]
    assert [row["version"] for row in rows] == ["1", "1", "2", "2"]
    assert rows[0]["coverage"] == pytest.approx(2 / 3)


def test_cases_that_changed_are_those_with_another_verdict(history):
    pack, first, second = history
    changes = changes_of(trend_of(runs_of(pack)), "old")
    assert [case.key for case in changes.regressed] == ["case-0000"]
    assert [case.key for case in changes.fixed] == ["case-0001"]
    # The third had no verdict before.
    assert changes.shared == 2
    trials = Trial.objects.filter(case_key="case-0000", run_agent__name="old").order_by("pk")
    assert [changes.regressed[0].before, changes.regressed[0].after] == [trial.pk for trial in trials]
    assert not changes.regressed[0].is_edited
    same = changes_of(trend_of(runs_of(pack)), "new")
    assert (same.regressed, same.fixed, same.shared) == ([], [], 3)


def test_one_run_has_no_changes(team, author, version):
    run_with(team, author, version, {"old": ["p", "f", "e"]})
    assert changes_of(trend_of(runs_of(version.pack)), "old") is None


def test_runs_of_other_cases_are_another_choice(team, author, sets_version):
    agent = Agent.objects.create(team=team, name="a", kind="echo")
    for key in ("small", "large"):
        work_off(launch(author, sets_version, [agent], Options(input_set=key)))
    assert sets_of(runs_of(sets_version.pack)) == ["large", "small"]
    bare = publish_text(team, author, pack_text({}, slug="bare"), "bare")
    assert set_name(work_off(launch(author, bare, [agent], Options()))) == NO_SET


def test_earlier_runs_are_left_out_and_counted(history, monkeypatch):
    pack, first, second = history
    monkeypatch.setattr("runs.results.trends.MOST_TRIALS", second.trial_count)
    assert [run.pk for run in newest_runs(runs_of(pack))] == [second.pk]
    assert trend_of(runs_of(pack)).left_out == 1
