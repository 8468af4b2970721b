"""Write the published schemas: `python -m packs.formats.agentv.schema`."""

from pathlib import Path

import orjson

from packs.formats.agentv.schema import file_schemas

FOLDER = Path(__file__).resolve().parents[4] / "schemas"

for name, schema in file_schemas().items():
    text = orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    (FOLDER / f"agentv.{name}.schema.json").write_bytes(text)
