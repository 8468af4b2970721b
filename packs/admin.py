"""Curation of packs and of what belongs to them."""
