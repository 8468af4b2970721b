"""Expected texts that a validator cannot use, whether a literal states them or a case (challenge-pack d.3)."""

import json

from packs.formats.challenge_pack.values import mapping, text
from packs.formats.document import Document
from packs.formats.kinds import KINDS, Syntax, file_content_match
from packs.formats.syntaxes import pattern_trouble, schema_trouble
from packs.formats.values import exact_text


def need_of(validator: Document) -> Syntax:
    """What the expected text of a validator must be."""
    kind = KINDS.get(exact_text(validator, "type"))
    if kind is file_content_match.KIND and text(mapping(validator, "config"), "match_mode") == "regex":
        return Syntax.PATTERN
    return kind.syntax if kind else Syntax.ANY


def expected_trouble(need: Syntax, expected: str) -> dict[str, str]:
    """Why a text is not what is needed and what to do, as `reason` and `advice`; empty where it is."""
    if need == Syntax.PATTERN:
        return pattern_trouble(expected)
    trouble = {Syntax.SCHEMA: _schema_trouble, Syntax.PATH: _path_trouble}.get(need, lambda _: "")(expected)
    return {"reason": trouble, "advice": _ADVICE[need]} if trouble else {}


_ADVICE = {
    Syntax.SCHEMA: "Use JSON Schema of draft 2020-12 or draft-07.",
    Syntax.PATH: 'Write a path such as $.status, or {"path": "$.status", "comparator": "equals", "value": "ok"}.',
}


def _schema_trouble(expected: str) -> str:
    try:
        return schema_trouble(json.loads(expected))
    except (ValueError, RecursionError):
        return "it is no JSON"


def _path_trouble(expected: str) -> str:
    if expected.strip().startswith("$"):
        return ""
    try:
        stated = json.loads(expected)
    except (ValueError, RecursionError):
        stated = None
    has_path = isinstance(stated, dict) and isinstance(stated.get("path"), str)
    return "" if has_path else "it is neither a path that begins with $ nor a JSON object with a path"
