"""The next generation of the format (agentv M): suites of it become classic ones, and classic ones are written as it.

Only mappings are changed here. What has no counterpart is reported as a pair: the field, and what becomes of it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from packs.formats.agentv.layout import SCHEME
from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.values import is_number, listing, mapping

Notes = list[tuple[str, str]]

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
_SHAPES: Mapping[type, str] = {dict: "mapping", list: "list", str: "text"}
_PROVIDER_KEYS = frozenset({"id", "label"})
_DEFAULT_KEYS = frozenset({"assert", "metadata", "vars"})


def is_successor(document: Document) -> bool:
    """Whether a suite is written for the next generation."""
    return bool(SIGNS & document.keys())


def _part(document: Document, key: str, kind: type, reported: Notes, place: str = "") -> Any:
    """The value of a key where it has the kind that is read; any other is reported, since it is left out."""
    found = document.get(key)
    if found is not None and not isinstance(found, kind):
        reported.append((f"{place}{key}", f"only a {_SHAPES[kind]} is taken over, so it is left out"))
    return found if isinstance(found, kind) else kind()


def _texts_or_list(document: Document, key: str, reported: Notes) -> list[Any]:
    """A list, or the one text that may stand for it."""
    found = document.get(key)
    return [found] if isinstance(found, str) else _part(document, key, list, reported)


def from_next(document: Document) -> tuple[Document, Notes]:
    """A suite of the next generation as a classic one, and what could not be taken over."""
    reported: Notes = []
    moved = SIGNS | {"scenarios", "environment", "assert", "tests", "transform", "extensions"}
    found = {key: value for key, value in document.items() if key not in moved}
    found |= _execution(document, reported)
    defaults = _part(document, "default_test", dict, reported)
    shared = [*_part(document, "assert", list, reported), *_part(defaults, "assert", list, reported, "default_test.")]
    reported += [(f"default_test.{key}", "it has no counterpart") for key in defaults if key not in _DEFAULT_KEYS]
    if shared:
        found["assertions"] = [_assertion(item, reported) for item in shared]
    if isinstance(defaults.get("metadata"), dict):
        found.setdefault("metadata", defaults["metadata"])
    if isinstance(document.get("tags"), dict):
        found["tags"] = [f"{key}:{value}" if value is not True else key for key, value in document["tags"].items()]
    if "transform" in document:
        found["preprocessors"] = document["transform"]
    found |= _workspace(document, reported)
    if "scenarios" in document:
        reported.append(("scenarios", "they have no counterpart; write each as a test"))
    prompts = _texts_or_list(document, "prompts", reported)
    if len(prompts) > 1:
        reported.append(("prompts", "only the first prompt is taken over"))
    tests = document.get("tests")
    values = _part(defaults, "vars", dict, reported, "default_test.")
    if isinstance(tests, list):
        tests = [_test(item, prompts, values, reported) for item in tests]
    else:
        apart = {"prompts": [text for text in prompts[:1] if not _is_ask(text)], "default_test.vars": values}
        reported += [(name, "the tests stand elsewhere, so write it into them") for name, part in apart.items() if part]
    return ({**found, "tests": tests} if tests is not None else found), reported


def _execution(document: Document, reported: Notes) -> Document:
    found: Document = dict(_part(document, "execution", dict, reported))
    providers = _texts_or_list(document, "providers", reported)
    names = [_label(provider) for provider in providers]
    for name, provider in zip(names, providers, strict=True):
        left = sorted(map(str, mapping(provider).keys() - _PROVIDER_KEYS))
        reported += [
            ("providers", f"{key} of {name} is left out; targets have their settings elsewhere") for key in left
        ]
    if len(names) == 1:
        found["target"] = names[0]
    elif names:
        found["targets"] = names
    options = _part(document, "evaluate_options", dict, reported)
    found |= {_OPTIONS[key]: value for key, value in options.items() if key in _OPTIONS}
    if "repeat" in options:
        found["trials"] = {"count": options["repeat"]} if is_number(options["repeat"]) else options["repeat"]
    reported += [
        (f"evaluate_options.{key}", "it has no counterpart") for key in options if key not in (*_OPTIONS, "repeat")
    ]
    return {"execution": found} if found else {}


def _label(provider: Any) -> str:
    stated = mapping(provider)
    return str(stated.get("label") or stated.get("id") or provider)


def _workspace(document: Document, reported: Notes) -> Document:
    environment = document.get("environment")
    stated = mapping(environment)
    found: Document = {}
    if isinstance(environment, str):
        reported.append(("environment", "the file that it names is not read; write its fields into `workspace`"))
    if stated.get("type") == "docker" and is_text(stated.get("image")):
        found["docker"] = {"image": stated["image"]}
    hooks: Document = {}
    if isinstance(stated.get("setup"), dict):
        hooks["before_all"] = stated["setup"]
    for item in _part(document, "extensions", list, reported):
        path, _, point = str(item).rpartition(":")
        if _POINTS.get(point) in hooks:
            reported.append(("extensions", f"{str(item)[:80]} is the second at its point and is left out"))
        elif point in _POINTS and path.startswith(SCHEME):
            hooks[_POINTS[point]] = {"command": [path.removeprefix(SCHEME)]}
        else:
            reported.append(("extensions", f"{str(item)[:80]} is no script at a known point"))
    known = {"type", *(("image",) if found else ()), *(("setup",) if isinstance(stated.get("setup"), dict) else ())}
    reported += [(f"environment.{key}", "it has no counterpart") for key in stated if key not in known]
    if hooks:
        found["hooks"] = hooks
    return {"workspace": found} if found else {}


def _test(item: Any, prompts: list[Any], shared: Document, reported: Notes) -> Any:
    if not isinstance(item, dict):
        return item
    place = f"tests[{item.get('id')}]."
    values = {**shared, **_part(item, "vars", dict, reported, place)}
    found = {key: value for key, value in item.items() if key not in ("assert", "vars")}
    expected = values.pop("expected_output", None)
    stated = item.get("input", prompts[0] if prompts else None)
    if _is_ask(stated) and "input" in values:
        stated = values.pop("input")
    if stated is not None:
        found["input"] = stated
    if expected is not None:
        found["expected_output"] = expected
    if values:
        found["vars"] = values
    if "assert" in item:
        found["assertions"] = [_assertion(each, reported) for each in _part(item, "assert", list, reported, place)]
    return found


def _is_ask(prompt: Any) -> bool:
    """Whether a prompt only hands on the input of its test."""
    return isinstance(prompt, str) and prompt.replace(" ", "") == ASK.replace(" ", "")


def _renamed(item: Document, names: Mapping[str, str]) -> Document:
    return {names.get(key, key): value for key, value in item.items()}


def _assertion(item: Any, reported: Notes) -> Any:
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
        reported.append(("assert", f"the type {kind} has no counterpart and is kept as it is"))
    if kind in ("llm-rubric", "agent-rubric") and "value" in found:
        value = found.pop("value")
        found |= {"rubrics": value} if isinstance(value, list) else {"prompt": value}
    found["type"] = TYPES.get(kind, kind)
    if isinstance(found.get("assertions"), list):
        found["assertions"] = [_assertion(each, reported) for each in found["assertions"]]
    return found


def to_next(document: Document, tests: list[Any] | None) -> tuple[Document, Notes]:
    """A classic suite, with the tests that stand in it, as one of the next generation; and what it cannot say."""
    reported: Notes = []
    moved = ("execution", "assertions", "workspace", "preprocessors", "tags", "input", "tests", "$schema", "target")
    found = {key: value for key, value in document.items() if key not in moved}
    tags = _part(document, "tags", list, reported)
    if tags:
        found["tags"] = {str(tag): True for tag in tags}
    alone = {"target": document["target"]} if "target" in document else {}
    found |= _options(alone | _part(document, "execution", dict, reported), reported)
    found |= _environment(document.get("workspace"), reported, "workspace")
    found["prompts"] = [_prompt(document.get("input"))]
    if "preprocessors" in document:
        found["transform"] = document["preprocessors"]
    if "assertions" in document:
        found["assert"] = [_next_assertion(item, reported) for item in _part(document, "assertions", list, reported)]
    if tests is not None:
        found["tests"] = [next_test(item, reported) for item in tests]
    elif "tests" in document:
        found["tests"] = document["tests"]
    return found, reported


def _prompt(shared: Any) -> Any:
    if shared is None:
        return ASK
    messages = shared if isinstance(shared, list) else [{"role": "user", "content": shared}]
    return [*messages, {"role": "user", "content": ASK}]


def _options(execution: Document, reported: Notes) -> Document:
    found: Document = {}
    targets = _part(execution, "targets", list, reported, "execution.")
    if targets and "target" in execution:
        reported.append(("execution.target", "the list of targets takes its place"))
    targets = targets or [execution[key] for key in ("target",) if key in execution]
    if targets:
        found["providers"] = [_provider(target, reported) for target in targets]
    options = {new: execution[old] for new, old in _OPTIONS.items() if old in execution}
    trials = _part(execution, "trials", dict, reported, "execution.")
    if "count" in trials:
        options["repeat"] = trials["count"]
    reported += [
        (f"execution.trials.{key}", "it has no counterpart and is left out") for key in trials if key != "count"
    ]
    if options:
        found["evaluate_options"] = options
    rest = {
        key: value for key, value in execution.items() if key not in ("target", "targets", "trials", *_OPTIONS.values())
    }
    return {**found, "execution": rest} if rest else found


def _provider(target: Any, reported: Notes) -> Any:
    if not isinstance(target, dict):
        return target
    if "hooks" in target:
        reported.append(("execution.targets", f"hooks of the target {target.get('name')} are left out"))
    return {"id": target.get("use_target", target.get("name")), "label": target.get("name")}


def _environment(stated: Any, reported: Notes, field: str) -> Document:
    if stated is None:
        return {}
    if isinstance(stated, str):
        reported.append((field, "the file that it names is in the classic form and is left out"))
        return {}
    if not isinstance(stated, dict):
        reported.append((field, "only a mapping is taken over, so it is left out"))
        return {}
    docker = _part(stated, "docker", dict, reported, f"{field}.")
    reported += [(f"{field}.docker.{key}", "it has no counterpart and is left out") for key in docker if key != "image"]
    image = docker.get("image")
    environment: Document = {"type": "docker", "image": image} if image else {"type": "host"}
    extensions = list(_extensions(_part(stated, "hooks", dict, reported, f"{field}."), reported, f"{field}.hooks."))
    reported += [
        (f"{field}.{key}", "it has no counterpart and is left out") for key in stated if key not in ("hooks", "docker")
    ]
    return {"environment": environment} | ({"extensions": extensions} if extensions else {})


def _extensions(hooks: Document, reported: Notes, place: str) -> Iterator[str]:
    """The hooks that a script alone can say; the others, and what else they say, are reported."""
    for point, stated in hooks.items():
        command = listing(mapping(stated).get("command"))
        if point in _NAMES and len(command) in (1, 2) and "." in str(command[-1]):
            rest = [f"{place}{point}.{key}" for key in mapping(stated) if key != "command"]
            reported += [(name, "it has no counterpart and is left out") for name in rest]
            yield f"file://{command[-1]}:{_NAMES[point]}"
        else:
            reported.append((f"{place}{point}", "only a script alone can be said, so it is left out"))


def next_test(item: Any, reported: Notes) -> Any:
    """A classic test as one of the next generation."""
    if not isinstance(item, dict):
        return item
    name = item.get("id")
    moved = ("criteria", "input", "expected_output", "assertions", "vars", "workspace")
    found = {key: value for key, value in item.items() if key not in moved}
    place = f"tests[{name}]."
    values = dict(_part(item, "vars", dict, reported, place))
    own = {key: item[key] for key in ("input", "expected_output") if key in item}
    reported += [(f"{place}vars.{key}", "the test's own one takes its place") for key in own if key in values]
    values |= own
    if values:
        found["vars"] = values
    assertions = [_next_assertion(each, reported) for each in _part(item, "assertions", list, reported, place)]
    criteria = _part(item, "criteria", str, reported, place)
    if is_text(criteria):
        assertions = [criteria, *assertions]
    if assertions:
        found["assert"] = assertions
    if "workspace" in item:
        reported.append((f"{place}workspace", "a test has no environment of its own, so it is left out"))
    return found


def _next_assertion(item: Any, reported: Notes) -> Any:
    if not isinstance(item, dict) or "type" not in item:
        return item
    found = _renamed(item, {"name": "metric", "target": "provider", "assertions": "assert"})
    found.pop("negate", None)
    kind = str(item["type"]).replace("_", "-")
    if is_number(item.get("required")):
        found |= {"required": True, "min_score": item["required"]}
    kind = _next_type(kind, found, reported)
    is_turned = item.get("negate") is True or (kind == "skill-used" and found.pop("should_trigger", True) is False)
    found["type"] = f"not-{kind}" if is_turned else kind
    if isinstance(found.get("assert"), list):
        found["assert"] = [_next_assertion(each, reported) for each in found["assert"]]
    return found


def _next_type(kind: str, found: Document, reported: Notes) -> str:
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
                reported.append(("assert", f"the mode {mode} of tool-trajectory is written as a plain sequence"))
            return known.get(str(mode), "trajectory:tool-sequence")
    return kind
