"""What runs are compared with."""

import pytest

from runs.bin import bring_back, delete
from runs.gates.policy import Baseline
from runs.jobs.gating.baselines import counterpart, find_baseline
from runs.jobs.gating.checks import judge, keep
from runs.launch.launching import Options, launch
from runs.models import Release, Run
from tests.runs.gated import answering, gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

MERGE = "ci_merge_gate"
TARGET = Baseline("target_branch")


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


@pytest.fixture
def checked(suites, author):
    """Makes an ended run with a kept verdict: `checked({"branch": "main"}, capital_1="Madrid")`."""

    def make(metadata=None, **answers):
        run = gated_run(author, suites, metadata, **answers)
        keep(judge(run, MERGE))
        return run

    return make


def test_the_newest_run_that_passed_on_the_branch_is_taken(checked):
    checked({"branch": "main"})
    good = checked({"branch": "main"})
    checked({"branch": "main"}, capital_1="Madrid")
    checked({"branch": "other"})
    assert find_baseline(checked(), MERGE, TARGET) == good


def test_a_run_of_which_no_branch_is_known_counts_as_one_of_the_target(checked):
    good = checked()
    assert find_baseline(checked({"branch": "feature"}), MERGE, TARGET) == good


def test_a_commit_that_the_candidate_did_not_grow_from_is_passed_over(checked):
    old = checked({"branch": "main", "commit": "a1"})
    checked({"branch": "main", "commit": "b2"})
    grown = checked({"branch": "feature", "merge_base": "a1"})
    assert find_baseline(grown, MERGE, TARGET) == old
    assert find_baseline(checked({"ancestors": ["c3"]}), MERGE, TARGET) is None


def test_only_runs_that_are_older_are_compared_with(checked):
    first = checked()
    checked()
    assert find_baseline(first, MERGE, TARGET) is None


def test_the_run_before_counts_whatever_its_verdict(checked):
    checked({"branch": "main"})
    failed = checked({"branch": "main"}, capital_1="Madrid")
    checked({"branch": "other"})
    assert find_baseline(checked({"branch": "main"}), MERGE, Baseline("previous_same_gate")) == failed


def test_the_last_release_is_the_run_that_was_named_last(checked, suites):
    first, second, third = checked(), checked(), checked()
    Release.objects.create(pack=suites.pack, run=second, name="2")
    Release.objects.create(pack=suites.pack, run=first, name="1.1")
    assert find_baseline(third, MERGE, Baseline("last_release")) == first


@pytest.mark.parametrize("number", ["", "x", "99999", "9" * 40])
def test_a_pinned_run_that_is_not_there_is_none(checked, number):
    assert find_baseline(checked(), MERGE, Baseline("pinned", run_id=number)) is None


def test_a_pinned_run_is_taken_by_its_number(checked):
    first = checked()
    assert find_baseline(checked(), MERGE, Baseline("pinned", run_id=f"#{first.pk}")) == first


def test_a_pinned_run_that_lies_in_the_bin_is_none_until_it_is_back(checked, administrator):
    first, second = checked(), checked()
    pinned = Baseline("pinned", run_id=f"#{first.pk}")
    delete(first, administrator)
    assert find_baseline(second, MERGE, pinned) is None
    bring_back(Run._base_manager.get(pk=first.pk), administrator)
    assert find_baseline(second, MERGE, pinned) == first


def test_an_agent_is_compared_with_itself_among_several(suites, author):
    agents = [answering(suites, "one"), answering(suites, "two")]
    runs = [work_off(launch(author, suites, agents, Options(input_set="golden"))) for _ in range(2)]
    two = runs[1].agents.get(name="two")
    assert counterpart(two, runs[0]).name == "two"
    stranger = work_off(launch(author, suites, [answering(suites, "three")], Options(input_set="golden")))
    assert counterpart(stranger.agents.get(), runs[0]) is None
