"""Tables of every kind as names and records: of spreadsheets, CSV, TSV, JSON, JSON Lines and Parquet."""

from packs.formats.tables.reading import read_beginning, read_table
from packs.formats.tables.table import BAD_ROW, BAD_TABLE, BROKEN_NODE, Table, Trouble

__all__ = ["BAD_ROW", "BAD_TABLE", "BROKEN_NODE", "Table", "Trouble", "read_beginning", "read_table"]
