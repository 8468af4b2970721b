"""Graders: each a pure function of a specification and the evidence of one trial.

A grader is a module with a function `grade(spec: GraderSpec, evidence: Evidence) -> Grade`, listed in `GRADERS` under
the kind that a task names. One that judges the result of a program has a function `command` as well, and its kind
stands in `packs.formats.task.EXECUTING`.
"""

from collections.abc import Callable, Mapping

from packs.formats.kinds import KINDS
from packs.formats.registry import Registry
from packs.formats.task import EXECUTING, GraderSpec, Task
from runs.grading.graders import agentv
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, pack_error
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.questions import Need, TurnState
from runs.grading.graders.reviews import Rubric

Grader = Callable[[GraderSpec, Evidence], Grade]

# The place of the function that grades, by kind.
_PLACES = {
    **{kind: f"{kind}:grade" for kind in KINDS},
    "suite.deterministic_tests": "suite.programs:grade_tests",
    "suite.static_analysis": "suite.programs:grade_analysis",
    "suite.state_check": "suite.state:grade",
    "suite.tool_calls": "suite.tool_calls:grade",
    "suite.trajectory_metrics": "suite.trajectory:grade",
    "suite.deterministic_assertions": "suite.assertions:grade",
    "suite.policy_check": "suite.policy:grade",
    "suite.string_match": "suite.answers:grade_strings",
    "suite.json_schema": "suite.answers:grade_schema",
    "suite.model_rubric": "suite.replies:grade_rubric",
    "suite.pairwise_comparison": "suite.replies:grade_pair",
    "suite.human_review": "suite.replies:grade_review",
    "multiple_choice": "multiple_choice:grade",
    "short_answer": "short_answer:grade",
    "free_response": "free_response:grade",
    "code_completion": "code_completion:grade",
    "repo_patch": "repo_patch:grade",
    "terminal_task": "terminal_task:grade",
    **dict.fromkeys((f"agentv.{kind}" for kind in agentv.KINDS), "agentv.judging:grade"),
}
GRADERS: Mapping[str, Grader] = Registry(__name__, _PLACES)

# Graders that judge the result of a program: what is to be run for them in the workspace after the agent ended, as
# `command` beside the function that grades says. They are given the agent's final output, empty where there is none.
COMMANDS: Mapping[str, Callable[[GraderSpec, Task, str], GraderCommand | None]] = Registry(
    __name__, {kind: f"{_PLACES[kind].partition(':')[0]}:command" for kind in EXECUTING}
)

# Graders that find out on the way what they need: programs to be run after the agent ended, models to be asked. They
# are given the evidence so far, and say what is needed next.
NEEDS: Mapping[str, Callable[[GraderSpec, Evidence], tuple[Need, ...]]] = Registry(
    __name__,
    {
        **dict.fromkeys((f"agentv.{kind}" for kind in agentv.NEEDING), "agentv.judging:needs"),
    },
)
# Graders that judge each turn of a conversation when it has ended, and can end the conversation.
TURNS: Mapping[str, Callable[[GraderSpec, Evidence], TurnState]] = Registry(
    __name__, {"agentv.conversation": "agentv.judging:turn"}
)
# Graders that ask models: the names of those that a specification can ask.
MODELS: Mapping[str, Callable[[GraderSpec], tuple[str, ...]]] = Registry(
    __name__,
    {
        **dict.fromkeys((f"agentv.{kind}" for kind in agentv.NEEDING), "agentv.judging:models"),
    },
)

# Graders that people decide: what a reviewer scores for a specification, each from 0 to 4.
REVIEWS: Mapping[str, Callable[[GraderSpec], Rubric]] = Registry(
    __name__, {"suite.human_review": "suite.reviews:rubric"}
)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    """Grade a trial with the grader that a specification names; an unknown kind is the pack author's mistake."""
    grader = GRADERS.get(spec.kind)
    if grader is None:
        return finish(spec, pack_error(f"there is no grader of kind {spec.kind!r}"))
    return grader(spec, evidence)
