"""The YAML lens: one node's document as text that the author edits."""

from dataclasses import replace

from packs.formats import yamlio
from packs.formats.benchmark_pack.rows import tidy
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule

NOT_A_DOCUMENT = Rule(
    "benchmark_pack.E005",
    "A document is a mapping of fields; this is something else.",
    hint="Write one field in each line, as in `key: value`.",
    rule="ConfigError",
)


def load_node(kind: NodeKind, text: str) -> tuple[Document | None, list[Finding]]:
    """Read one node's document from lens text; see `Adapter.load_node`."""
    # In files rows are JSON, so no other reader has a say in how their YAML is read here.
    dialect = yamlio.YAML_11 if kind is NodeKind.PACK else yamlio.CORE_12
    value, findings = yamlio.read(text, file="", dialect=dialect)
    if isinstance(value, dict):
        return (tidy(value) if kind is NodeKind.CASE else value), findings
    if not any(finding.is_error for finding in findings):
        findings.append(replace(NOT_A_DOCUMENT.at(()), line=1, column=1))
    return None, findings
