"""The AgentV evals format. This module fulfils `packs.formats.adapter.Adapter`."""
