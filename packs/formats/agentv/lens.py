"""The YAML lens: one node's document as text that the author edits."""

from dataclasses import replace

from packs.formats.agentv.reading import read_yaml
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule

NOT_A_MAPPING = Rule(
    "agentv.E003", "This must be a mapping of fields.", hint="Write one field in each line, as in `id: my-test`."
)


def load_node(kind: NodeKind, text: str) -> tuple[Document | None, list[Finding]]:
    """Read one node's document from lens text; see `Adapter.load_node`."""
    value, findings = read_yaml(text)
    if any(finding.is_error for finding in findings):
        return None, findings
    if not isinstance(value, dict):
        return None, [*findings, replace(NOT_A_MAPPING.at(()), line=1, column=1)]
    return value, findings
