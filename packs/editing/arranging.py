"""Keeping the cases of an input set in files another way: one edit, taken back by one undo."""

from dataclasses import dataclass

from packs.editing.draft import Author
from packs.editing.replacing import replace_tree
from packs.editing.values import Applied, EditRefused
from packs.formats.abilities import ARRANGERS, Arranger
from packs.mirror import read_tree
from packs.models import Pack


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the cases of an input set are kept: `how` names the way, `label` says it; `advice` speaks for another one."""

    input_set: int
    key: str
    count: int
    how: str
    label: str
    advice: tuple[str, ...]


def ways(pack_row: Pack) -> dict[str, str]:
    """The ways in which the pack's format can keep cases, with their words; empty where there is only one."""
    arranger = ARRANGERS.get(pack_row.format)
    return dict(arranger.ARRANGEMENTS) if arranger else {}


def arrangements(pack_row: Pack) -> list[Arrangement]:
    """How the cases of each input set are kept; empty where the format has only one way."""
    arranger = ARRANGERS.get(pack_row.format)
    if arranger is None:
        return []
    found = []
    rows = pack_row.input_sets.order_by("position", "pk").values_list("pk", flat=True)
    for pk, suite in zip(rows, read_tree(pack_row, contents=False).input_sets, strict=True):
        how = arranger.arrangement(suite.document)
        advice = tuple(arranger.advice(suite))
        found.append(Arrangement(pk, suite.key, len(suite.cases), how, arranger.label_of(how), advice))
    return found


def arrange(pack_row: Pack, input_set: int, how: str, author: Author) -> Applied:
    """Keep the cases of an input set (its row's id) another way.

    Raises EditRefused for an input set that is not there and for a way that the format does not offer.
    """
    arranger, rows = refuse_arranging(pack_row, input_set, how)
    tree = arranger.arranged(read_tree(pack_row), rows.index(input_set), how)
    return replace_tree(pack_row, tree, author, label=f"Keep cases: {arranger.label_of(how)}")


def refuse_arranging(pack_row: Pack, input_set: int, how: str) -> tuple[Arranger, list[int]]:
    """Raise EditRefused for what `arrange` cannot do; else the format's arranger, and the ids of the input sets."""
    arranger = ARRANGERS.get(pack_row.format)
    rows = list(pack_row.input_sets.order_by("position", "pk").values_list("pk", flat=True))
    if input_set not in rows:
        raise EditRefused("no_such_node", "There is no such input set.")
    if arranger is None or how not in arranger.ARRANGEMENTS:
        raise EditRefused("bad_value", "Cases of this format cannot be kept that way.")
    return arranger, rows
