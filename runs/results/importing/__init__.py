"""Trials that took place elsewhere become a run: looked at first, then written whole or not at all (task-suite 8)."""

from runs.results.importing.matching import Import, Wish, look
from runs.results.importing.reading import read_records
from runs.results.importing.waiting import NoSuchUpload, confirm, wait
from runs.results.importing.writing import IMPORTED, import_records

__all__ = ["IMPORTED", "Import", "NoSuchUpload", "Wish", "confirm", "import_records", "look", "read_records", "wait"]
