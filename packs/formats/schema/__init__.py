"""The JSON Schema engine that checks of formats and graders share."""

from packs.formats.schema.compiling import SchemaCheck, SchemaTrouble, Violation, compile_schema, compile_trusted

__all__ = ["SchemaCheck", "SchemaTrouble", "Violation", "compile_schema", "compile_trusted"]
