"""Starting documents for new nodes: their shape, in which what only an author knows is empty."""

from collections.abc import Callable, Mapping

from packs.formats.adapter import PackIndex
from packs.formats.agentv.reader import NAME
from packs.formats.beginning import EXAMPLE, AnswerRefused, First
from packs.formats.document import Case, Document, InputSet, NodeKind, Pack
from packs.formats.ecmascript import pattern_trouble
from packs.formats.numbering import free_key

SUITE = "evals/{}.eval.yaml"
QUESTION = "question-{}"
FILE = "prompts/prompt-{}.md"
FIXTURES = "fixtures/"


def _suite(file: str, name: str) -> Document:
    return {
        "$file": file,
        "$schema": "agentv-eval-v2",
        "name": name,
        "version": "1.0",
        "execution": {"threshold": 0.8},
    }


def new_document(kind: NodeKind, index: PackIndex | None, parent: int = 0) -> Document:
    """A small starting document; see `Adapter.new_document`."""
    match kind:
        case NodeKind.CASE:
            return {"id": free_key(index, kind, QUESTION.format, parent)}
        case NodeKind.INPUT_SET:
            key = free_key(index, kind, lambda number: SUITE.format(f"suite-{number}"))
            return _suite(key, key.rpartition("/")[2].removesuffix(".eval.yaml"))
        case NodeKind.ASSET:
            return {"path": free_key(index, kind, FILE.format)}
    return {}


def identified(document: Document, slug: str, name: str) -> Document:
    """The pack's settings under another slug and name; see `Adapter.identified`."""
    return {**document, "x-slug": slug, "x-name": name}


def _of_text(kind: str) -> Callable[[First], Document]:
    return lambda first: {
        "expected_output": first.answer,
        "assertions": [{"type": kind, "value": first.answer}],
    }


def _pattern(first: First) -> Document:
    trouble = pattern_trouble(first.answer)
    if trouble:
        raise AnswerRefused(f"This is no regular expression: {trouble}")
    return {"assertions": [{"type": "regex", "value": first.answer}]}


def _fact(first: First) -> Document:
    fact = first.fact()
    fields = [{"path": fact.path, "match": "exact"}]
    return {"expected_output": fact.example(), "assertions": [{"type": "field-accuracy", "fields": fields}]}


# Kind of check to the fields of a test that say what is right.
FIRST_CHECKS: Mapping[str, Callable[[First], Document]] = {
    "contains": _of_text("contains"),
    "exact_match": _of_text("equals"),
    "regex_match": _pattern,
    "json_path_match": _fact,
}


def starter(slug: str, name: str, first: First = EXAMPLE) -> Pack:
    """A small whole pack; see `Adapter.starter`."""
    file = SUITE.format("questions")
    test = {"id": QUESTION.format(1), "input": first.question, **FIRST_CHECKS[first.check](first)}
    document = {**_suite(file, "questions"), "description": name}
    suite = InputSet(file, document, (Case(test["id"], "", test),))
    return Pack(NAME, slug, identified({}, slug, name), (), (suite,))
