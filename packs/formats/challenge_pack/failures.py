"""A failed trial as a case of a challenge pack."""

from typing import Any

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.starters import names_used
from packs.formats.challenge_pack.values import NAME
from packs.formats.document import Document, NodeKind
from packs.formats.failure import Failure
from packs.formats.numbering import free_key
from packs.formats.provenance import OWN_KEY, sealed

_IDENTITY = ("challenge_key", "case_key", "item_key", OWN_KEY)


def case_from_failure(index: PackIndex, failure: Failure, parent: int = 0) -> Document:
    """A case that asks what the failed trial was asked; see `Adapter.case_from_failure`."""
    challenge_key = index.set_challenge_key(parent) or failure.challenge_key
    source = failure.case_in(NAME)
    is_same = source is not None and challenge_key == failure.challenge_key
    body = {name: part for name, part in (source or {}).items() if name not in _IDENTITY} if is_same else None
    body = _body(index, failure, challenge_key) if body is None else body
    if failure.forbidden:
        body = {**body, "expectations": [*_listed(body), _text("must_not", "\n".join(failure.forbidden))]}
    key = failure.key or _key(index, failure, challenge_key, parent)
    return {"challenge_key": challenge_key, "case_key": key, **body, OWN_KEY: sealed(failure.facts)}


def _listed(body: Document) -> list[Any]:
    """The expectations, without those that an earlier failure added."""
    stated = body.get("expectations")
    known = stated if isinstance(stated, list) else []
    return [part for part in known if not (isinstance(part, dict) and part.get("key") == "must_not")]


def _key(index: PackIndex, failure: Failure, challenge_key: str, parent: int) -> str:
    return free_key(index, NodeKind.CASE, failure.replay, parent, challenge_key)


def _body(index: PackIndex, failure: Failure, challenge_key: str) -> Document:
    """Inputs under the names that the challenge's instructions use, expectations under those that the checks use."""
    named, keys = names_used(index, challenge_key)
    inputs = [_text(key, "" if place else failure.request) for place, key in enumerate(named)]
    expected = "\n".join(failure.expected)
    return {
        "inputs": inputs or [_text("request", failure.request)],
        "expectations": [_text(key, expected) for key in keys or ("answer",)],
    }


def _text(key: str, value: str) -> Document:
    return {"key": key, "kind": "text", "value": value}
