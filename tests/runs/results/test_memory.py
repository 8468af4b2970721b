"""What is made of trials is made again only after one of them changed."""

import pytest

from runs.launch.launching import launch
from runs.results.memory import Memory, remembered, remembered_by_agent
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_what_was_made_is_made_again_after_a_trial_changed_and_not_before(author, version, agents):
    run, other = (work_off(launch(author, version, [agents["echo"]])) for _ in range(2))
    made = []

    def make():
        made.append(run.trials.filter(status="passed").count())
        return made[-1]

    assert [remembered("passed", [run], make) for _ in range(3)] == [3, 3, 3]
    run.trials.filter(pk=run.trials.first().pk).update(status="failed")
    other.trials.update(status="failed")
    assert [remembered("passed", [run], make) for _ in range(2)] == [2, 2]
    assert made == [3, 2]
    assert remembered("passed", [run], make, "of something else") == 2
    assert len(made) == 3


def test_only_the_agents_of_which_a_trial_changed_are_asked_for_again(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["reference"]]))
    first, second = (entry.pk for entry in run.agents.order_by("position"))
    asked = []

    def make(entries):
        asked.append(sorted(entries))
        return {entry: run.trials.filter(run_agent=entry, status="passed").count() for entry in entries}

    before = dict(remembered_by_agent("passed", run, make))
    run.trials.filter(pk=run.trials.filter(run_agent=second, status="passed").first().pk).update(status="failed")
    after = {first: before[first], second: before[second] - 1}
    assert [remembered_by_agent("passed", run, make) for _ in range(2)] == [after, after]
    assert asked == [[first, second], [second]]


def test_what_was_not_wanted_for_longest_is_forgotten_first():
    memory = Memory(2)
    for key in ("a", "b"):
        memory.keep(key, 1, key)
    memory.find("a")
    memory.keep("c", 1, "c")
    assert [memory.find(key) is not None for key in ("a", "b", "c")] == [True, False, True]
