"""The one JSON text of a value: for keys and digests that must be the same for the same content (task-suite 4.5)."""

from typing import Any

import orjson

from packs.formats.values import LARGEST_WHOLE


def canonical_json(value: Any) -> bytes:
    """Keys sorted, no blanks, text as it is in UTF-8, whole floats as integers.

    Raises TypeError for what is no JSON value, RecursionError for values that are nested too deep.
    """
    return orjson.dumps(_plain(value), option=orjson.OPT_SORT_KEYS)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_WHOLE:
        return int(value)
    return value
