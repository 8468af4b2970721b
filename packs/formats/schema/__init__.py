"""The JSON Schema engine that checks of formats and graders share."""

from packs.formats.schema.compiling import SchemaCheck, SchemaTrouble, Violation, compile_schema

__all__ = ["SchemaCheck", "SchemaTrouble", "Violation", "compile_schema"]
