"""The AgentV adapter at work on small packs of our own."""

import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load

SUITE = """\
$schema: agentv-eval-v2
name: parcels
workspace:
  template: ./start
  isolation: per_test
  repos:
    - path: ./repo
      source: {type: git, url: https://example.org/widget.git}
      checkout: {base_commit: 4f3e2d19b6e4e8f1c2b7d9a0e5a6b7c8d9e0f123, ancestor: 1}
      clone: {depth: 2, sparse: [src]}
  hooks:
    before_each: {command: python ../scripts/patch.py, timeout_ms: 1500, cwd: ../scripts}
    after_each: {reset: fast}
execution:
  threshold: 0.6
  workers: 2
  targets: [small, {name: large, use_target: small}]
  trials: {count: 3, strategy: mean, cost_limit_usd: 0.5}
input:
  - {role: system, content: Be brief.}
assertions:
  - {name: checks, type: code-grader, command: [python, ./graders/check.py], required: true}
tests:
  - id: first
    criteria: Names the city
    input: Where is it?
    input_files: [notes.md]
    expected_output: Porto
    metadata: {source_row: 7}
    assertions:
      - Names the city
      - {type: contains, value: Porto, weight: 2}
      - {type: contains, value: Porto, required: true, min_score: 0.5}
  - id: second
    criteria: Says nothing
    input: Be still.
    depends_on: [first]
    on_dependency_failure: run
    execution: {skip_defaults: true, targets: [large], threshold: 0.9}
"""
FILES = {
    "evals/parcels.eval.yaml": SUITE.encode(),
    "evals/notes.md": b"It lies on the Douro.\r\n",
    "evals/start/main.txt": b"begin\n",
    "scripts/patch.py": b"print('patched')\n",
    "evals/graders/check.py": b"print('{}')\n",
}


def tasks(files=FILES):
    pack, findings = load(files)
    assert not findings
    return list(compile_tasks(pack))


def test_the_prompt_holds_all_messages_and_the_text_of_files():
    first, second = tasks()
    assert first.prompt == (
        '@[System]:\nBe brief.\n\n@[User]:\n<file path="notes.md">\nIt lies on the Douro.\n\n</file>\nWhere is it?'
    )
    assert second.prompt == "Be still."
    assert first.hidden["case_input"] == "Be brief. Where is it?"
    assert first.hidden["input_files"] == ["notes.md"]


def test_a_title_comes_from_what_the_user_says_and_never_from_the_criteria():
    first, second = tasks()
    assert [first.title, second.title] == ["Where is it?", "Be still."]
    assert not any("Names the city" in str(task.for_agent()) for task in (first, second))


def test_a_conversation_without_words_of_the_user_is_called_by_its_id():
    told = "{role: system, content: Be kind.}"
    suite = f"""\
tests:
  - {{id: talk, criteria: Remembers, mode: conversation, input: [{told}], turns: [{{input: Who am I?}}]}}
"""
    (task,) = tasks({"talk.eval.yaml": suite.encode()})
    assert task.title == "talk"


def test_every_assertion_becomes_a_grader_with_a_key_of_its_own():
    first, second = tasks()
    assert [(spec.key, spec.kind) for spec in first.graders] == [
        ("rubrics", "agentv.llm-grader"),
        ("contains-Porto", "agentv.contains"),
        ("contains-Porto-2", "agentv.contains"),
        ("checks", "agentv.code-grader"),
    ]
    assert first.graders[3].config["assertion"]["directory"] == "evals"
    assert first.graders[3].config["test"]["metadata"] == {"source_row": 7}
    assert second.graders[0].config["assertion"]["implicit"] is True


def test_gates_come_from_required_and_min_score_and_the_threshold():
    first, second = tasks()
    gates = [(found.weight, found.gate, found.pass_threshold) for found in first.scoring.dimensions]
    assert gates == [(1.0, False, None), (2.0, False, None), (1.0, True, 0.5), (1.0, True, 0.6)]
    assert (first.scoring.pass_threshold, second.scoring.pass_threshold) == (0.6, 0.9)


def test_the_workspace_says_what_is_put_into_it_and_when_commands_run():
    workspace = tasks()[0].environment.workspace
    repository = workspace.repositories[0]
    assert (repository.kind, repository.location) == ("git", "https://example.org/widget.git")
    assert (repository.ref[:4], repository.ancestor, repository.depth, repository.sparse) == ("4f3e", 1, 2, ("src",))
    before, after = workspace.hooks
    assert (before.point, before.command) == ("before_each", ("python", "../scripts/patch.py"))
    assert (before.directory, before.timeout_seconds) == ("scripts", 1.5)
    assert (after.point, after.command, after.reset) == ("after_each", (), "fast")
    assert (workspace.isolation, workspace.mode) == ("per_test", "temp")


def test_the_template_is_for_the_agent_and_the_rest_of_the_pack_for_hooks_and_graders():
    environment = tasks()[0].environment
    assert [file.path for file in environment.files] == ["main.txt"]
    assert "scripts/patch.py" in {file.path for file in environment.material}


def test_trials_targets_and_dependencies_are_told():
    first, second = tasks()
    assert (first.trials.count, first.trials.rule, first.trials.cost_usd) == (3, "mean", 0.5)
    assert (first.schedule.targets, first.schedule.workers) == (("small", "large"), 2)
    assert (second.schedule.targets, second.schedule.depends_on) == (("large",), ("first",))
    assert second.schedule.on_dependency_failure == "run"


def test_a_conversation_is_played_and_judged_as_one():
    suite = """\
tests:
  - id: talk
    criteria: Remembers
    mode: conversation
    aggregation: min
    input: [{role: system, content: Be kind.}]
    turns:
      - {input: I am Ann., assertions: [Greets]}
      - {input: Who am I?, expected_output: Ann}
"""
    (task,) = tasks({"talk.eval.yaml": suite.encode()})
    (grader,) = task.graders
    assert grader.kind == "agentv.conversation"
    played = grader.config["conversation"]
    assert played["aggregation"] == "min"
    assert played["turns"][0]["assertions"][0]["name"] == "turn-rubrics"
    assert played["turns"][1]["reference_answer"] == "Ann"
    assert [turn["message"] for turn in task.conversation["phases"][0]["turns"]] == ["I am Ann.", "Who am I?"]
    assert task.environment.mode == "multi_turn"


def test_a_test_that_agentv_leaves_out_becomes_a_task_that_says_why_it_cannot_run():
    suite = b"tests:\n  - {id: a, input: Hi}\n  - {id: b, input: Hi, criteria: C}\n"
    pack, _ = load({"s.eval.yaml": suite})
    first, second = compile_tasks(pack)
    assert first.environment.obstacle
    assert second.environment.obstacle == ""


@pytest.mark.parametrize(
    ("repository", "generation"),
    [("source: {type: git, url: https://x.org/w}", "classic"), ("repo: x/w, commit: 4f3e", "pinned")],
)
def test_programs_are_told_of_a_trial_as_the_generation_of_its_repositories_does(repository, generation):
    suite = f"""\
workspace: {{repos: [{{path: w, {repository}}}]}}
tests:
  - {{id: one, criteria: c, input: x, assertions: [{{type: contains, value: y}}]}}
"""
    (task,) = tasks({"one.eval.yaml": suite.encode()})
    assert task.graders[0].config["test"]["generation"] == generation
