"""Task suites and runs of them, for tests of gates."""

from packs.formats import adapter_of
from packs.formats.findings import has_errors
from packs.mirror import write_tree
from packs.models import Pack
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent
from tests.runs.working import work_off

CONFIG = """\
x-slug: {slug}
x-name: Capitals
suites: {{}}
gates:
  ci_merge_gate:
    must_include_suites: [golden, adversarial, failure_replays]
  nightly: {{}}
  release_candidate: {{}}
"""
TASK = """\
task_id: {key}
suite: {suite}
description: Answer.
inputs:
  user_message: "What is the capital of Portugal?"
{inputs}trials: {{k: 3, metric: "{metric}"}}
graders:
  - type: string_match
    patterns: ["{pattern}"]
tracked_metrics:
  - {{type: tokens, fields: [total_tokens]}}
"""
RIGHT = {"capital_1": "Lisbon", "attack_1": "No.", "incident_1": "Lisbon", "essay_1": "Lisbon"}


def task(key, suite, pattern="Lisbon", inputs="", metric="pass^k"):
    return TASK.format(key=key, suite=suite, pattern=pattern, inputs=inputs, metric=metric).encode()


def suite_files(slug="capitals", **more):
    """A pack of four suites with one task each; `more` replaces or adds files of tasks by `suite__id`."""
    files = {
        "evals/config.yml": CONFIG.format(slug=slug).encode(),
        "evals/golden/capital_1.yaml": task("capital_1", "golden"),
        "evals/open_ended/essay_1.yaml": task("essay_1", "open_ended", metric="pass@k"),
        "evals/adversarial/attack_1.yaml": task("attack_1", "adversarial", "No", "  forbidden_tools: [wire]\n"),
        "evals/failure_replays/incident_1.yaml": task("incident_1", "failure_replays"),
    }
    return files | {f"evals/{place.replace('__', '/')}.yaml": content for place, content in more.items()}


def publish_suites(team, user, slug="capitals", files=None):
    """The version that task suites become."""
    tree, findings = adapter_of("task_suite").load(files or suite_files(slug))
    assert tree is not None, findings
    assert not has_errors(findings), findings
    row = Pack.objects.create(team=team, slug=slug, title="Capitals", format="task_suite", created_by=user)
    write_tree(row, tree)
    return publish(row, user)


def answering(version, name="agent", **answers):
    """An agent that answers as it should, but for what is given by the id of a task."""
    config = {"answers": {**RIGHT, **answers}, "default": "Lisbon"}
    return Agent.objects.create(team=version.pack.team, name=name, kind="scripted", config=config)


def gated_run(user, version, metadata=None, **answers):
    """An ended run of all suites by an agent that answers as it should, but for what is given."""
    name = "agent"
    Agent.objects.filter(team=version.pack.team, name=name).delete()
    agent = answering(version, name, **answers)
    return work_off(launch(user, version, [agent], Options(input_set="all", metadata=metadata or {})))
