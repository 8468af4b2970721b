import pytest

from packs.models import Pack
from packs.publish import publish
from runs.models import Agent, Trial
from runs.results.items import charts_of_items, item_dict, worth_of
from runs.results.trends import ended_runs
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db
ENDS = {
    "strong": ["pp", "pp", "pf"],
    "middle": ["pp", "pf", "ff"],
    "weak": ["pp", "ff", "ff"],
}


def worth(version):
    return worth_of(list(ended_runs(version.pack)))


def by_key(found):
    return {item.key: item for item in found.analysis.items}


def test_runs_of_the_same_cases_are_one_matrix(team, author, version):
    run_with(team, author, version, ENDS)
    run_with(team, author, version, {"strong": ["ee", "pu", "ff"]})
    found = worth(version)
    assert found.analysis.matrix.agents == ["strong", "middle", "weak"]
    items = by_key(found)
    assert items["case-0000"].is_always_solved
    assert items["case-0000"].trials == 6
    # Strong passed the third one time of four; errors and undecided trials are not judged.
    assert items["case-0002"].difficulty == pytest.approx((1 / 4 + 0 + 0) / 3)
    assert items["case-0001"].trials == 7
    # At the rest middle and weak are alike.
    assert items["case-0001"].discrimination.value == pytest.approx(3**0.5 / 2)
    assert found.runs == 2
    assert [found.kind(items[key]) for key in sorted(items)] == ["always", "flaky", "flaky"]


def test_another_configuration_is_another_agent(team, author, version):
    run_with(team, author, version, {"bot": ["p", "p", "p"]})
    Agent.objects.filter(name="bot").update(config={"prefix": "now"})
    run_with(team, author, version, {"bot": ["f", "p", "p"]})
    assert worth(version).analysis.matrix.agents == ["bot", "bot (2)"]


def test_trials_of_a_case_that_was_edited_since_are_not_compared(team, author, version):
    run_with(team, author, version, {"bot": ["p", "p", "p"]})
    draft = Pack.objects.get(pk=version.pack_id)
    case = draft.cases.get(key="case-0001")
    case.document = {**case.document, "inputs": [{"key": "parcel", "kind": "text", "value": "other"}]}
    case.save()
    run_with(team, author, publish(draft, author, number=2), {"bot": ["f", "f", "f"]})
    found = worth(version)
    assert found.edited == 1
    assert [(item.key, item.trials) for item in found.analysis.items] == [
        ("case-0000", 2),
        ("case-0001", 1),
        ("case-0002", 2),
    ]


def test_the_best_two_part_at_the_cases_of_the_chart(team, author, version):
    run_with(team, author, version, ENDS)
    found = worth(version)
    agents = found.analysis.matrix.agents
    assert (agents[found.best.first], agents[found.best.second]) == ("strong", "middle")
    gaps = next(chart for chart in charts_of_items(found) if chart.key == "gaps")
    assert [row[:2] for row in gaps.rows] == [("case-0001", 0.5), ("case-0002", 0.5)]
    assert [item.key for item in found.shown("gaps")] == ["case-0001", "case-0002"]
    assert len(found.shown("small")) == len(found.small.places)


def test_a_run_without_cases_has_one_row(team, author, bare_version):
    run_with(team, author, bare_version, {"bot": ["p"]})
    found = worth(bare_version)
    assert item_dict(found, found.analysis.items[0])["case"] is None


def test_no_judged_trial_gives_nothing(team, author, version):
    run = run_with(team, author, version, {"bot": ["e", "e", "e"]})
    assert Trial.objects.filter(run=run, status="error").count() == 3
    found = worth(version)
    assert (found.analysis.items, found.best, found.small, charts_of_items(found)) == ([], None, None, [])
