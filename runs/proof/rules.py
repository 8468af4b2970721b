"""What a case's own graders say of answers: how far off a number may be, whether letters matter, what they look for."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import orjson

from packs.formats.kinds import KINDS, Target
from packs.formats.leaks import texts_of
from packs.formats.task import EXECUTING, GraderSpec, Task
from runs.proof.shapes import NUMBER, parsed, same

_JUDGING_PROGRAMS = frozenset({"agentv.code-grader", "agentv.composite"})
# How targets of graders begin that show parts of a conversation.
_SAID = ("transcript.", "turn.")
_CODE = frozenset({"code_completion", "code_execution"})
# Kinds that look at what was done, not at what was said; `KINDS` says it of those that look at tool calls.
_BESIDE_ANSWERS = frozenset(
    {
        "agentv.cost",
        "agentv.execution-metrics",
        "agentv.latency",
        "agentv.token-usage",
        "agentv.tool-trajectory",
        "code_execution",
        "suite.deterministic_tests",
        "suite.policy_check",
        "suite.state_check",
        "suite.static_analysis",
        "suite.tool_calls",
        "suite.trajectory_metrics",
        "terminal_task",
    }
)
_COSTING = frozenset({"agentv.cost", "agentv.execution-metrics"})
# Words by which a case asks for one way to write its answer, so that others are rightly refused.
_EXACTLY = re.compile(
    r"\b(only|exactly|just|nothing else|no other|no (?:words|punctuation|markdown|explanation|code)|without|verbatim|"
    r"raw|single (?:letter|word|number|line)|one (?:letter|word|number|line))\b",
    re.IGNORECASE,
)
# Fields that hold an answer as agents would give it.
_WHOLE = frozenset({"reference_answer", "reference_solution", "canonical_solution"})
_ABSOLUTE = frozenset({"tolerance", "absolute_tolerance"})
_RELATIVE = frozenset({"relative_tolerance"})
# A pattern from the beginning of a text to its end. One with alternatives may be bound at one side alone.
_WHOLE_PATTERN = re.compile(r"(?:\(\?[is]+\))?(?:\^|\\A)(?:[^|\\()]|\\.|\([^()]*\))*(?:\$|\\z)", re.DOTALL)
# Kinds that cannot be tight by the definition of their format, and what is tighter.
_WEAK = {
    "short_answer": "A short answer counts wherever it stands in what is said; ask for a letter or for JSON instead.",
    "multiple_choice": "The last of several letters counts; accept this once for the pack in proof.yaml.",
    "free_response": "A rubric of words counts them wherever they stand; ask for JSON, or let a judge decide.",
    "agentv.contains": "A text that contains the answer passes, whatever else it says; use `equals` or `regex`.",
    "agentv.icontains": "A text that contains the answer passes, whatever else it says; use `equals` or `regex`.",
    "suite.string_match": "A text that contains the pattern passes, whatever else it says; anchor it with ^ and $.",
}


def looks_beside_answers(kind: str) -> bool:
    """Whether a kind of grader looks at what was done, not at what was said."""
    return kind in _BESIDE_ANSWERS or (kind in KINDS and KINDS[kind].target is Target.TOOL_CALLS)


def is_code(task: Task) -> bool:
    """Whether the answer itself is a program."""
    return any(grader.kind in _CODE for grader in task.graders)


def works_on_files(task: Task) -> bool:
    """Whether an agent is to leave something in a workspace."""
    has_workspace = bool(task.environment.files or task.environment.captures or runs_programs(task))
    return has_workspace and task.environment.mode != "prompt_eval"


def runs_programs(task: Task) -> bool:
    """Whether graders have programs run over what an agent left."""
    return any(grader.kind in EXECUTING for grader in task.graders)


def asks_programs(task: Task) -> bool:
    """The same, or whether programs of the pack judge by themselves."""
    return runs_programs(task) or any(grader.kind in _JUDGING_PROGRAMS for grader in task.graders)


def reads_events(task: Task) -> bool:
    """Whether graders look at what an agent did, or at its conversation, and not at its answer and files alone."""
    looks = any(
        looks_beside_answers(grader.kind) or grader.kind in _JUDGING_PROGRAMS or (grader.target or "").startswith(_SAID)
        for grader in task.graders
    )
    return looks or task.conversation is not None or bool(task.judges)


def reads_costs(task: Task) -> bool:
    """Whether graders look at what a trial cost beside the answer, as those of AgentV may."""
    return any(grader.kind in _COSTING for grader in task.graders)


def looks_at_answer(task: Task) -> bool:
    """Whether some grader looks at the answer in words; where all look at files, its words may be anything."""
    targets = {grader.target or "final_output" for grader in task.graders if not looks_beside_answers(grader.kind)}
    return bool(task.judges) or any(target in ("final_output", "run.final_output") for target in targets)


def mark_of(task: Task) -> str:
    """A mark of what the graders look for, equal for cases that look for the same."""
    looks = [
        (grader.kind, grader.target, grader.expected, without_case(grader.config), _resolved(task, grader.expected))
        for grader in task.graders
    ]
    return hashlib.sha256(orjson.dumps(looks, default=str, option=orjson.OPT_SORT_KEYS)).hexdigest()


def without_case(config: dict[str, Any] | None) -> Any:
    """The settings without the whole case, which compilers of some formats hand over with them."""
    return {name: part for name, part in (config or {}).items() if name not in ("test", "inputs", "case")}


def _resolved(task: Task, expected: str) -> Any:
    """What a reference into the case's own expectations stands for."""
    return task.evidence.stored.get("expectations") if expected.startswith("case.") else None


def settings_in(value: Any) -> Iterator[tuple[str, Any]]:
    """Every setting inside of the settings of a grader, with its name."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name, part
            yield from settings_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from settings_in(part)


def tolerance_of(task: Task, reference: str) -> float:
    """How far a number may be off, by the widest rule of any grader."""
    found = NUMBER.fullmatch(reference.strip())
    size = abs(float(found[0])) if found else 0.0
    widest = 0.0
    for grader in task.graders:
        stated = dict(settings_in(without_case(grader.config)))
        is_share = stated.get("relative") is True or stated.get("tolerance_mode") == "relative"
        for name, value in stated.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if name in _RELATIVE or (name in _ABSOLUTE and is_share):
                widest = max(widest, value * size)
            elif name in _ABSOLUTE:
                widest = max(widest, float(value))
    return widest


def asks_exactly(task: Task) -> bool:
    """Whether what agents read asks for one way to write the answer."""
    read = " ".join([task.question or task.prompt, *texts_of(task.visible)])
    return bool(_EXACTLY.search(read))


def lone_expectation(task: Task) -> str | None:
    """The one expectation of a case that no check compares with: what its author expects of the answer, in words."""
    stated = task.evidence.stored.get("expectations")
    is_compared = any(grader.expected.startswith("case.") for grader in task.graders)
    if is_compared or not isinstance(stated, list) or len(stated) != 1 or not isinstance(stated[0], dict):
        return None
    value = stated[0].get("value")
    return value if isinstance(value, str) or value is None else orjson.dumps(value).decode()


def other_references(task: Task) -> list[str]:
    """What a case states as whole answers of another place than its reference; each of them is meant to pass."""
    stated = [answer.text for answer in task.answers or () if answer.path[-1:] and answer.path[-1] in _WHOLE]
    # Where a check has the answer in words of its own, the case may say otherwise.
    lone = None if task.judges else lone_expectation(task)
    stated += [lone] if lone is not None else []
    return [text for text in stated if task.reference is not None and not same(text, task.reference)]


def values_beside(task: Task, value: Any) -> list[Any]:
    """The other values among which schemas of the graders have this one (`enum`), in their order."""
    stated = [without_case(grader.config) for grader in task.graders]
    stated += [parsed(grader.expected.removeprefix("literal:")) for grader in task.graders]
    listed = (part for each in stated for name, part in settings_in(each) if name == "enum" and isinstance(part, list))
    return next(([other for other in part if other != value] for part in listed if value in part), [])


def weakness_of(task: Task) -> str:
    """What the kinds of a case's graders cannot refuse by their definition; empty where there is no such kind."""
    return next((found for each in task.graders if (found := _weakness(each.kind)) and not _is_anchored(each)), "")


def _weakness(kind: str) -> str:
    return KINDS[kind].weakness if kind in KINDS else _WEAK.get(kind, "")


def _is_anchored(grader: GraderSpec) -> bool:
    """Whether patterns of a grader say the whole text already."""
    stated = (grader.config or {}).get("grader") or {}
    patterns = stated.get("patterns") if stated.get("regex") is True else None
    if not isinstance(patterns, list) or not patterns:
        return False
    whole = [isinstance(pattern, str) and _WHOLE_PATTERN.fullmatch(pattern) is not None for pattern in patterns]
    return any(whole) if stated.get("mode", "any") == "all" else all(whole)
