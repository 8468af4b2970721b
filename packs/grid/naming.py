"""What columns of a table stand for, where the API or a command says so in words."""

from collections.abc import Callable, Iterable, Mapping

from packs.formats.advice import did_you_mean
from packs.formats.tables import Table
from packs.grid.alike import likely_mapping
from packs.grid.columns import Column
from packs.grid.targets import ANSWER, targets_of
from packs.models import InputSet


class Unmappable(ValueError):
    """A column that a table does not have, or that is to stand for something that cases do not have."""


def named_targets(
    table: Table, words: Mapping[str, str], named: Callable[[str, str], str | None], usual: Iterable[str] = ()
) -> dict[str, str]:
    """What columns stand for by words about them; `named` knows what a word for a column means.

    Raises Unmappable.
    """
    found = {}
    for name, text in words.items():
        if name not in table.names:
            raise Unmappable(f"The table has no column {name!r}. {did_you_mean(name, table.names, columns_in(table))}")
        target = named(name, text)
        if target is None:
            usually = (
                f"Use {', '.join(usual)}, a field or a JSON Pointer." if usual else "Use a field or a JSON Pointer."
            )
            raise Unmappable(f"{text!r} names nothing that a column can stand for. {usually}")
        found[name] = target
    return found


def columns_in(table: Table) -> str:
    return f"Its columns: {', '.join(table.names)}."


def asked_mapping(
    table: Table, input_set: InputSet, columns: Mapping[str, Column], words: Mapping[str, str]
) -> dict[str, str]:
    """What names of a table stand for in a set: as words say (the name of a field, or its pointer, or `question`,
    `answer` and `key`), else as it looks.

    Raises Unmappable.
    """
    targets = targets_of(input_set.pack.format)
    usual = {"question": targets.question, "key": targets.key, ANSWER: ANSWER}
    fields = usual | {column.name: at for at, column in columns.items()} | {at: at for at in columns}
    own = dict(zip(table.names, table.pointers, strict=False))
    asked = named_targets(table, words, lambda name, text: text if text in ("", own.get(name)) else fields.get(text))
    likely = likely_mapping(table, input_set, columns, {})
    return {**{name: "" if to in asked.values() else to for name, to in likely.items()}, **asked}
