"""Suites with one to three things in them done otherwise, the same ones for the same seeds."""

import random
from copy import deepcopy
from typing import Any

ODD: tuple[Any, ...] = (
    None, "", "  ", "text", 0, 1, -1, 0.5, 3.7, True, False, [], {}, ["a"], [None], [""], ["a", 3], {"a": 1},
    {"role": "user"}, {"role": "robot", "content": "hi"}, [{"role": "user", "content": "hi"}],
    [{"role": "tool", "content": "hi"}], [{"role": "user", "content": [{"type": "file", "value": "absent.md"}]}],
    "file://absent.md", "file://absent.json", "./absent.yaml", "./absent", "@[User]: hi", "conversation", "contains",
    "llm-grader", "code_grader", "llm-judge", "nobody-knows", "in_order", ["python", "./absent.py"],
    {"command": ["python", "./absent.py"]}, {"type": "contains", "value": "a"}, {"type": "text", "value": "a"},
    [{"type": "text", "value": 3}], {"include": "absent"}, "(", "a" * 70,
)  # fmt: skip
KEYS = (
    "id", "criteria", "input", "input_files", "expected_output", "assertions", "execution", "workspace", "metadata",
    "mode", "turns", "aggregation", "on_turn_failure", "window_size", "depends_on", "vars", "rubrics", "evaluators",
    "assert", "expected_outcome", "name", "type", "value", "weight", "required", "min_score", "negate", "prompt",
    "command", "target", "role", "content", "tool_calls", "tests", "eval_cases", "repos", "hooks", "template",
    "isolation", "path", "repo", "commit", "base_commit", "source", "description", "version", "tags", "requires",
    "preprocessors", "threshold", "outcome", "score_ranges", "fields", "expected", "minimums", "aggregator",
    "conversation_id", "suite", "skip_defaults", "cwd", "reset", "before_each", "docker", "image", "slip_of_the_pen",
)  # fmt: skip


def changed(document: Any, seed: int) -> Any:
    """The document with something done otherwise inside it."""
    chance, found = random.Random(seed), deepcopy(document)
    for _ in range(chance.choice((1, 1, 2, 3))):
        places = _places(found)
        if places:
            _change(chance, *chance.choice(places))
    return found


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys or indices."""
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [found for step in steps for found in [(value, step), *_places(value[step])]]


def _change(chance: random.Random, holder: Any, step: Any) -> None:
    deed = chance.choice(("replace", "replace", "replace", "remove", "repeat", "add", "wrap", "move"))
    value = holder[step]
    if deed == "remove":
        del holder[step]
    elif deed == "repeat" and isinstance(holder, list):
        holder.insert(step, deepcopy(value))
    elif deed == "add" and isinstance(value, dict):
        value[chance.choice(KEYS)] = deepcopy(chance.choice(ODD))
    elif deed == "wrap":
        holder[step] = chance.choice(([value], {"value": value}))
    elif deed == "move" and isinstance(holder, dict):
        holder[chance.choice(KEYS)] = holder.pop(step)
    else:
        holder[step] = deepcopy(chance.choice(ODD))
