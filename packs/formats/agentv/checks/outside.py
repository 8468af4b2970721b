"""Tests that stand in files of their own: AgentV's checks do not look there, so what they break is a warning."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from packs.formats.findings import Finding, Rule

UNCHECKED = Rule(
    "agentv.W301",
    "{message}",
    hint="{hint} AgentV's checks do not look here, so it says so only when the suite runs, or not at all.",
)
BLANK_FILE = Rule(
    "agentv.W157",
    "The file {name} is blank.",
    hint="Fill it, or leave the block out.",
    rule="S57",
)
FILE_RULES = (BLANK_FILE,)


def reported_as_warnings(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The same findings, errors as warnings that keep the number of their rule."""
    for finding in findings:
        if not finding.is_error:
            yield finding
            continue
        reported = UNCHECKED.at(finding.path, field=finding.field, message=finding.message, hint=finding.hint)
        yield replace(reported, rule=finding.rule)
