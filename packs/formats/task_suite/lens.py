"""The YAML lens: one node's document as text that the author edits."""

from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding
from packs.formats.task_suite.reading import read_mapping


def load_node(kind: NodeKind, text: str) -> tuple[Document | None, list[Finding]]:
    """Read one node's document from lens text; see `Adapter.load_node`."""
    return read_mapping(text)
