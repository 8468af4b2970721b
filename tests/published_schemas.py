"""The files below schemas/, made from what the formats state; `python -m tests.published_schemas` writes them."""

from importlib import import_module
from pathlib import Path

import orjson

from packs.formats import FORMATS

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


def render():
    """The name of each file, `<format>.schema.json` or `<format>.<part>.schema.json`, with its bytes."""
    made = {
        ".".join(filter(None, (name, part, "schema.json"))): schema
        for name, module in FORMATS.items()
        for part, schema in import_module(f"{module}.schema").file_schemas().items()
    }
    return {
        name: orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        for name, schema in made.items()
    }


if __name__ == "__main__":
    for path, text in render().items():
        (FOLDER / path).write_bytes(text)
