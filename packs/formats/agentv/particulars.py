"""What a pack states about itself that outlives one version. Suites state little: a name each, and nothing fixed."""

from collections.abc import Container, Iterator

from packs.formats.agentv.checks import refused
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.findings import Finding
from packs.formats.values import labels_in, mapping, trimmed, words_in

TITLE_POINTER = "/x-name"

# Where checks are stated.
CHECKS_AT = {NodeKind.CASE: ("/assertions", "/criteria"), NodeKind.INPUT_SET: ("/assertions",)}
KEY_POINTERS = {NodeKind.INPUT_SET: "/$file", NodeKind.CASE: "/id", NodeKind.ASSET: "/path"}


def title(document: Document) -> str:
    """The name on screen; see `Adapter.title`."""
    return trimmed(document.get("x-name"))


def labels(challenge: Document, input_set: Document, case: Document) -> dict[str, tuple[str, ...]]:
    """The tags of the suite, and what the metadata of a test and its suite says; see `Adapter.labels`."""
    stated = labels_in({**mapping(input_set.get("metadata")), **mapping(case.get("metadata"))})
    return {**stated, "tag": tuple(dict.fromkeys((*stated["tag"], *words_in(input_set.get("tags")))))}


def check_artifacts(pack: Pack, known: Container[str]) -> Iterator[Finding]:
    """What only publishing refuses: all that AgentV leaves out or cannot run; see `Adapter.check_artifacts`."""
    return refused(pack)
