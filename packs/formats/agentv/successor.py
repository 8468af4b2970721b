"""The next generation of the format (agentv M): suites of it become classic ones, and classic ones are written as it.

Only mappings are changed here. What has no counterpart is told as a pair of the field and what becomes of it.
"""

from collections.abc import Mapping
from typing import Any

from packs.formats.agentv.reading import is_number, is_text, listing, mapping
from packs.formats.document import Document

Told = list[tuple[str, str]]

# Keys that only the next generation has.
SIGNS = frozenset({"prompts", "providers", "default_test", "evaluate_options"})
TYPES: Mapping[str, str] = {
    "script": "code-grader",
    "llm-rubric": "llm-grader",
    "agent-rubric": "llm-grader",
    "assert-set": "composite",
    "skill-used": "skill-trigger",
}
TRAJECTORIES: Mapping[str, str] = {"trajectory:tool-used": "any_order", "trajectory:tool-sequence": "in_order"}
_OPTIONS = {"max_concurrency": "workers", "budget_usd": "budget_usd"}
_POINTS = {"beforeAll": "before_all", "beforeEach": "before_each", "afterEach": "after_each", "afterAll": "after_all"}
_NAMES = {new: old for old, new in _POINTS.items()}
ASK = "{{ input }}"


def is_successor(document: Document) -> bool:
    """Whether a suite is written for the next generation."""
    return bool(SIGNS & document.keys())


def from_next(document: Document) -> tuple[Document, Told]:
    """A suite of the next generation as a classic one, and what could not be taken over."""
    told: Told = []
    moved = SIGNS | {"scenarios", "environment", "assert", "tests", "transform", "extensions"}
    found = {key: value for key, value in document.items() if key not in moved}
    found |= _execution(document, told)
    defaults = mapping(document.get("default_test"))
    shared = [*listing(document.get("assert")), *listing(defaults.get("assert"))]
    if shared:
        found["assertions"] = [_assertion(item, told) for item in shared]
    if isinstance(defaults.get("metadata"), dict):
        found.setdefault("metadata", defaults["metadata"])
    if isinstance(document.get("tags"), dict):
        found["tags"] = [f"{key}:{value}" if value is not True else key for key, value in document["tags"].items()]
    if "transform" in document:
        found["preprocessors"] = document["transform"]
    found |= _workspace(document, told)
    if "scenarios" in document:
        told.append(("scenarios", "they have no counterpart; write each as a test"))
    prompts = listing(document.get("prompts"))
    if len(prompts) > 1:
        told.append(("prompts", "only the first prompt is taken over"))
    tests = document.get("tests")
    if isinstance(tests, list):
        tests = [_test(item, prompts, mapping(defaults.get("vars")), told) for item in tests]
    return ({**found, "tests": tests} if tests is not None else found), told


def _execution(document: Document, told: Told) -> Document:
    found: Document = dict(mapping(document.get("execution")))
    names = [_label(provider) for provider in listing(document.get("providers"))]
    if len(names) == 1:
        found["target"] = names[0]
    elif names:
        found["targets"] = names
    options = mapping(document.get("evaluate_options"))
    found |= {_OPTIONS[key]: value for key, value in options.items() if key in _OPTIONS}
    if "repeat" in options:
        found["trials"] = {"count": options["repeat"]} if is_number(options["repeat"]) else options["repeat"]
    told += [
        (f"evaluate_options.{key}", "it has no counterpart") for key in options if key not in (*_OPTIONS, "repeat")
    ]
    return {"execution": found} if found else {}


def _label(provider: Any) -> str:
    stated = mapping(provider)
    return str(stated.get("label") or stated.get("id") or provider)


def _workspace(document: Document, told: Told) -> Document:
    environment = document.get("environment")
    stated = mapping(environment)
    found: Document = {}
    if isinstance(environment, str):
        told.append(("environment", "the file that it names is not read; write its fields into `workspace`"))
    if stated.get("type") == "docker" and is_text(stated.get("image")):
        found["docker"] = {"image": stated["image"]}
    hooks: Document = {}
    if isinstance(stated.get("setup"), dict):
        hooks["before_all"] = stated["setup"]
    for item in listing(document.get("extensions")):
        path, _, point = str(item).rpartition(":")
        if point in _POINTS and path.startswith("file://"):
            hooks[_POINTS[point]] = {"command": [path.removeprefix("file://")]}
        else:
            told.append(("extensions", f"{str(item)[:80]} is no script at a known point"))
    told += [(f"environment.{key}", "it has no counterpart") for key in stated if key in ("workdir", "env")]
    if hooks:
        found["hooks"] = hooks
    return {"workspace": found} if found else {}


def _test(item: Any, prompts: list[Any], shared: Document, told: Told) -> Any:
    if not isinstance(item, dict):
        return item
    values = {**shared, **mapping(item.get("vars"))}
    found = {key: value for key, value in item.items() if key not in ("assert", "vars")}
    expected = values.pop("expected_output", None)
    stated = item.get("input", prompts[0] if prompts else None)
    if isinstance(stated, str) and stated.replace(" ", "") == ASK.replace(" ", "") and "input" in values:
        stated = values.pop("input")
    if stated is not None:
        found["input"] = stated
    if expected is not None:
        found["expected_output"] = expected
    if values:
        found["vars"] = values
    if "assert" in item:
        found["assertions"] = [_assertion(each, told) for each in listing(item["assert"])]
    return found


def _renamed(item: Document, names: Mapping[str, str]) -> Document:
    return {names.get(key, key): value for key, value in item.items()}


def _assertion(item: Any, told: Told) -> Any:
    if not isinstance(item, dict):
        return item
    found = _renamed(item, {"metric": "name", "provider": "target", "assert": "assertions"})
    kind = str(item.get("type", ""))
    if kind.startswith("not-"):
        kind = kind.removeprefix("not-")
        found |= {"should_trigger": False} if kind == "skill-used" else {"negate": True}
    if kind in TRAJECTORIES:
        found["mode"] = TRAJECTORIES[kind]
        kind = "tool-trajectory"
    elif kind.startswith("trajectory:"):
        told.append(("assert", f"the type {kind} has no counterpart and is kept as it is"))
    if kind in ("llm-rubric", "agent-rubric") and "value" in found:
        value = found.pop("value")
        found |= {"rubrics": value} if isinstance(value, list) else {"prompt": value}
    found["type"] = TYPES.get(kind, kind)
    if isinstance(found.get("assertions"), list):
        found["assertions"] = [_assertion(each, told) for each in found["assertions"]]
    return found


def to_next(document: Document, tests: list[Any] | None) -> tuple[Document, Told]:
    """A classic suite, with the tests that stand in it, as one of the next generation; and what it cannot say."""
    told: Told = []
    moved = ("execution", "assertions", "workspace", "preprocessors", "tags", "input", "tests", "$schema", "target")
    found = {key: value for key, value in document.items() if key not in moved}
    if isinstance(document.get("tags"), list):
        found["tags"] = {str(tag): True for tag in document["tags"]}
    found |= _options(mapping(document.get("execution")), told)
    found |= _environment(document.get("workspace"), told, "workspace")
    found["prompts"] = [_prompt(document.get("input"))]
    if "preprocessors" in document:
        found["transform"] = document["preprocessors"]
    if "assertions" in document:
        found["assert"] = [_next_assertion(item, told) for item in listing(document["assertions"])]
    if tests is not None:
        found["tests"] = [next_test(item, told) for item in tests]
    elif "tests" in document:
        found["tests"] = document["tests"]
    return found, told


def _prompt(shared: Any) -> Any:
    if shared is None:
        return ASK
    messages = shared if isinstance(shared, list) else [{"role": "user", "content": shared}]
    return [*messages, {"role": "user", "content": ASK}]


def _options(execution: Document, told: Told) -> Document:
    found: Document = {}
    targets = listing(execution.get("targets")) or [execution[key] for key in ("target",) if key in execution]
    if targets:
        found["providers"] = [_provider(target, told) for target in targets]
    options = {new: execution[old] for new, old in _OPTIONS.items() if old in execution}
    trials = mapping(execution.get("trials"))
    if "count" in trials:
        options["repeat"] = trials["count"]
    told += [(f"execution.trials.{key}", "it has no counterpart and is left out") for key in trials if key != "count"]
    if options:
        found["evaluate_options"] = options
    rest = {
        key: value for key, value in execution.items() if key not in ("target", "targets", "trials", *_OPTIONS.values())
    }
    return {**found, "execution": rest} if rest else found


def _provider(target: Any, told: Told) -> Any:
    if not isinstance(target, dict):
        return target
    if "hooks" in target:
        told.append(("execution.targets", f"hooks of the target {target.get('name')} are left out"))
    return {"id": target.get("use_target", target.get("name")), "label": target.get("name")}


def _environment(stated: Any, told: Told, field: str) -> Document:
    if stated is None:
        return {}
    if isinstance(stated, str):
        told.append((field, "the file that it names is in the classic form and is left out"))
        return {}
    workspace = mapping(stated)
    hooks = mapping(workspace.get("hooks"))
    image = mapping(workspace.get("docker")).get("image")
    environment: Document = {"type": "docker", "image": image} if image else {"type": "host"}
    extensions = []
    for point, name in _NAMES.items():
        command = listing(mapping(hooks.get(point)).get("command"))
        if len(command) in (1, 2) and "." in str(command[-1]):
            extensions.append(f"file://{command[-1]}:{name}")
        elif point in hooks:
            told.append((f"{field}.hooks.{point}", "only a script alone can be said, so it is left out"))
    told += [
        (f"{field}.{key}", "it has no counterpart and is left out")
        for key in workspace
        if key not in ("hooks", "docker")
    ]
    return {"environment": environment} | ({"extensions": extensions} if extensions else {})


def next_test(item: Any, told: Told) -> Any:
    """A classic test as one of the next generation."""
    if not isinstance(item, dict):
        return item
    name = item.get("id")
    moved = ("criteria", "input", "expected_output", "assertions", "vars", "workspace")
    found = {key: value for key, value in item.items() if key not in moved}
    values = dict(mapping(item.get("vars")))
    values |= {key: item[key] for key in ("input", "expected_output") if key in item}
    if values:
        found["vars"] = values
    assertions = [_next_assertion(each, told) for each in listing(item.get("assertions"))]
    if is_text(item.get("criteria")):
        assertions = [item["criteria"], *assertions]
    if assertions:
        found["assert"] = assertions
    if "workspace" in item:
        told.append((f"tests[{name}].workspace", "a test has no environment of its own, so it is left out"))
    return found


def _next_assertion(item: Any, told: Told) -> Any:
    if not isinstance(item, dict) or "type" not in item:
        return item
    found = _renamed(item, {"name": "metric", "target": "provider", "assertions": "assert"})
    found.pop("negate", None)
    kind = str(item["type"]).replace("_", "-")
    if is_number(item.get("required")):
        found |= {"required": True, "min_score": item["required"]}
    kind = _next_type(kind, found, told)
    is_turned = item.get("negate") is True or (kind == "skill-used" and found.pop("should_trigger", True) is False)
    found["type"] = f"not-{kind}" if is_turned else kind
    if isinstance(found.get("assert"), list):
        found["assert"] = [_next_assertion(each, told) for each in found["assert"]]
    return found


def _next_type(kind: str, found: Document, told: Told) -> str:
    match kind:
        case "code-grader":
            return "script"
        case "llm-grader" | "rubrics":
            value = next((found.pop(key) for key in ("rubrics", "criteria", "prompt") if key in found), None)
            if value is not None:
                found["value"] = value
            return "llm-rubric"
        case "composite":
            return "assert-set"
        case "skill-trigger":
            return "skill-used"
        case "tool-trajectory":
            mode = found.pop("mode", None)
            known = {old: new for new, old in TRAJECTORIES.items()} | {"exact": "trajectory:tool-sequence"}
            if mode not in ("any_order", "in_order"):
                told.append(("assert", f"the mode {mode} of tool-trajectory is written as a plain sequence"))
            return known.get(str(mode), "trajectory:tool-sequence")
    return kind
