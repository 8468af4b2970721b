import pytest

from packs.access import Role
from runs.launch.launching import Options, add_trials, launch
from runs.launch.planning import asked_trials, first_tasks, plan_cases
from runs.launch.refusals import LaunchRefused
from runs.models import Run, Trial
from tests.people import make_member
from tests.runs.suites import publish_suite, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def suites(team, curator):
    return publish_suite(
        team,
        curator,
        task(name="twice_1", trials={"k": 2, "metric": "pass^k"}),
        task(name="usual_1"),
        task("open_ended", "once_1", trials={"k": 1}),
    )


def numbers(run):
    found = {}
    for key, number in Trial.objects.filter(run=run).values_list("case_key", "number"):
        found.setdefault(key, []).append(number)
    return {key: sorted(listed) for key, listed in found.items()}


def test_each_case_is_tried_as_often_as_its_pack_says(suites, curator, agents):
    run = launch(curator, suites, [agents["echo"]], Options(input_set="golden"))
    assert numbers(run) == {"twice_1": [1, 2], "usual_1": [1, 2, 3]}
    assert run.trial_count == 5
    assert run.trials_per_case == 3
    assert {(plan.case.key, plan.count, plan.rule) for plan in run.plans.all()} == {
        ("twice_1", 2, "pass^k"),
        ("usual_1", 3, "pass^k"),
    }


def test_a_number_given_at_launch_replaces_the_packs_own_and_the_rule_stays(suites, curator, agents):
    run = launch(curator, suites, [agents["echo"]], Options(input_set="golden", trials=1))
    assert numbers(run) == {"twice_1": [1], "usual_1": [1]}
    assert {(plan.case.key, plan.count) for plan in run.plans.all()} == {("twice_1", 2), ("usual_1", 3)}


def test_all_input_sets_run_at_once_where_the_format_allows_it(suites, curator, agents):
    run = launch(curator, suites, [agents["echo"]], Options(input_set="all", trials=1))
    assert (run.input_set, run.selection) == (None, "all")
    assert list(Trial.objects.filter(run=run).order_by("case_position").values_list("case_key", "case_position")) == [
        ("twice_1", 0),
        ("usual_1", 1),
        ("once_1", 2),
    ]
    work_off(run)
    assert run.counts == {"failed": 3}


def test_a_pack_whose_runs_take_one_set_refuses_all(sets_version, author, agents):
    with pytest.raises(LaunchRefused) as caught:
        launch(author, sets_version, [agents["echo"]], Options(input_set="all"))
    assert caught.value.code == "invalid_challenge_input_set_id"
    assert not Run.objects.exists()


def test_more_trials_than_a_run_may_have_are_refused_before_anything_is_written(team, curator, agents):
    version = publish_suite(team, curator, task(trials={"k": 1000}))
    with pytest.raises(LaunchRefused) as caught:
        launch(curator, version, [agents["echo"]])
    assert caught.value.code == "invalid_trials"
    assert not Run.objects.exists()


def test_trials_that_are_added_are_numbered_on_from_the_last_of_their_case(suites, curator, agents):
    run = work_off(launch(curator, suites, [agents["echo"], agents["empty"]], Options(input_set="golden")))
    assert add_trials(run, 2) == 8
    assert numbers(run) == {"twice_1": [1, 1, 2, 2, 3, 3, 4, 4], "usual_1": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]}


def test_a_run_knows_whether_its_trials_are_those_that_the_pack_says(suites, version, curator, author, agents):
    entered = [agents["echo"], agents["empty"]]
    assert asked_trials(launch(curator, suites, entered, Options(input_set="all"))) is None
    assert asked_trials(launch(curator, suites, entered, Options(input_set="all", trials=4))) == 4
    assert asked_trials(launch(author, version, entered)) == 1


def test_what_a_version_asks_for_is_told_by_all_of_its_cases_where_they_differ(suites, version):
    assert len(list(first_tasks(suites))) == 3
    assert len(list(first_tasks(version))) == 1
    assert [plan.count for plan in plan_cases(suites, None)] == [2, 3, 1]
