"""json_schema: the target is JSON that is valid under the expected schema."""

from packs.formats.kinds.contract import Kind

KIND = Kind("JSON that fulfils a schema", evidence="json_schema")
