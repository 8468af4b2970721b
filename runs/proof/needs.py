"""What is missing where an answer cannot be judged."""

from packs.formats.task import Task
from runs.engine.outcome import Outcome
from runs.grading.graders import MODELS, REVIEWS
from runs.proof.probes import Code
from runs.proof.rules import runs_programs
from runs.replay.causes import Fault


def missing_for(task: Task, outcome: Outcome) -> tuple[Code, str]:
    """The code and the sentence for a reference that came out without a verdict."""
    if any(grader.kind in REVIEWS for grader in task.graders) and outcome.fault is Fault.PERSON:
        return Code.NEEDS_PERSON, "People decide this case, so it cannot be proven by itself."
    if asks_models(task):
        return Code.NEEDS_JUDGE, "A model judges this case, and none answered."
    if runs_programs(task) or outcome.fault is Fault.MACHINE:
        return Code.NEEDS_SANDBOX, f"Programs of its graders could not be run: {outcome.error or 'there is no sandbox'}"
    reason = outcome.error or outcome.scorecard.get("overall_reason") or "what they look at is not in an answer"
    return Code.NEEDS_EVENTS, f"Its graders look at what an agent does: {reason}. State `events` in proof.yaml."


def asks_models(task: Task) -> bool:
    """Whether a judge or a grader of the case asks a model."""
    return bool(task.judges) or any(MODELS[grader.kind](grader) for grader in task.graders if grader.kind in MODELS)
