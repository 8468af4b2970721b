"""json_schema: the target is JSON that is valid under the expected schema."""

from packs.formats.kinds.contract import Kind, Syntax

KIND = Kind("JSON that fulfils a schema", syntax=Syntax.SCHEMA, evidence="json_schema")
