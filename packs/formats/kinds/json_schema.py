"""json_schema: the target is JSON that is valid under the expected schema."""

from packs.formats.kinds.contract import Kind, Syntax
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "JSON that fulfils a schema",
    Purpose.JSON,
    "The answer is JSON of a given shape.",
    '`{"required": ["status"]}`',
    syntax=Syntax.SCHEMA,
    evidence="json_schema",
)
