"""Structure: what breaks the published schema of a task (task-suite 2.2, TS-101 to TS-107)."""

from collections.abc import Callable, Iterator, Mapping

from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.schema import Violation
from packs.formats.task_suite.schema.interchange import CHECK

MISSING = Rule("task_suite.E101", "The field {name} is missing.", hint="Every task has {name}; add it.", rule="TS-101")
WRONG_TYPE = Rule(
    "task_suite.E102",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here; quotes make a text out of anything.",
    rule="TS-102",
)
NOT_LISTED = Rule(
    "task_suite.E103", "{value} is none of the values of {name}.", hint="Use one of: {known}.", rule="TS-103"
)
TOO_SMALL = Rule(
    "task_suite.E104", "{name} must be at least {limit}.", hint="Try each task at least once.", rule="TS-104"
)
CLOSED = Rule(
    "task_suite.E105", "There is no key {name} here.", hint="Only k and metric say how often to try.", rule="TS-105"
)
EMPTY_LIST = Rule("task_suite.E106", "{name} is empty.", hint="Add at least one entry.", rule="TS-106")
NO_TYPE = Rule(
    "task_suite.E107",
    "The grader does not say its type.",
    hint="Add a type such as deterministic_tests.",
    rule="TS-107",
)

_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "object": "a mapping",
    "array": "a list",
    "boolean": "true or false",
}


def examine(document: Document) -> list[Finding]:
    """The findings about the structure of a task; paths start at its document. One for each value."""
    found: dict[Path, Finding] = {}
    for violation in CHECK.violations(document):
        for finding in _findings(violation):
            if finding.path not in found or finding.code == WRONG_TYPE.code:
                found[finding.path] = finding
    return list(found.values())


def _findings(violation: Violation) -> Iterator[Finding]:
    tell = _TELLERS.get(violation.keyword)
    if tell is not None:
        yield from tell(violation, str(violation.path[-1]) if violation.path else "the task")


def _required(violation: Violation, name: str) -> Iterator[Finding]:
    missing = violation.expected if isinstance(violation.expected, list) else [violation.expected]
    for key in missing:
        if violation.path[:1] == ("graders",):
            yield NO_TYPE.at((*violation.path, key))
        else:
            yield MISSING.at((*violation.path, key), name=key)


def _type(violation: Violation, name: str) -> Iterator[Finding]:
    wanted = violation.expected if isinstance(violation.expected, list) else [violation.expected]
    expected = " or ".join(_TYPES.get(str(each), str(each)) for each in wanted)
    yield WRONG_TYPE.at(violation.path, name=_called(violation.path), expected=expected, found=_found(violation))


def _found(violation: Violation) -> str:
    shown = violation.message.partition(" is not of type")[0]
    return shown if len(shown) <= 60 else "something else"


def _called(path: Path) -> str:
    name = next((str(step) for step in reversed(path) if isinstance(step, str)), "the task")
    return f"an entry of {name}" if path and isinstance(path[-1], int) else name


def _enum(violation: Violation, name: str) -> Iterator[Finding]:
    value = violation.message.partition(" is not one of")[0][:80]
    known = ", ".join(str(option) for option in violation.expected)
    yield NOT_LISTED.at(violation.path, value=value, name=name, known=known)


def _minimum(violation: Violation, name: str) -> Iterator[Finding]:
    yield TOO_SMALL.at(violation.path, name=name, limit=violation.expected)


def _additional(violation: Violation, name: str) -> Iterator[Finding]:
    for key in violation.expected:
        yield CLOSED.at((*violation.path, key), name=repr(key))


def _items(violation: Violation, name: str) -> Iterator[Finding]:
    yield EMPTY_LIST.at(violation.path, name=name)


_TELLERS: Mapping[str, Callable[[Violation, str], Iterator[Finding]]] = {
    "required": _required,
    "type": _type,
    "enum": _enum,
    "minimum": _minimum,
    "additionalProperties": _additional,
    "minItems": _items,
}
