"""Files of a pack that are no suites: prompts, programs, templates."""

from collections.abc import Iterator

from packs.formats.adapter import Node, PackIndex
from packs.formats.findings import Finding, Rule
from packs.formats.identity import check_key
from packs.formats.paths import refused_name

NO_PLACE = Rule(
    "agentv.E021",
    "A file of the pack needs a path inside it.",
    hint="Write a path such as graders/check.py.",
)
REPEATED = Rule("agentv.E022", "Another {kind} has the path {name}.", hint="Rename or remove one of the two.")


def check_asset(index: PackIndex, node: Node) -> Iterator[Finding]:
    """The findings about a file: its path must be one that can be written, and no other's."""
    path = node.document.get("path")
    if not isinstance(path, str) or not path.strip() or refused_name(path.strip()) is not None:
        yield NO_PLACE.at(("path",))
        return
    if index.is_repeated(node):
        yield REPEATED.at(("path",), kind="file", name=repr(path[:120]))
    yield from check_key(path.strip(), ("path",))
