"""The four things that the studio asks of a grader of AgentV evals: grade, needs, models and turn."""

from collections.abc import Mapping

from packs.formats.registry import Registry
from packs.formats.task import GraderSpec
from runs.grading.graders.agentv import JUDGES, conversation, judged
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

LOADED: Mapping[str, Judge] = Registry("runs.grading.graders.agentv", JUDGES)

grade = grade_with(LOADED)
needs = needs_with(LOADED)


def models(spec: GraderSpec) -> tuple[str, ...]:
    """The models that a grader can ask, each once."""
    scene = scene_of(spec, build_evidence([], []), LOADED)
    return tuple(dict.fromkeys(judged.models_of(scene)))


def turn(spec: GraderSpec, evidence: Evidence) -> TurnState:
    """How the last turn of a conversation stands that ends with one that fails (agentv C.7).

    A turn that cannot be judged has not failed: the end of the trial tells why.
    """
    scene = scene_of(spec, evidence, LOADED)
    try:
        row = conversation.last_turn(scene)
    except Needed as needed:
        return TurnState(needed.needs)
    except (Missing, Broken, Stopped, Skipped):
        return TurnState()
    return TurnState(has_failed=row is not None and conversation.has_failed(scene, row))
