"""Curation for staff: what may be looked at and done to packs and what belongs to them, outside the studio's pages."""

from packs.admin import drafts, edits, people, versions

__all__ = ["drafts", "edits", "people", "versions"]
