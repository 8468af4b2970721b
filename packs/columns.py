"""A database column that keeps a JSON value exactly as it is.

PostgreSQL's own `jsonb` sorts keys, rewrites numbers and refuses U+0000; documents must come back unchanged, so the
column holds JSON text.
"""

import json
import re
from typing import TYPE_CHECKING, Any

import orjson
from django import forms
from django.db import models
from django.db.models.lookups import IContains

# SQLite takes patterns of up to 50,000 bytes, in which a character can take four and signs of its own stand twice.
MAX_SOUGHT = 10_000
# A part of a text that has digits and no letters.
NUMBERS = re.compile(r"[^A-Za-z]*\d[^A-Za-z]*")


def encode(value: Any) -> str:
    """Write a JSON value as text.

    What orjson cannot carry (integers beyond 64 bits, lone surrogates, deep nesting) is written by the slower standard
    library; a leading blank marks such text, because orjson would also read it back as something else.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return " " + json.dumps(value, separators=(",", ":"))


def decode(text: str) -> Any:
    """Read what `encode` wrote."""
    return json.loads(text) if text.startswith(" ") else orjson.loads(text)


def canonical(value: Any) -> bytes:
    """A JSON value as the bytes that its checksum is made of: UTF-8, keys sorted, no blanks."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def as_stored(text: str) -> str:
    """A text as it stands within the JSON of a column, to look for it there: quotes and line ends are escaped.

    Of a long text the beginning, since databases refuse to look for more.
    """
    return json.dumps(text, ensure_ascii=False)[1:-1][:MAX_SOUGHT]


# The type checker is told the type of the value in Python; the database sees text.
if TYPE_CHECKING:
    Base = models.JSONField
else:
    Base = models.TextField


class DocumentField(Base):
    """A JSON value; key order, number types and every character survive."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else decode(value)

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else encode(value)

    def to_python(self, value: Any) -> Any:
        return value

    def value_to_string(self, obj: models.Model) -> str:
        return encode(self.value_from_object(obj))

    def formfield(self, **kwargs: Any) -> Any:
        return forms.JSONField(**{key: kwargs[key] for key in ("label", "help_text", "required") if key in kwargs})


@DocumentField.register_lookup
class HoldsText(IContains):
    """Whether the JSON text of a document holds a text, without regard to case."""

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        """Letters of ASCII are folded byte by byte: folding by the rules of a language takes five times as long.

        A number in the text is sought first, as it stands: most documents lack it, and their letters need no folding.
        """
        if not self.rhs.isascii():
            return self.as_sql(compiler, connection)
        left, parameters = compiler.compile(self.lhs)
        text, number = f'{left} COLLATE "C"', max(NUMBERS.findall(self.rhs), key=len, default="")
        found, sought = f"STRPOS(LOWER({text}), %s) > 0", [*parameters, self.rhs.lower()]
        if not number:
            return found, sought
        return f"(STRPOS({text}, %s) > 0 AND {found})", [*parameters, number, *sought]
