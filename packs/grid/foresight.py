"""What a check of the whole draft would find after many cases have changed or come, before anything is written."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from packs.editing.rechecking import findings_by_address
from packs.formats import document
from packs.formats.abilities import CONTENT_READERS
from packs.formats.checking import as_it_is, refuses_publishing
from packs.formats.document import Address, Document, NodeKind
from packs.mirror import format_of, ordered, read_tree
from packs.models import Case, Pack

Errors = dict[Address, dict[tuple[str, str], str]]


@dataclass(slots=True)
class Ahead:
    """The first new error of each case that changes (by its id), of each that comes (by its number), and of each other
    node, with its name."""

    changed: dict[int, str] = field(default_factory=dict)
    added: dict[int, str] = field(default_factory=dict)
    elsewhere: list[tuple[str, str]] = field(default_factory=list)


def errors_ahead(
    pack_row: Pack,
    changed: Mapping[int, Document],
    added: Sequence[Document] = (),
    input_set: int | None = None,
    watch: Callable[[document.Pack], document.Pack] = as_it_is,
) -> Ahead:
    """The errors that a draft has not yet, but would have with these documents of cases, and more at a set's end.

    `watch` is given the pack before it is checked, to see how far the check is.
    """
    before = read_tree(pack_row, contents=pack_row.format in CONTENT_READERS)
    ids = [
        list(ordered(Case.objects.filter(input_set=pk)).values_list("pk", flat=True))
        for pk in ordered(pack_row.input_sets).values_list("pk", flat=True)
    ]
    home = list(ordered(pack_row.input_sets).values_list("pk", flat=True)).index(input_set) if added else None
    after = with_cases(pack_row, before, ids, changed, {home: added} if home is not None else {})
    known, found = errors_of(pack_row, before), Ahead()
    for address, errors in errors_of(pack_row, watch(after)).items():
        is_new = address.kind is NodeKind.CASE and address.indices[1] >= len(ids[address.indices[0]])
        new = [text for place, text in errors.items() if is_new or place not in known.get(address, ())]
        if new:
            note(found, ids, set(changed), after, address, new[0])
    return found


def note(
    found: Ahead, ids: list[list[int]], changed: set[int], tree: document.Pack, address: Address, text: str
) -> None:
    """Keep a new error where it belongs: a case that comes, one that changes, or another node."""
    if address.kind is NodeKind.CASE:
        there, position = ids[address.indices[0]], address.indices[1]
        if position >= len(there):
            found.added[position - len(there)] = text
            return
        if there[position] in changed:
            found.changed[there[position]] = text
            return
    found.elsewhere.append((name_of(tree, address), text))


def name_of(tree: document.Pack, address: Address) -> str:
    """What people call a node."""
    match address.kind, address.indices:
        case NodeKind.CASE, (parent, index):
            return tree.input_sets[parent].cases[index].key
        case NodeKind.INPUT_SET, (index,):
            return tree.input_sets[index].key
        case NodeKind.CHALLENGE, (index,):
            return tree.challenges[index].key
        case NodeKind.ASSET, (index,):
            return tree.assets[index].key
        case _:
            return "the pack"


def with_cases(
    pack_row: Pack,
    tree: document.Pack,
    ids: Sequence[Sequence[int]],
    changed: Mapping[int, Document],
    added: Mapping[int, Sequence[Document]],
) -> document.Pack:
    """A tree with other documents for cases, by id, and with further cases at the end of sets, by index."""
    adapter = format_of(pack_row)

    def cases_of(index: int) -> Iterator[document.Case]:
        for pk, case in zip(ids[index], tree.input_sets[index].cases, strict=True):
            own = changed.get(pk)
            yield case if own is None else document.Case(*adapter.identify(NodeKind.CASE, own), own)
        for own in added.get(index, ()):
            yield document.Case(*adapter.identify(NodeKind.CASE, own), own)

    sets = (replace(input_set, cases=tuple(cases_of(index))) for index, input_set in enumerate(tree.input_sets))
    return replace(tree, input_sets=tuple(sets))


def errors_of(pack_row: Pack, tree: document.Pack) -> Errors:
    """The errors of a tree, and what publishing refuses as well, by node and place, with their messages."""
    found: Errors = {}
    for address, items in findings_by_address(format_of(pack_row), tree).items():
        for item in items:
            if refuses_publishing(pack_row.format, item["severity"], item["code"], item["rule"]):
                found.setdefault(address, {}).setdefault((item["code"], repr(item["path"])), item["message"])
    return found
