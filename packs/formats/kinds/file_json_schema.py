"""file_json_schema: the content of a captured file is JSON that is valid under the schema in the configuration."""

from packs.formats.kinds.contract import Expected, Kind, Target, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import free_map

KIND = Kind(
    "A JSON file that fulfils a schema",
    Purpose.JSON,
    "A captured file is JSON of a given shape.",
    "`result.json` has a `status`",
    settings({"schema": free_map("JSON Schema", "What the file must fulfil.")}, required=["schema"]),
    target=Target.FILE,
    expected=Expected.IGNORED,
    evidence="json_schema",
)
