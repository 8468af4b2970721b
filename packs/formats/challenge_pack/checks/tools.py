"""Rules about the tools that a pack defines (challenge-pack e, T2 to T12; c.5)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.challenge_pack.values import entries, given, mapping, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.syntaxes import schema_trouble

LONGEST_CHAIN = 8
ENCODINGS = ("json:", "query:", "path:")

PRIMITIVE_IS_ITSELF = Rule(
    "challenge_pack.E403", "The tool {name!r} delegates to itself.", "Name another tool as its primitive.", "T3"
)
PARAMETERS_UNUSABLE = Rule(
    "challenge_pack.E404",
    "The parameters of the tool are not a usable JSON Schema: {reason}",
    "Write a JSON Schema (2020-12) of type object.",
    "T4",
)
PLACEHOLDER_BROKEN = Rule(
    "challenge_pack.E407",
    "The placeholder {placeholder!r} is {how}.",
    "Write `${{name}}` with the name of a parameter.",
    "T7",
)
PLACEHOLDER_UNKNOWN = Rule(
    "challenge_pack.E408",
    "The placeholder {placeholder!r} names no parameter of the tool.",
    "Declare the parameter under `parameters.properties`, or use `${{parameters}}` or `${{secrets.NAME}}`.",
    "T8",
)
DELEGATION_CYCLE = Rule(
    "challenge_pack.E409",
    "The tool {name!r} delegates in a circle, through {through!r}.",
    "Let one tool of the circle use a built-in tool.",
    "T9",
)
CHAIN_TOO_LONG = Rule(
    "challenge_pack.E410",
    "The tool {name!r} delegates through more than {limit} others.",
    "Shorten the chain of tools.",
    "T10",
)


def check_tools(pack: Document) -> Iterator[Finding]:
    """T3, T4 and T7 to T10: every tool for itself, then how they delegate to one another."""
    tools = list(entries(mapping(pack, "tools"), "custom"))
    for position, tool in tools:
        yield from _check_tool(tool, ("tools", "custom", position))
    yield from _check_delegation([tool for _, tool in tools])


def is_mock(implementation: Document) -> bool:
    """Whether a tool answers by itself; none of the other rules then holds for it."""
    return text(implementation, "type").lower() == "mock"


def _check_tool(tool: Document, path: Path) -> Iterator[Finding]:
    implementation = mapping(tool, "implementation")
    if is_mock(implementation):
        return
    name, primitive = text(tool, "name"), text(implementation, "primitive")
    if primitive and primitive == name:
        yield PRIMITIVE_IS_ITSELF.at((*path, "implementation", "primitive"), name=name)
    yield from _check_parameters(tool, path)
    yield from _check_args(tool, implementation, (*path, "implementation", "args"))


def _check_parameters(tool: Document, path: Path) -> Iterator[Finding]:
    if given(tool, "parameters") and (reason := schema_trouble(tool["parameters"])):
        yield PARAMETERS_UNUSABLE.at((*path, "parameters"), reason=reason)


def _check_args(tool: Document, implementation: Document, path: Path) -> Iterator[Finding]:
    declared = {name.strip() for name in mapping(mapping(tool, "parameters"), "properties")}
    placeholders = list(_placeholders(mapping(implementation, "args"), path))
    broken = next((found for found in placeholders if found[1]), None)
    if broken:
        yield PLACEHOLDER_BROKEN.at(broken[0], how=broken[1], placeholder=broken[2])
    for place, how, placeholder in placeholders:
        if how:
            return
        if not _is_known(placeholder, declared):
            yield PLACEHOLDER_UNKNOWN.at(place, placeholder="${" + placeholder + "}")
            return


def _placeholders(value: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Every placeholder below a value: where it is, how it is broken (empty if it is not), and its text."""
    if isinstance(value, str):
        for how, placeholder in _placeholders_of_text(value):
            yield path, how, placeholder
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from _placeholders(child, (*path, key))
    elif isinstance(value, list):
        for position, child in enumerate(value):
            yield from _placeholders(child, (*path, position))


def _placeholders_of_text(written: str) -> Iterator[tuple[str, str]]:
    start = written.find("${")
    while start >= 0:
        end = written.find("}", start + 2)
        if end < 0:
            yield "never closed", written[start:]
            return
        inside = written[start + 2 : end]
        yield ("", inside) if inside.strip() else ("empty", written[start : end + 1])
        start = written.find("${", end + 1)


def _is_known(placeholder: str, declared: set[str]) -> bool:
    """Whether a placeholder stands for all arguments, a secret or a declared parameter (challenge-pack c.5)."""
    encoding = next((prefix for prefix in ENCODINGS if placeholder.startswith(prefix)), "")
    expression = placeholder.removeprefix(encoding)
    if expression == "parameters":
        return True
    if expression.startswith("secrets.") and expression.removeprefix("secrets.").strip():
        return True
    return expression.partition(".")[0] in declared


def _check_delegation(tools: list[Document]) -> Iterator[Finding]:
    delegates: dict[str, str] = {}
    for tool in tools:
        implementation = mapping(tool, "implementation")
        name, primitive = text(tool, "name"), text(implementation, "primitive")
        if name and primitive and not is_mock(implementation):
            delegates[name] = primitive
    for name in delegates:
        yield from _check_chain(name, delegates)


def _check_chain(name: str, delegates: dict[str, str]) -> Iterator[Finding]:
    visited, current = {name}, delegates[name]
    for _ in range(LONGEST_CHAIN):
        if current in visited:
            yield DELEGATION_CYCLE.at(("tools",), name=name, through=current)
            return
        if current not in delegates:
            return
        visited.add(current)
        current = delegates[current]
    yield CHAIN_TOO_LONG.at(("tools",), name=name, limit=LONGEST_CHAIN)
