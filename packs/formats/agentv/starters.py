"""Starting documents for new nodes: small, and without errors as soon as they stand in a pack."""

from collections.abc import Iterator
from itertools import count
from sys import maxsize

from packs.formats.adapter import Node, PackIndex
from packs.formats.agentv.reader import NAME
from packs.formats.document import Case, Document, InputSet, NodeKind, Pack

SUITE = "evals/{}.eval.yaml"
FILE = "prompts/prompt-{}.md"


def _suite(file: str, name: str) -> Document:
    return {
        "$file": file,
        "$schema": "agentv-eval-v2",
        "name": name,
        "description": "Questions about capitals.",
        "version": "1.0",
        "execution": {"threshold": 0.8},
    }


def _test(key: str) -> Document:
    return {
        "id": key,
        "criteria": "Names the capital that is asked for.",
        "input": "What is the capital of Portugal?",
        "expected_output": "Lisbon",
        "assertions": [{"type": "contains", "value": "Lisbon"}],
    }


def new_document(kind: NodeKind, index: PackIndex | None, parent: int = 0) -> Document:
    """A small starting document; see `Adapter.new_document`."""
    match kind:
        case NodeKind.CASE:
            keys = (f"new-test-{number}" for number in count(1))
            return _test(_free(index, kind, keys, parent))
        case NodeKind.INPUT_SET:
            key = _free(index, kind, (SUITE.format(f"suite-{number}") for number in count(1)))
            return _suite(key, key.rpartition("/")[2].removesuffix(".eval.yaml"))
        case NodeKind.ASSET:
            return {"path": _free(index, kind, (FILE.format(number) for number in count(1)))}
    return {}


def _free(index: PackIndex | None, kind: NodeKind, keys: Iterator[str], parent: int = 0) -> str:
    return next(key for key in keys if index is None or not index.is_repeated(Node(kind, {}, key, "", parent, maxsize)))


def identified(document: Document, slug: str, name: str) -> Document:
    """The pack's settings under another slug and name; see `Adapter.identified`."""
    return {**document, "x-slug": slug, "x-name": name}


def starter(slug: str, name: str) -> Pack:
    """A small whole pack; see `Adapter.starter`."""
    file = SUITE.format("capitals")
    suite = InputSet(file, _suite(file, "capitals"), (Case("portugal", "", _test("portugal")),))
    return Pack(NAME, slug, identified({}, slug, name), (), (suite,))
