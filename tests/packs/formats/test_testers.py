import pytest

from packs.formats import yamlio
from packs.formats.findings import render_path
from packs.formats.testers import read_policy, read_tester

GOOD = {
    "schema_version": "0.2",
    "run": {"id": "nightly", "output_dir": "runs"},
    "benchmark": {"manifest": "manifest.yaml", "tasks": "tasks.jsonl"},
    "harness": {"type": "command", "config": {"command": "./agent"}},
}


def fields(document):
    return sorted(render_path(finding.path) for finding in read_tester(yamlio.write(document))[1])


def test_a_sound_configuration_says_what_runs_and_what_checkers_may():
    policy = {"disallow_dangerous_commands": False, "deny_commands": ["chroot"]}
    tester, found = read_tester(yamlio.write({**GOOD, "verification": policy}))
    assert found == []
    assert (tester.run_id, tester.harness, tester.policy) == ("nightly", "command", policy)
    assert tester.config == {"command": "./agent"}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"schema_version": "0.1"}, ["schema_version"]),
        ({"extra": 1}, ["extra"]),
        ({"run": []}, ["run"]),
        ({"run": {}}, ["run.id", "run.output_dir"]),
        ({"verification": {"deny_commands": [["chroot"], {}]}}, [f"verification.deny_commands[{n}]" for n in (0, 1)]),
        ({"run": {"id": "", "output_dir": "o", "limit": 5}}, ["run.id", "run.limit"]),
        ({"benchmark": {"manifest": "m"}}, ["benchmark.tasks"]),
        ({"verification": {"deny_commands": ["mount"], "x": 1}}, ["verification.deny_commands[0]", "verification.x"]),
        ({"verification": {"disallow_dangerous_commands": "no"}}, ["verification.disallow_dangerous_commands"]),
        ({"harness": {"type": "submission", "env": ["A=b"]}}, ["harness.env[0]", "harness.type"]),
        ({"harness": {"type": "command"}}, ["harness.config"]),
        ({"harness": {"type": "codex", "config": {"command": "x"}}}, ["harness.config.command"]),
        (
            {"harness": {"type": "codex", "config": {"task_file": "../x", "timeout_seconds": 0}}},
            ["harness.config.task_file", "harness.config.timeout_seconds"],
        ),
    ],
)
def test_every_problem_is_told_at_its_field(changes, wrong):
    assert fields({**GOOD, **changes}) == wrong


def test_a_file_that_is_no_mapping_or_no_yaml_is_refused():
    assert [finding.message for finding in read_tester("- a\n")[1]] == [
        "The configuration must be a mapping; this is a list."
    ]
    assert read_tester("a: [")[1][0].line


def test_what_checkers_may_run_can_stand_alone():
    assert read_policy("verification: {deny_commands: [chroot]}") == ({"deny_commands": ["chroot"]}, [])
    for wrong in ("verification: 5", "{}"):
        assert [finding.path for finding in read_policy(wrong)[1]] == [("verification",)]
    policy, found = read_policy("verification: {deny_commands: [mount]}\n", "t.yaml")
    assert (policy, found[0].file, found[0].line) == ({}, "t.yaml", 1)
    assert read_policy(yamlio.write({**GOOD, "schema_version": "1"}))[0] == {}
