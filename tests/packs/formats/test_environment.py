from dataclasses import asdict

import orjson

from packs.formats.environment import Environment, WorkspaceFile, WorkspacePlan


def test_nothing_is_open_to_a_task_that_does_not_ask_for_it():
    told = orjson.loads(orjson.dumps(asdict(Environment())))
    assert (told["network"], told["network_allowlist"], told["variables"], told["files"]) == (False, [], {}, [])


def test_two_tasks_share_no_settings_that_can_be_changed():
    one, other = Environment(), Environment()
    one.variables["KEY"] = "value"
    one.tools["allowed"] = ["bash"]
    assert (other.variables, other.tools) == ({}, {})


def test_a_workspace_is_made_anew_for_each_task_unless_its_plan_says_otherwise():
    plan = WorkspacePlan()
    assert (plan.isolation, plan.mode, plan.repositories, plan.hooks) == ("per_test", "temp", (), ())
    assert not WorkspaceFile("notes.txt").read_only
