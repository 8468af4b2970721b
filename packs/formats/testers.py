"""Tester configurations: the file that starts one run elsewhere, and what it lets checkers run (benchmark-pack 11)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats import yamlio
from packs.formats.document import Document
from packs.formats.environment import DANGEROUS_COMMANDS
from packs.formats.findings import Finding, Path, Rule, render_path
from packs.formats.paths import path_trouble
from packs.formats.values import is_command, is_finite, is_text, mapping

WRONG = Rule(
    "benchmark_pack.E601",
    "{name} {gist}.",
    hint="Compare the tester configuration with the format.",
    rule="ConfigError",
)
SCHEMA_VERSION = "0.2"
HARNESSES = ("codex", "claude_code", "command")


@dataclass(frozen=True, slots=True)
class Tester:
    """A sound tester configuration; `policy` is its `verification` section, `config` that of its harness."""

    run_id: str
    harness: str
    policy: Document = field(default_factory=dict)
    config: Document = field(default_factory=dict)


def read_tester(data: bytes | str, file: str = "") -> tuple[Tester | None, list[Finding]]:
    """A tester configuration, or None with everything that is wrong with it."""
    document, findings = _read(data, file)
    if findings:
        return None, findings
    found = yamlio.place_in(data, file, _check(document))
    if found or not isinstance(document, dict):
        return None, found
    run, harness = document["run"], document["harness"]
    policy, config = mapping(document.get("verification")), mapping(harness.get("config"))
    return Tester(run["id"], harness["type"], policy, config), []


def read_policy(data: bytes | str, file: str = "") -> tuple[Document, list[Finding]]:
    """What checkers may run: of a whole configuration, or of a text that states its `verification` section alone."""
    document, findings = _read(data, file)
    if findings:
        return {}, findings
    if isinstance(document, dict) and "schema_version" in document:
        tester, found = read_tester(data, file)
        return (tester.policy if tester else {}), found
    if not isinstance(document, dict) or not isinstance(document.get("verification"), dict):
        return {}, yamlio.place_in(data, file, iter([_wrong(("verification",), "must be an object")]))
    return document["verification"], yamlio.place_in(data, file, check_policy(document["verification"]))


def _read(data: bytes | str, file: str) -> tuple[Any, list[Finding]]:
    document, findings = yamlio.read(data, file=file, dialect=yamlio.YAML_11)
    return document, [finding for finding in findings if finding.is_error]


def _check(document: Any) -> Iterator[Finding]:
    if not isinstance(document, dict):
        yield _wrong((), "must be a mapping")
        return
    yield from _unknown(document, (), ("schema_version", "run", "benchmark", "verification", "harness"))
    if document.get("schema_version") != SCHEMA_VERSION:
        yield _wrong(("schema_version",), f'must be "{SCHEMA_VERSION}"')
    yield from _texts(document, "run", ("id", "output_dir"))
    yield from _texts(document, "benchmark", ("manifest", "tasks"))
    if "verification" in document:
        yield from check_policy(document["verification"])
    yield from _check_harness(document.get("harness"))


def _texts(document: Document, name: str, fields: tuple[str, ...]) -> Iterator[Finding]:
    """A section whose fields are all texts that are required."""
    value = document.get(name)
    if not isinstance(value, dict):
        yield _wrong((name,), "must be an object")
        return
    yield from _unknown(value, (name,), fields)
    for one in fields:
        if not isinstance(value.get(one), str) or not value[one]:
            yield _wrong((name, one), "must be text that is not empty")


def check_policy(value: Any) -> Iterator[Finding]:
    """The `verification` section (benchmark-pack 11.3)."""
    at: Path = ("verification",)
    if not isinstance(value, dict):
        yield _wrong(at, "must be an object")
        return
    yield from _unknown(value, at, ("disallow_dangerous_commands", "deny_commands"))
    if not isinstance(value.get("disallow_dangerous_commands", True), bool):
        yield _wrong((*at, "disallow_dangerous_commands"), "must be true or false")
    denied = value.get("deny_commands", [])
    if not isinstance(denied, list):
        yield _wrong((*at, "deny_commands"), "must be a list")
        return
    for index, name in enumerate(denied):
        if not isinstance(name, str) or name not in DANGEROUS_COMMANDS:
            yield _wrong((*at, "deny_commands", index), f"must be one of {', '.join(DANGEROUS_COMMANDS)}")


def _check_harness(value: Any) -> Iterator[Finding]:
    at: Path = ("harness",)
    if not isinstance(value, dict):
        yield _wrong(at, "must be an object")
        return
    yield from _unknown(value, at, ("type", "env", "config"))
    kind = value.get("type")
    if kind not in HARNESSES:
        yield _wrong((*at, "type"), f"must be one of {', '.join(HARNESSES)}")
    names = value.get("env", [])
    if not isinstance(names, list):
        yield _wrong((*at, "env"), "must be a list")
    for index, name in enumerate(names if isinstance(names, list) else ()):
        if not isinstance(name, str) or not name or "=" in name:
            yield _wrong((*at, "env", index), "must be the name of a variable, without `=`")
    config = value.get("config", {})
    if not isinstance(config, dict):
        yield _wrong((*at, "config"), "must be an object")
    elif kind in HARNESSES:
        yield from _check_config(str(kind), config)


def _check_config(kind: str, config: Document) -> Iterator[Finding]:
    at: Path = ("harness", "config")
    rules = _COMMAND if kind == "command" else _TOOL
    yield from _unknown(config, at, tuple(rules))
    for name, (is_fine, expected) in rules.items():
        if name in config and not is_fine(config[name]):
            yield _wrong((*at, name), expected)
    if kind == "command" and "command" not in config:
        yield _wrong((*at, "command"), "is required")


Rules = Mapping[str, tuple[Callable[[Any], bool], str]]
_SHARED: Rules = {
    "task_file": (lambda value: not path_trouble(value), "must be a safe path inside of the workspace"),
    "timeout_seconds": (lambda value: is_finite(value) and value > 0, "must be a number above 0"),
    "allowed_domains": (lambda value: isinstance(value, list) and all(map(is_text, value)), "must be a list of texts"),
}
_COMMAND: Rules = {"command": (is_command, "must be text or a list of texts"), **_SHARED}
_TOOL: Rules = {"model": (is_text, "must be text"), "version": (is_text, "must be text"), **_SHARED}


def _unknown(value: Document, at: Path, known: tuple[str, ...]) -> Iterator[Finding]:
    names = sorted(str(name) for name in value.keys() - set(known))
    if names:
        yield _wrong(at, f"contains fields that are not known: {', '.join(names)}")


def _wrong(path: Path, gist: str) -> Finding:
    name = render_path(path) or "root"
    return WRONG.at(path, field=name, name=name, gist=gist)
