import pytest

from runs.models import Grade, Trial
from runs.results.groups import ERRORS, NO_FAILURE, NO_LABEL, OTHER, filed_cases, grouped, offered
from tests.runs.evals import eval_test, publish_evals
from tests.runs.failing import task
from tests.runs.noise import noisy_run
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.suites import publish_suite

pytestmark = pytest.mark.django_db


def tagged(key, *tags):
    return {**task(key), "tags": list(tags)}


def test_a_case_stands_under_each_of_its_tags_and_what_has_none_comes_last(team, author):
    version = publish_suite(team, author, tagged("one_1", "slow", "code"), tagged("two_1", "code"), tagged("three_1"))
    run = noisy_run(team, author, version, agents=1, trials=1)
    keys = dict(Trial.objects.filter(run=run).values_list("case_position", "case_key"))
    found = [(group, keys[position]) for group, position in grouped(run, "tag", sorted(keys))]
    assert found == [("code", "one_1"), ("code", "two_1"), ("slow", "one_1"), (NO_LABEL, "three_1")]
    assert "tag" in offered(run)


def test_levels_go_from_easy_to_hard(team, author):
    levels = {"a": "Hard", "b": "easy", "c": "odd", "d": "medium"}
    tests = [eval_test(name, metadata={"difficulty": level}) for name, level in levels.items()]
    run = noisy_run(team, author, publish_evals(team, author, *tests), agents=1, trials=1)
    assert [group for group, _ in grouped(run, "difficulty", range(4))] == ["easy", "medium", "Hard", "odd"]
    assert list(offered(run)) == ["difficulty", "grader"]


def test_cases_are_grouped_by_the_graders_that_their_trials_failed(team, author):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 4})), agents=1, trials=1)
    for position, status in enumerate(["failed", "failed", "error", "passed"]):
        Trial.objects.filter(run=run, case_position=position).update(status=status)
    Grade.objects.filter(trial__run=run).update(verdict="pass")
    Grade.objects.filter(trial__run=run, trial__case_position=1).update(verdict="fail")
    found = {position: group for group, position in grouped(run, "grader", range(4))}
    assert found == {0: OTHER, 1: "answer", 2: ERRORS, 3: NO_FAILURE}


def test_a_case_that_passed_beside_an_error_has_not_errors_alone(team, author):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 2})), agents=1, trials=2)
    Grade.objects.filter(trial__run=run).update(verdict="pass")
    for number, status in ((1, "passed"), (2, "error")):
        Trial.objects.filter(run=run, case_position=0, number=number).update(status=status)
    Trial.objects.filter(run=run, case_position=1).update(status="error")
    assert {position: group for group, position in grouped(run, "grader", range(2))} == {0: NO_FAILURE, 1: ERRORS}


def test_labels_of_a_version_are_read_once(team, author, django_assert_num_queries):
    version = publish_text(team, author, pack_text({"default": 3}))
    assert {labels["difficulty"] for labels in filed_cases(version).labels.values()} == {("easy",)}
    with django_assert_num_queries(0):
        filed_cases(version)


def test_labels_that_all_cases_share_are_not_offered(team, author):
    run = noisy_run(team, author, publish_text(team, author, pack_text({"default": 2})), agents=1, trials=1)
    assert list(offered(run)) == ["grader"]
