"""Deleting packs and runs, and the bin in which they stay for a while."""
