"""Starting documents for new nodes: their shape, in which what only an author knows is empty."""

from collections.abc import Callable, Mapping

from packs.formats.adapter import PackIndex
from packs.formats.beginning import EXAMPLE, First
from packs.formats.benchmark_pack.families import ACTIVE, TEXT_FAMILIES
from packs.formats.benchmark_pack.header import Header, header_of
from packs.formats.benchmark_pack.reader import NAME, ROWS_FILE
from packs.formats.document import Case, Document, InputSet, NodeKind, Pack
from packs.formats.numbering import free_key

IMAGE = "python:3.12-slim"
ROW = "row-{}"

STARTS: dict[str, Document] = {
    "multiple_choice": {
        "input": {"question": "", "choices": []},
        "eval": {},
    },
    "short_answer": {
        "input": {"question": ""},
        "eval": {"accepted_answers": []},
    },
    "free_response": {
        "input": {"prompt": ""},
        "eval": {"rubric": {"type": "contains_any", "accepted_answers": []}},
    },
    "code_completion": {
        "input": {"prompt": ""},
        "eval": {"tests": {"source": "inline", "code": ""}},
    },
    "repo_patch": {
        "input": {"repo": "", "base_commit": "", "instructions": ""},
        "eval": {
            "tests": {
                "source": "command",
                "command": [],
                "workdir": "/testbed",
                "candidate_policy": {"allow_paths": []},
            }
        },
    },
    "terminal_task": {
        "input": {"instructions": ""},
        "eval": {"checker": {"command": ""}},
    },
}


def new_document(kind: NodeKind, index: PackIndex | None, parent: int = 0) -> Document:
    """A small starting document; see `Adapter.new_document`. Raises KeyError for challenges: there are none."""
    if kind is NodeKind.PACK:
        return _manifest("new-pack")
    header = header_of(index.pack) if index else Header()
    names: Mapping[NodeKind, Callable[[int], str]] = {
        NodeKind.INPUT_SET: lambda number: ROWS_FILE if number == 1 else f"tasks-{number}.jsonl",
        NodeKind.CASE: ROW.format,
        NodeKind.ASSET: lambda number: f"{header.roots[0]}file-{number}.txt",
    }
    key = free_key(index, kind, names[kind], parent)
    return _row(header, key) if kind is NodeKind.CASE else {"file" if kind is NodeKind.INPUT_SET else "path": key}


def _manifest(key: str) -> Document:
    return {"id": key, "version": 1, "defaults": {"family": "short_answer", "environment": {"image": IMAGE}}}


def _row(header: Header, key: str) -> Document:
    family = header.family if header.family in ACTIVE else "short_answer"
    own = {} if family == header.family else {"family": family}
    environment = {} if header.environment.get("image") or family in TEXT_FAMILIES else {"image": IMAGE}
    return {"id": key, **own, **STARTS[family], **({"environment": environment} if environment else {})}


def identified(document: Document, slug: str, name: str) -> Document:
    """The manifest under another name; see `Adapter.identified`. Its id is all that people read."""
    return {**document, "id": name}


def _near(first: First) -> Document:
    value, tolerance = first.number()
    return {"accepted_answers": [value], "tolerance": tolerance}


# Kind of check to what is evaluated of a short answer.
FIRST_CHECKS: Mapping[str, Callable[[First], Document]] = {
    "contains": lambda first: {"accepted_answers": [first.answer]},
    "numeric_match": _near,
}


def starter(slug: str, name: str, first: First = EXAMPLE) -> Pack:
    """A small whole pack; see `Adapter.starter`."""
    manifest = identified(_manifest(slug), slug, name)
    row: Document = {
        "id": ROW.format(1),
        "input": {"question": first.question},
        "eval": FIRST_CHECKS[first.check](first),
    }
    rows = InputSet(ROWS_FILE, {"file": ROWS_FILE}, (Case(row["id"], "", row),))
    return Pack(NAME, name, manifest, (), (rows,))
