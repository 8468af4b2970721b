"""Graders: each a pure function of a specification and the evidence of one trial.

A grader is a module with a function `grade(spec: GraderSpec, evidence: Evidence) -> Grade`, listed in `GRADERS` under
the kind that a task names. One that judges the result of a command says in `COMMANDS` what is to be run.
"""

from collections.abc import Callable

from packs.formats.task import GraderSpec, Task
from runs.grading.graders import (
    agentv,
    bleu_score,
    boolean_assert,
    chrf_score,
    code_completion,
    code_execution,
    contains,
    directory_structure,
    exact_match,
    file_content_match,
    file_exists,
    file_json_schema,
    free_response,
    fuzzy_match,
    json_path_match,
    json_schema,
    math_equivalence,
    multiple_choice,
    normalized_match,
    numeric_match,
    postcondition,
    regex_match,
    repo_patch,
    rouge_score,
    short_answer,
    terminal_task,
    token_f1,
    tool_call_assertion,
)
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, pack_error
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.questions import Need, TurnState
from runs.grading.graders.suite import answers, assertions, opinions, policy, programs, state, tool_calls, trajectory
from runs.grading.graders.suite.reviews import Aspect, aspects

Grader = Callable[[GraderSpec, Evidence], Grade]

GRADERS: dict[str, Grader] = {
    "exact_match": exact_match.grade,
    "contains": contains.grade,
    "regex_match": regex_match.grade,
    "boolean_assert": boolean_assert.grade,
    "json_schema": json_schema.grade,
    "json_path_match": json_path_match.grade,
    "fuzzy_match": fuzzy_match.grade,
    "numeric_match": numeric_match.grade,
    "normalized_match": normalized_match.grade,
    "token_f1": token_f1.grade,
    "math_equivalence": math_equivalence.grade,
    "bleu_score": bleu_score.grade,
    "rouge_score": rouge_score.grade,
    "chrf_score": chrf_score.grade,
    "file_content_match": file_content_match.grade,
    "file_exists": file_exists.grade,
    "file_json_schema": file_json_schema.grade,
    "directory_structure": directory_structure.grade,
    "postcondition": postcondition.grade,
    "code_execution": code_execution.grade,
    "tool_call_assertion": tool_call_assertion.grade,
    "suite.deterministic_tests": programs.grade_tests,
    "suite.static_analysis": programs.grade_analysis,
    "suite.state_check": state.grade,
    "suite.tool_calls": tool_calls.grade,
    "suite.trajectory_metrics": trajectory.grade,
    "suite.deterministic_assertions": assertions.grade,
    "suite.policy_check": policy.grade,
    "suite.string_match": answers.grade_strings,
    "suite.json_schema": answers.grade_schema,
    "suite.model_rubric": opinions.grade_rubric,
    "suite.pairwise_comparison": opinions.grade_pair,
    "suite.human_review": opinions.grade_review,
    "multiple_choice": multiple_choice.grade,
    "short_answer": short_answer.grade,
    "free_response": free_response.grade,
    "code_completion": code_completion.grade,
    "repo_patch": repo_patch.grade,
    "terminal_task": terminal_task.grade,
    **dict.fromkeys((f"agentv.{kind}" for kind in agentv.KINDS), agentv.grade),
}

# Graders that judge the result of a command: what is to be run for them in the workspace after the agent ended.
# They are given the agent's final output, empty where there is none.
COMMANDS: dict[str, Callable[[GraderSpec, Task, str], GraderCommand | None]] = {
    "code_execution": code_execution.command,
    "suite.deterministic_tests": programs.command,
    "suite.static_analysis": programs.command,
    "code_completion": code_completion.command,
    "repo_patch": repo_patch.command,
    "terminal_task": terminal_task.command,
}

# Graders that find out on the way what they need: programs to be run after the agent ended, models to be asked. They
# are given the evidence so far, and say what is needed next.
NEEDS: dict[str, Callable[[GraderSpec, Evidence], tuple[Need, ...]]] = {
    **dict.fromkeys((f"agentv.{kind}" for kind in agentv.NEEDING), agentv.needs),
}
# Graders that judge each turn of a conversation when it has ended, and can end the conversation.
TURNS: dict[str, Callable[[GraderSpec, Evidence], TurnState]] = {"agentv.conversation": agentv.turn}
# Graders that ask models: the names of those that a specification can ask.
MODELS: dict[str, Callable[[GraderSpec], tuple[str, ...]]] = {
    **dict.fromkeys((f"agentv.{kind}" for kind in agentv.NEEDING), agentv.models),
}

# Graders that people decide: what a reviewer scores for a specification, each from 0 to 4.
REVIEWS: dict[str, Callable[[GraderSpec], tuple[Aspect, ...]]] = {"suite.human_review": aspects}


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    """Grade a trial with the grader that a specification names; an unknown kind is the pack author's mistake."""
    grader = GRADERS.get(spec.kind)
    if grader is None:
        return finish(spec, pack_error(f"there is no grader of kind {spec.kind!r}"))
    return grader(spec, evidence)
