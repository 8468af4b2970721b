"""Other ways to write a right answer: a case that refuses them is stricter than what it asks."""

import re
from collections.abc import Iterator
from typing import Any

import orjson

from runs.proof.probes import Probe, equal
from runs.proof.shapes import Shape, parsed, shape_of

# Words of which nobody means capital or small letters.
_EITHER_CASE = frozenset({"yes", "no", "true", "false"})
_WORDS = re.compile(r"[A-Za-zÀ-ÿ'’ ,\-]+")


def equals_of(text: str, *, is_code: bool = False, is_exact: bool = False) -> Iterator[Probe]:
    """Probes with answers that say what the reference says, each written in another way.

    Where `is_exact`, the case asks for one way to write it: then only the spacing and order of JSON decide.
    """
    shape = shape_of(text, is_code=is_code)
    if shape in (Shape.EMPTY, Shape.PATCH):
        return
    around = f"\n{text.rstrip()}\n\n" if shape is Shape.CODE else f"\n {text.strip()} \n\n"
    yield equal("white space around", around, decides=not is_exact)
    if shape is Shape.JSON:
        yield from _json(parsed(text))
    if not is_exact:
        yield from _loosely(text, shape)


def _loosely(text: str, shape: Shape) -> Iterator[Probe]:
    bare = text.strip()
    if shape is Shape.NUMBER:
        yield equal("the number with one more zero behind its point", f"{bare}0" if "." in bare else f"{bare}.0")
    elif shape is Shape.SHORT and _WORDS.fullmatch(bare):
        yield equal("a full stop at the end", f"{bare}.")
        if bare.swapcase() != bare and " " not in bare:
            other = bare.capitalize() if bare.islower() else bare.lower()
            yield equal("the word in other letters", other, decides=bare.lower() in _EITHER_CASE)
    elif shape is Shape.PROSE and bare.endswith("."):
        yield equal("no full stop at the end", bare.rstrip("."))
    elif shape is Shape.JSON:
        yield equal("the JSON in a code fence", f"```json\n{bare}\n```", decides=False)
    elif shape is Shape.CODE:
        yield equal("the program in a code fence", f"```\n{bare}\n```", decides=False)


def _json(value: Any) -> Iterator[Probe]:
    yield equal("the JSON on one line, without blanks", orjson.dumps(value).decode())
    yield equal("the JSON over several lines", orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())
    turned = _turned(value)
    if orjson.dumps(turned) != orjson.dumps(value):
        yield equal("the keys of the JSON in another order", orjson.dumps(turned).decode())


def _turned(value: Any) -> Any:
    """A JSON value with the keys of all its objects in reverse order; the order of lists says something and stays."""
    if isinstance(value, dict):
        return {key: _turned(part) for key, part in reversed(value.items())}
    return [_turned(part) for part in value] if isinstance(value, list) else value
