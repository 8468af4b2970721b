"""The pages of authoring."""
