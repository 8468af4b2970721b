"""Rules about the well-known inputs of a task (task-suite 2.5)."""

from collections.abc import Iterator, Mapping
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.task_suite.layout import leaves_pack
from packs.formats.values import listing, mapping

ALSO_AVAILABLE = Rule(
    "task_suite.E212",
    "The tool {tool} is both available and forbidden.",
    hint="Remove it from one of the two lists.",
    rule="TS-212",
)
HALF_FLAKY = Rule(
    "task_suite.W215",
    "{name} stands here without {other}.",
    hint="Name the tool that fails and how it fails, or neither.",
    rule="TS-215",
)
NO_INCIDENT = Rule(
    "task_suite.W216",
    "The replay does not say which incident it comes from.",
    hint="Put the id of the run, ticket or trace into incident_trace_ref.",
    rule="TS-216",
)
BAD_PATH = Rule(
    "task_suite.E308",
    "The path {name} is absolute, has a backslash or leads out of the pack.",
    hint="Write the path from the task's own file, such as ../_shared/rubrics/output_quality.md.",
    rule="TS-308",
)


def check_inputs(document: Document) -> Iterator[Finding]:
    """TS-212, TS-215 and TS-216, and TS-308 for the path of the repository."""
    inputs = mapping(document.get("inputs"))
    yield from _check_lists(inputs)
    for name, other in (("flaky_tool", "flaky_pattern"), ("flaky_pattern", "flaky_tool")):
        if name in inputs and other not in inputs:
            yield HALF_FLAKY.at(("inputs", name), name=name, other=other)
    if document.get("suite") == "failure_replays" and "inputs" in document and "incident_trace_ref" not in inputs:
        yield NO_INCIDENT.at(("inputs", "incident_trace_ref"))
    path, suite = inputs.get("repo_path"), document.get("suite")
    if isinstance(path, str) and leaves_pack(suite if isinstance(suite, str) else "", path):
        yield BAD_PATH.at(("inputs", "repo_path"), name=repr(path[:120]))


def _check_lists(inputs: Mapping[str, Any]) -> Iterator[Finding]:
    available = [tool for tool in listing(inputs.get("tools_available")) if isinstance(tool, str)]
    for index, tool in enumerate(listing(inputs.get("forbidden_tools"))):
        if isinstance(tool, str) and tool in available:
            yield ALSO_AVAILABLE.at(("inputs", "forbidden_tools", index), tool=repr(tool[:80]))
