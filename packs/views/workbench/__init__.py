"""The workbench: one document through four lenses (form, YAML, preview, stored document)."""
