"""Judges against the people who reviewed the same trials."""

import pytest

from runs.models import JudgeStandard
from runs.results.calibrating import calibrations_of, doubtful_judges, drift_of
from tests.runs.calibrated import again, calibrated_run, judged_suite
from tests.runs.reviews import begin_reviewed

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(team, administrator, local_endpoints):
    return judged_suite(team, administrator)


def test_a_judge_is_held_against_what_people_decided(version, administrator, model_server):
    run = calibrated_run(version, administrator, model_server, ["pp"] * 5 + ["ff"] * 4 + ["pf", "fp", "fp", "?p"])
    (found,) = calibrations_of(version.pack)
    counts = found.confusion
    assert (counts.both_pass, counts.judge_only, counts.people_only, counts.both_fail) == (5, 2, 1, 4)
    assert found.judge == "model_rubric"
    assert found.models == ["judge"]
    assert [(each.gold.passes, each.judgement.passes) for each in found.parted].count((False, True)) == 2
    assert {each.trial.run_id for each in found.parted} == {run.pk}
    assert found.confusion.true_positives.judged == 6
    assert 0 < found.alpha < 1
    assert 0 < found.score_alpha < 1


def test_a_judge_below_the_standard_of_its_pack_is_doubtful(version, administrator, model_server):
    calibrated_run(version, administrator, model_server, ["pp"] * 5 + ["ff"] * 4 + ["pf", "fp", "fp"])
    assert list(doubtful_judges(version.pack)) == ["model_rubric"]
    doubt = doubtful_judges(version.pack)["model_rubric"]
    assert (doubt.trials, doubt.least) == (12, 0.6)
    JudgeStandard.objects.create(pack=version.pack, least_kappa=0.4)
    assert doubtful_judges(version.pack) == {}


def test_agreement_is_drawn_over_runs(version, administrator, model_server):
    first = calibrated_run(version, administrator, model_server, ["pp", "ff", "pp", "ff"])
    assert drift_of(calibrations_of(version.pack)[0]) is None
    second = calibrated_run(again(version, administrator), administrator, model_server, ["pf", "fp", "pp", "ff"])
    (found,) = calibrations_of(version.pack)
    chart = drift_of(found)
    shown = [dict(zip([column.key for column in chart.columns], row, strict=True)) for row in chart.rows]
    assert [(row["run"], row["version"], row["value"], row["kappa"]) for row in shown] == [
        (f"#{first.pk}", "1", 1.0, 1.0),
        (f"#{second.pk}", "2", 0.5, 0.0),
    ]


def test_without_reviews_or_judges_there_is_nothing_to_compare(version, administrator, model_server, team):
    calibrated_run(version, administrator, model_server, ["?p"])
    assert calibrations_of(version.pack) == []
    assert doubtful_judges(version.pack) == {}
    run = begin_reviewed(team, administrator, slug="people")
    assert calibrations_of(run.version.pack) == []
