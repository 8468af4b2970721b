"""What columns of a table stand for, by their names."""

from collections.abc import Mapping

from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer
from packs.formats.structure.model import fields_of_any
from packs.formats.tables import Table
from packs.grid.columns import Column
from packs.mirror import format_of
from packs.models import Pack


def guessed(table: Table, pack_row: Pack, columns: Mapping[str, Column], known: Mapping[str, str]) -> dict[str, str]:
    """What each name of a table most likely stands for: as mapped before, by its written name, by its title.

    The names of JSON Lines whose fields are mostly those of a case stand for themselves.
    """
    by_name = {column.name.lower(): pointer for pointer, column in columns.items()}
    by_title: dict[str, str] = {}
    for pointer, column in columns.items():
        by_title.setdefault(column.title.lower(), pointer)
        by_title.setdefault(column.name.rpartition(".")[2].lower(), pointer)
    own = dict(zip(table.names, table.pointers, strict=True)) if are_cases(table, pack_row) else {}
    found: dict[str, str] = {}
    for name in table.names:
        word = name.lower()
        usual = own.get(name) or by_name.get(word) or by_title.get(word) or ""
        pointer = known.get(name, usual)
        found[name] = "" if pointer in found.values() else pointer
    return found


def are_cases(table: Table, pack_row: Pack) -> bool:
    """Whether the records of JSON Lines are cases in the format's own names: whether it has most of their fields."""
    fields = fields_of_any(format_of(pack_row).SCHEMA[NodeKind.CASE])
    tops = {from_pointer(pointer)[0] for pointer in table.pointers}
    return len(tops & set(fields)) * 2 > len(tops)
