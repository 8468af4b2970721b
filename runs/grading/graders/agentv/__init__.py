"""Graders of AgentV evals: each assertion of a test is one grader (agentv F).

A specification's `config` has the `assertion` as the format's loader takes it, and the `test` (docs/formats/agentv.md).
The kinds are `agentv.` and the type of the assertion.
"""

from collections.abc import Mapping

from packs.formats.task import GraderSpec
from runs.grading.graders.agentv import (
    composite,
    conversation,
    fields,
    judged,
    limits,
    patterns,
    programs,
    skills,
    texts,
    tool_calls,
)
from runs.grading.graders.agentv.scene import (
    Broken,
    Judge,
    Missing,
    Needed,
    Skipped,
    Stopped,
    grade_with,
    needs_with,
    scene_of,
)
from runs.grading.graders.evidence import Evidence, build_evidence
from runs.grading.graders.questions import TurnState

JUDGES: Mapping[str, Judge] = {
    "contains": texts.contains,
    "icontains": texts.icontains,
    "contains-any": texts.contains_any,
    "icontains-any": texts.icontains_any,
    "contains-all": texts.contains_all,
    "icontains-all": texts.icontains_all,
    "starts-with": texts.starts_with,
    "ends-with": texts.ends_with,
    "equals": texts.equals,
    "is-json": texts.is_json,
    "regex": patterns.judge,
    "code-grader": programs.judge,
    "llm-grader": judged.judge,
    "composite": composite.judge,
    "conversation": conversation.judge,
    "tool-trajectory": tool_calls.judge,
    "field-accuracy": fields.judge,
    "latency": limits.latency,
    "cost": limits.cost,
    "token-usage": limits.token_usage,
    "execution-metrics": limits.execution_metrics,
    "skill-trigger": skills.judge,
}

# Assertions of any other type are judged as well: by nobody, which they say.
KINDS = (*JUDGES, "custom")
# Those that can need programs run or models asked, themselves or in their members.
NEEDING = ("code-grader", "llm-grader", "composite", "conversation")

grade = grade_with(JUDGES)
needs = needs_with(JUDGES)


def models(spec: GraderSpec) -> tuple[str, ...]:
    """The models that a grader can ask, each once."""
    scene = scene_of(spec, build_evidence([], []), JUDGES)
    return tuple(dict.fromkeys(judged.models_of(scene)))


def turn(spec: GraderSpec, evidence: Evidence) -> TurnState:
    """How the last turn of a conversation stands that ends with one that fails (agentv C.7).

    A turn that cannot be judged has not failed: the end of the trial tells why.
    """
    scene = scene_of(spec, evidence, JUDGES)
    try:
        row = conversation.last_turn(scene)
    except Needed as needed:
        return TurnState(needed.needs)
    except (Missing, Broken, Stopped, Skipped):
        return TurnState()
    return TurnState(has_failed=row is not None and conversation.has_failed(scene, row))
