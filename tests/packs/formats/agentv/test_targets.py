"""Targets: what a pack's targets file and its suites say of who answers, who judges, and what runs around them."""

import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load
from packs.formats.agentv.targets import tells_of_judges
from packs.formats.checking import check_files

TARGETS = """\
targets:
  - {name: baseline, provider: cli, command: run, grader_target: strict-judge}
  - {name: default, use_target: baseline}
  - {name: alone, provider: mock}
  - {name: strict-judge, provider: mock, response: "{}"}
"""
SUITE = """\
name: matrix
workspace:
  isolation: shared
  hooks:
    before_each: {command: [prepare]}
    after_each: {command: [collect]}
execution:
  targets: %s
tests: [{id: one, criteria: Good, input: Hi}]
"""


def told(targets="[baseline]", **files):
    """The task of a suite of this matrix, with these files beside it."""
    given = {"evals/m.eval.yaml": SUITE % targets, ".agentv/targets.yaml": TARGETS, **files}
    pack, findings = load({name: text.encode() for name, text in given.items() if text})
    assert not findings
    (task,) = compile_tasks(pack)
    return task


def test_graders_are_told_the_names_and_who_judges_each_target():
    test = told("[baseline, alone, {name: with-skills, use_target: baseline}]").graders[0].config["test"]
    assert test["targets"] == ["baseline", "default", "alone", "strict-judge", "with-skills"]
    assert test["judges"] == {"baseline": "strict-judge", "with-skills": "strict-judge"}
    assert test["judge"] == "strict-judge"


def test_graders_are_told_which_targets_look_at_files_by_themselves():
    listed = "{name: baseline, provider: Claude-CLI}, {name: same, use_target: baseline}, {name: plain, provider: mock}"
    agents = f"targets: [{listed}]"
    assert told(**{".agentv/targets.yaml": agents}).hidden["agentic"] == ["baseline", "same"]


def test_a_suite_without_targets_is_judged_as_the_default_one():
    assert told("null").hidden["judge"] == "strict-judge"


def test_a_pack_without_targets_file_restricts_nobody():
    hidden = told(**{".agentv/targets.yaml": ""}).hidden
    assert not {"targets", "judge", "judges"} & set(hidden)


def test_targets_that_use_each_other_in_a_circle_have_no_judge():
    circle = "targets: [{name: a, use_target: b}, {name: b, use_target: a}]"
    assert "judge" not in told("[a]", **{".agentv/targets.yaml": circle}).hidden


@pytest.mark.parametrize("name", ["evals/.agentv/targets.yml", "evals/targets.yaml"])
def test_the_targets_file_of_the_nearest_folder_counts(name):
    near = "$schema: agentv-targets-v2.2\ntargets: [{name: baseline, provider: mock, grader_target: near}]"
    assert told(**{name: near}).hidden["judge"] == "near"


def test_a_file_elsewhere_holds_targets_only_where_it_says_so():
    assert told(**{"evals/targets.yaml": "targets: [{name: baseline, grader_target: near}]"}).hidden["judge"] != "near"


def test_the_names_of_judges_can_come_from_the_environment_of_the_pack():
    named = "targets: [{name: baseline, provider: mock, grader_target: '${{ JUDGE }}'}]"
    files = {".agentv/targets.yaml": named, ".env": "JUDGE=from-env"}
    assert told(**files).hidden["judge"] == "from-env"


def test_hooks_of_targets_run_between_those_of_the_workspace_and_the_agent():
    hooked = """
    - name: with-skills
      use_target: baseline
      hooks:
        before_each: {command: echo install && true, timeout_ms: 1500, cwd: tools}
        after_each: {command: [echo, remove]}
    - {name: quiet, hooks: {enabled: false, before_each: {command: [echo]}}}
    """
    hooks = told(hooked).environment.workspace.hooks
    assert [(hook.point, hook.agent, hook.command) for hook in hooks] == [
        ("before_each", "", ("prepare",)),
        ("before_each", "with-skills", ("sh", "-c", "echo install && true")),
        ("after_each", "with-skills", ("echo", "remove")),
        ("after_each", "", ("collect",)),
    ]
    assert (hooks[1].timeout_seconds, hooks[1].directory) == (1.5, "evals/tools")


@pytest.mark.parametrize(
    ("name", "is_needed"),
    [
        (".agentv/targets.yaml", True),
        ("evals/.agentv/templates/checks.yaml", True),
        ("evals/targets.yml", True),
        (".env", True),
        ("evals/data.yaml", False),
        (".agentv/assertions/own.ts", False),
    ],
)
def test_only_files_that_can_name_judges_are_read_to_plan_a_run(name, is_needed):
    assert tells_of_judges(name) is is_needed


def test_what_is_wrong_with_a_target_is_told_at_its_place_in_the_file():
    files = {
        "s.eval.yaml": SUITE % "[a]",
        ".agentv/targets.yaml": "targets:\n  - {name: a, provider: mock}\n  - {name: b}\n",
    }
    (found,) = check_files({name: text.encode() for name, text in files.items()}, "agentv").findings
    assert (found.code, found.file, found.line, found.field_path) == (
        "agentv.E174",
        ".agentv/targets.yaml",
        3,
        "targets[1].provider",
    )


def test_judges_are_only_compared_with_a_file_that_lists_targets():
    judged = "tests: [{id: a, input: Hi, assertions: [{type: llm-grader, prompt: Kind?, target: nobody}]}]"
    assert not check_files({"s.eval.yaml": judged.encode()}, "agentv").findings


@pytest.mark.parametrize("ending", ["zsh", "py"])
def test_a_program_of_a_grader_that_is_not_there_is_pointed_out(ending):
    asked = f"tests: [{{id: a, input: Hi, assertions: [{{type: code-grader, command: [run, check.{ending}]}}]}}]"
    found = check_files({"s.eval.yaml": asked.encode()}, "agentv").findings
    assert [(each.code, each.field_path) for each in found] == [("agentv.W510", "tests[0].assertions[0].command[1]")]


def test_a_script_of_a_hook_of_a_target_that_is_not_there_is_pointed_out():
    hooked = "[{name: a, hooks: {before_each: {command: [python, ../scripts/prepare.py]}}}]"
    files = {"evals/m.eval.yaml": SUITE % hooked, ".agentv/targets.yaml": TARGETS}
    (found,) = check_files({name: text.encode() for name, text in files.items()}, "agentv").findings
    assert (found.code, found.field_path) == (
        "agentv.W510",
        "execution.targets[0].hooks.before_each.command[1]",
    )
    files["scripts/prepare.py"] = "pass"
    assert not check_files({name: text.encode() for name, text in files.items()}, "agentv").findings
