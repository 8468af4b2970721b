"""Tester configurations: the file that starts one run elsewhere, and what it lets checkers run (benchmark-pack 11)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from packs.formats import yamlio
from packs.formats.document import Document
from packs.formats.environment import DANGEROUS_COMMANDS
from packs.formats.findings import Finding, Rule
from packs.formats.paths import path_trouble
from packs.formats.schema.pieces import Schema, asking, command, items, number, says, strict, text, texts, yes_no
from packs.formats.structure import Structure, described
from packs.formats.values import mapping

_HINT = "Compare the tester configuration with the format."
WRONG = Rule("benchmark_pack.E601", "{where} must be {expected}; this is {found}.", hint=_HINT, rule="ConfigError")
MISSING = Rule("benchmark_pack.E602", "{where} is missing.", hint=_HINT, rule="ConfigError")
UNKNOWN_KEY = Rule("benchmark_pack.E603", "There is no key {where} here. {advice}", hint=_HINT, rule="ConfigError")
UNSAFE_PATH = Rule("benchmark_pack.E604", "harness.config.task_file {gist}.", hint=_HINT, rule="ConfigError")

SCHEMA_VERSION = "0.2"
HARNESSES = ("codex", "claude_code", "command")
_POLICY = strict(
    "Verification",
    {
        "disallow_dangerous_commands": yes_no("Refuse dangerous commands"),
        "deny_commands": texts("Refused commands", item={"type": "string", "enum": list(DANGEROUS_COMMANDS)}),
    },
)
_SHARED = {
    "task_file": text("File of the task"),
    "timeout_seconds": number("Time limit", exclusiveMinimum=0),
    "allowed_domains": texts("Domains", item=text("Domain", pattern=r"\S")),
}
_NAME = text("Text", minLength=1, expected="text that is not empty")


def _section(title: str, *names: str) -> Schema:
    """A section whose fields are all texts that are required."""
    return strict(title, dict.fromkeys(names, _NAME), required=list(names))


def _harness(fields: dict[str, Schema], *required: str) -> Schema:
    return {"properties": {"config": strict("Settings", {**fields, **_SHARED}, required=list(required))}}


_CONFIGURATION = strict(
    "Tester configuration",
    {
        "schema_version": {"const": SCHEMA_VERSION},
        "run": _section("Run", "id", "output_dir"),
        "benchmark": _section("Benchmark", "manifest", "tasks"),
        "verification": _POLICY,
        "harness": strict(
            "Harness",
            {
                "type": {"enum": list(HARNESSES)},
                "env": items("Variables", text("Name", pattern="^[^=]+$", expected="a name of a variable, without =")),
                "config": {"type": "object"},
            },
            required=["type"],
            **asking(
                says("type", "command"),
                {**_harness({"command": command("Command", "")}, "command"), "required": ["config"]},
                _harness(dict.fromkeys(("model", "version"), text("Text", pattern=r"\S"))),
            ),
        ),
    },
    required=["schema_version", "run", "benchmark", "harness"],
)


@cache
def _structure(is_whole: bool) -> Structure:
    """Of a whole configuration, or of the section of checkers alone."""
    schema = _CONFIGURATION if is_whole else {"properties": {"verification": _POLICY}, "required": ["verification"]}
    return Structure(schema, {"required": MISSING, "additionalProperties": UNKNOWN_KEY, "any": WRONG})


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
    found = findings or yamlio.place_in(data, file, _check(document))
    if found:
        return None, found
    run, harness = document["run"], document["harness"]
    policy, config = mapping(document.get("verification")), mapping(harness.get("config"))
    return Tester(run["id"], harness["type"], policy, config), []


def read_policy(data: bytes | str, file: str = "") -> tuple[Document, list[Finding]]:
    """What checkers may run: of a whole configuration, or of a text that states its `verification` section alone."""
    document, findings = _read(data, file)
    if "schema_version" in document:
        tester, findings = read_tester(data, file)
        return (tester.policy if tester else {}), findings
    findings = findings or yamlio.place_in(data, file, _structure(is_whole=False).examine(document))
    return ({} if findings else document["verification"]), findings


def check_policy(stated: Any) -> Iterator[Finding]:
    """What is wrong with a `verification` section (benchmark-pack 11.3)."""
    yield from _structure(is_whole=False).examine({"verification": stated})


def _read(data: bytes | str, file: str) -> tuple[Document, list[Finding]]:
    document, findings = yamlio.read(data, file=file, dialect=yamlio.YAML_11)
    findings = [finding for finding in findings if finding.is_error]
    if not findings and not isinstance(document, dict):
        wrong = WRONG.at((), where="The configuration", expected="a mapping", found=described(document))
        findings = yamlio.place_in(data, file, iter([wrong]))
    return mapping(document), findings


def _check(document: Document) -> Iterator[Finding]:
    yield from _structure(is_whole=True).examine(document)
    config = mapping(mapping(document.get("harness")).get("config"))
    gist = path_trouble(config["task_file"]) if isinstance(config.get("task_file"), str) else ""
    if gist:
        yield UNSAFE_PATH.at(("harness", "config", "task_file"), gist=gist)
