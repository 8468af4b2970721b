"""Starting documents for new nodes: their shape, in which what only an author knows is empty."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from packs.formats.adapter import PackIndex
from packs.formats.beginning import EXAMPLE, First
from packs.formats.challenge_pack.values import NAME, evaluation_spec
from packs.formats.document import Case, Challenge, Document, InputSet, NodeKind, Pack
from packs.formats.numbering import free_key

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z0-9_-]+)\s*\}\}")
_EXPECTED = re.compile(r"case\.expectations\.([^.\s]+)")


def _pack(key: str) -> Document:
    return {
        "pack": {"slug": key, "name": "New pack", "family": "general"},
        "version": {
            "number": 1,
            "execution_mode": "prompt_eval",
            "evaluation_spec": {
                "name": "new-pack-v1",
                "version_number": 1,
                "judge_mode": "deterministic",
                "validators": [
                    {
                        "key": "answer",
                        "type": "contains",
                        "target": "final_output",
                        "expected_from": "case.expectations.answer",
                    }
                ],
                "scorecard": {
                    "strategy": "binary",
                    "dimensions": [{"key": "correctness", "source": "validators", "pass_threshold": 1}],
                },
            },
        },
    }


def _challenge(key: str) -> Document:
    return {"key": key, "title": "", "category": "general", "difficulty": "easy"}


def _input_set(key: str) -> Document:
    return {"key": key, "name": key.replace("-", " ").capitalize()}


def _case(key: str, index: PackIndex | None, challenge_key: str) -> Document:
    inputs, expectations = names_used(index, challenge_key) if index else ((), ())
    return {
        "challenge_key": challenge_key,
        "case_key": key,
        "inputs": [{"key": name, "kind": "text"} for name in inputs or ("question",)],
        "expectations": [{"key": name, "kind": "text"} for name in expectations or ("answer",)],
    }


def names_used(index: PackIndex, challenge_key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The inputs that the instructions of a challenge use, and the expectations that the checks use."""
    instructions = (index.challenge(challenge_key) or {}).get("instructions")
    named = _PLACEHOLDER.findall(instructions) if isinstance(instructions, str) else []
    expected = _EXPECTED.findall(" ".join(_texts(evaluation_spec(index.pack))))
    return tuple(dict.fromkeys(named)), tuple(dict.fromkeys(expected))


def _texts(value: Any) -> list[str]:
    """All texts of a document, those below others included; a work list, because nesting may be deep."""
    found, waiting = [], [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, dict | list):
            waiting.extend(part.values() if isinstance(part, dict) else part)
    return found


def _asset(key: str) -> Document:
    return {"key": key, "path": f"files/{key}.txt", "media_type": "text/plain"}


_MAKERS: Mapping[NodeKind, tuple[str, Callable[[str], Document]]] = {
    NodeKind.PACK: ("new-pack", _pack),
    NodeKind.CHALLENGE: ("challenge", _challenge),
    NodeKind.INPUT_SET: ("set", _input_set),
    NodeKind.ASSET: ("file", _asset),
}


def new_document(kind: NodeKind, index: PackIndex | None, parent: int = 0) -> Document:
    """A small starting document; see `Adapter.new_document`."""
    if kind is NodeKind.CASE:
        challenge_key = index.set_challenge_key(parent) or index.only_challenge_key() if index else ""
        return _case(free_key(index, kind, "case-{}".format, parent, challenge_key), index, challenge_key)
    stem, make = _MAKERS[kind]
    return make(stem if kind is NodeKind.PACK else free_key(index, kind, f"{stem}-{{}}".format))


def identified(document: Document, slug: str, name: str) -> Document:
    """The pack's document under another slug and name; see `Adapter.identified`."""
    identity = document.get("pack")
    return {**document, "pack": {**(identity if isinstance(identity, dict) else {}), "slug": slug, "name": name}}


def _near(first: First) -> tuple[Document, str]:
    value, tolerance = first.number()
    return {"extract_number": True, "absolute_tolerance": tolerance}, str(value)


def _fact(first: First) -> tuple[Document, str]:
    fact = first.fact()
    expected: Any = {"path": f"$.{fact.path}", "comparator": "equals", "value": fact.value}
    return {}, orjson.dumps(expected).decode()


# Kind of check to its settings and the expected text.
FIRST_CHECKS: Mapping[str, Callable[[First], tuple[Document, str]]] = {
    **dict.fromkeys(("contains", "exact_match"), lambda first: ({}, first.answer)),
    "regex_match": lambda first: ({}, first.pattern()),
    "numeric_match": _near,
    "json_path_match": _fact,
}


def starter(slug: str, name: str, first: First = EXAMPLE) -> Pack:
    """A small whole pack; see `Adapter.starter`."""
    settings, expected = FIRST_CHECKS[first.check](first)
    document = identified(_pack(slug), slug, name)
    (validator,) = document["version"]["evaluation_spec"]["validators"]
    validator |= {"type": first.check, **({"config": settings} if settings else {})}
    asked = {**_challenge("challenge-1"), "title": name, "instructions": "{{question}}"}
    tried = _case("case-1", None, asked["key"])
    for part, value in (("inputs", first.question), ("expectations", expected)):
        tried[part] = [{**tried[part][0], "value": value}]
    grouped = InputSet("set-1", _input_set("set-1"), (Case("case-1", asked["key"], tried),))
    return Pack(NAME, slug, document, (Challenge(asked["key"], asked),), (grouped,))
