"""Which nodes have to be checked again after an edit, and keeping their findings and the pack's totals in step.

One node costs a few indexed queries, however large the pack. Where an edit reaches many nodes, or nodes that cannot be
named cheaply, the whole draft is checked at once. That takes seconds in a large one, so it is left to a job there: its
`checked_revision` says until then that findings may be old.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.db.models import Q, Sum

from packs.columns import encode
from packs.editing.pointers import value_at
from packs.editing.sizes import is_large
from packs.editing.values import NodeId
from packs.formats.abilities import CONTENT_READERS
from packs.formats.adapter import Adapter
from packs.formats.comparing import same
from packs.formats.costs import is_heavy
from packs.formats.document import Address, Document, NodeKind
from packs.formats.document import Pack as Tree
from packs.formats.findings import MAX_FINDINGS, Finding, Path, from_pointer, render_path
from packs.mirror import MODELS, RowIndex, format_of, ordered, put_findings, read_tree, restored, stored
from packs.models import Case, Pack

# With more dependents than this, one check of the whole draft is cheaper.
MANY = 200
# The columns of a pack's row that say nothing to search for.
UNSEARCHED = sorted({column.name for column in Pack._meta.local_concrete_fields} - {"id"} - Pack.searched.columns)
# What a check of the whole draft changes of its row.
CHECKED = ("findings", "error_count", "warning_count", "problem_errors", "problem_warnings", "checked_revision")


@dataclass
class Effects:
    """What an edit may have changed for other nodes: to be asked before the rows are saved."""

    everything: bool = False
    identities: list[tuple[NodeKind, int, str, str]] = field(default_factory=list)
    leading: dict[int, str] = field(default_factory=dict)
    challenge_keys: set[str] = field(default_factory=set)
    sets: set[int] = field(default_factory=set)

    def pack_changed(self, adapter: Adapter, before: Document, after: Document) -> None:
        """The pack's document changes: other nodes depend on the parts that the format shares with them."""
        pointers = [from_pointer(pointer) for pointer in adapter.SHARED_POINTERS]
        self.everything |= any(not same(value_at(before, steps), value_at(after, steps)) for steps in pointers)

    def node_changed(self, pack: Pack, row: Any, columns: dict[str, str]) -> None:
        """A node's document changes, and with it the columns that state its identity."""
        if self.everything:
            return
        before = (row.key, getattr(row, "challenge_key", ""))
        after = (columns["key"], columns.get("challenge_key", ""))
        if before != after:
            self.identity_changed(pack, row, before)
            self.identity_changed(pack, row, after)

    def node_moved(self, pack: Pack, row: Any) -> None:
        """A node comes, goes or moves among its siblings."""
        self.identity_changed(pack, row, (row.key, getattr(row, "challenge_key", "")))

    def identity_changed(self, pack: Pack, row: Any, identity: tuple[str, str]) -> None:
        key, challenge_key = identity
        if row.kind is NodeKind.ASSET:
            self.everything = True
        elif row.kind is NodeKind.CHALLENGE:
            self.challenge_keys.add(key)
            self.identities.append((row.kind, pack.pk, key, ""))
        elif row.kind is NodeKind.CASE:
            self.watch_set(pack, row)
            self.identities.append((row.kind, row.input_set_id, key, challenge_key))
        else:
            self.identities.append((row.kind, pack.pk, key, ""))

    def watch_set(self, pack: Pack, case: Any) -> None:
        """Remember which challenge leads a set, so that a change of it can be seen afterwards."""
        if case.input_set_id not in self.leading:
            self.leading[case.input_set_id] = RowIndex(pack).set_challenge_key(case.input_set.position)
        self.sets.add(case.input_set_id)

    def dependents(self, pack: Pack) -> list[Any] | None:
        """The rows to check again besides those that were edited; None stands for all."""
        if self.everything or len(self.identities) > MANY or self._has_new_leader(pack):
            return None
        queries = [*self._same_identity(), Case.objects.filter(pack=pack, challenge_key__in=self.challenge_keys - {""})]
        rows = [row for query in queries for row in query[: MANY + 1]]
        rows += MODELS[NodeKind.INPUT_SET].objects.filter(pk__in=self.sets)
        return rows if len(rows) <= MANY else None

    def _has_new_leader(self, pack: Pack) -> bool:
        positions = dict(pack.input_sets.filter(pk__in=list(self.leading)).values_list("pk", "position"))
        index = RowIndex(pack)
        return any(index.set_challenge_key(positions[pk]) != self.leading[pk] for pk in positions)

    def _same_identity(self) -> Iterator[Any]:
        for kind, owner, key, challenge_key in set(self.identities):
            if kind is NodeKind.CASE:
                same_key = Case.objects.filter(input_set=owner, key=key, challenge_key=challenge_key)
                yield same_key.select_related("input_set")
            else:
                yield MODELS[kind].objects.filter(pack=owner, key=key)


def recheck_effects(pack: Pack, effects: Effects, changed: dict[NodeId, Any]) -> dict[NodeId, list[Finding]]:
    """Save the pack's row, with the problems that a check of the edited rows and of what depends on them found.

    Gives the findings of each row that was edited.
    """
    dependents = None if len(changed) > MANY else effects.dependents(pack)
    # What an edit of another node changes of the pack's row has no words to search for.
    names = None if (pack.kind, pack.pk) in changed else UNSEARCHED
    if dependents is None and not is_large(pack):
        pack.save(update_fields=names)
        recheck(pack)
        refresh_findings(changed)
    else:
        near = changed if len(changed) <= MANY else {}
        recheck_rows(pack, ({(row.kind, row.pk): row for row in dependents or ()} | near).values())
        if dependents is None:
            sum_up(pack)
        pack.save(update_fields=names)
    return {node: [restored(item) for item in row.findings] for node, row in changed.items()}


def refresh_findings(changed: dict[NodeId, Any]) -> None:
    """Bring rows at hand up to date with a check that went past them."""
    for kind in NodeKind:
        rows = {pk: row for (of_kind, pk), row in changed.items() if of_kind is kind}
        for pks in batched(rows):
            columns = MODELS[kind].objects.filter(pk__in=pks).values_list("pk", "findings")
            for pk, findings in columns:
                put_findings(rows[pk], findings)


def batched(pks: Iterable[int], size: int = 500) -> Iterator[list[int]]:
    """Ids in portions that every database takes as parameters of one query."""
    waiting = list(pks)
    yield from (waiting[start : start + size] for start in range(0, len(waiting), size))


def recheck_rows(pack: Pack, rows: Iterable[Any]) -> None:
    """Check single rows and move the totals on the given pack row by the difference.

    Findings that only a check of the whole pack can give stay until the next one, and so do all those of a row whose
    document is too much for a request.
    """
    adapter, index = format_of(pack), RowIndex(pack)
    for row in rows:
        if is_heavy(row.document):
            continue
        found = [stored(finding) for finding in adapter.check_node(index, index.node(row))]
        found += [item for item in row.findings if item["code"] in adapter.PACK_WIDE]
        if not same(found[:MAX_FINDINGS], row.findings):
            keep(pack, row, found[:MAX_FINDINGS])


def keep(pack: Pack, row: Any, found: list[dict[str, Any]]) -> None:
    """Store a row's findings; the totals change on the given pack row and are saved by the caller."""
    before = row.error_count, row.warning_count
    put_findings(row, found)
    pack.problem_errors += row.error_count - before[0]
    pack.problem_warnings += row.warning_count - before[1]
    row.save(update_fields=["findings", "error_count", "warning_count"])


def recheck(pack_row: Pack) -> None:
    """Check the whole draft and store what every node's findings are now."""
    with transaction.atomic():
        pack = Pack.objects.select_for_update().get(pk=pack_row.pk)
        store_all(pack, check_whole(pack))
    pack_row.refresh_from_db(fields=CHECKED)


def recheck_aside(pack_row: Pack) -> bool:
    """Check the whole draft while others go on editing it; False where they did, and nothing was stored.

    Only the findings are written in a transaction, so that nobody waits for the check.
    """
    pack = Pack.objects.get(pk=pack_row.pk)
    if pack.checked_revision != pack.revision:
        by_address = check_whole(pack)
        with transaction.atomic():
            locked = Pack.objects.select_for_update().get(pk=pack.pk)
            if locked.revision != pack.revision:
                return False
            store_all(locked, by_address)
    pack_row.refresh_from_db(fields=CHECKED)
    return True


def check_whole(pack: Pack) -> dict[Address, list[dict[str, Any]]]:
    """What a check of the whole draft finds, per node, as rows store it."""
    tree = read_tree(pack, contents=pack.format in CONTENT_READERS)
    return findings_by_address(format_of(pack), tree)


def store_all(pack: Pack, by_address: dict[Address, list[dict[str, Any]]]) -> None:
    """Store what a check of the whole draft found at its present revision."""
    for kind in NodeKind:
        store_findings(kind, rows_of(pack, kind), by_address)
    add_up(pack)


def recheck_if_stale(pack_row: Pack) -> None:
    """Check the whole draft unless that was done at its present revision: before a list of all problems is shown."""
    if pack_row.checked_revision != pack_row.revision:
        recheck(pack_row)


def findings_by_address(
    adapter: Adapter, tree: Tree, known: Iterable[Finding] | None = None
) -> dict[Address, list[dict[str, Any]]]:
    """What a check of the whole pack finds, per node, as rows store it; `known` where it was made already."""
    found: dict[Address, list[dict[str, Any]]] = defaultdict(list)
    for finding in adapter.check(tree) if known is None else known:
        address, path = adapter.locate(finding)
        kept = found[address]
        if len(kept) < MAX_FINDINGS:
            kept.append(stored(inside(finding, path, render_path(adapter.path_of(address)))))
    return found


def inside(finding: Finding, path: Path, prefix: str) -> Finding:
    """A finding as seen from the node's document; the inverse of `Finding.below`."""
    return replace(finding, path=path, field=finding.field.removeprefix(f"{prefix}.") if prefix else finding.field)


def rows_of(pack: Pack, kind: NodeKind, *, with_errors: bool = False) -> Iterator[tuple[Address, int, list[Any]]]:
    """Address, id and present findings of every row of a kind, or of those that have errors, in the tree's order."""
    if kind is NodeKind.PACK:
        yield Address(kind), pack.pk, pack.findings
        return
    addresses = addresses_of(pack, kind)
    rows = MODELS[kind].objects.filter(pack=pack, **({"error_count__gt": 0} if with_errors else {}))
    for pk, findings in ordered(rows).values_list("pk", "findings").iterator():
        yield addresses[pk], pk, findings


def addresses_of(pack: Pack, kind: NodeKind) -> dict[int, Address]:
    """Where the rows of a kind below the pack stand in the tree, by id."""
    if kind is not NodeKind.CASE:
        pks = ordered(MODELS[kind].objects.filter(pack=pack)).values_list("pk", flat=True)
        return {pk: Address(kind, (index,)) for index, pk in enumerate(pks)}
    order = {pk: index for index, pk in enumerate(ordered(pack.input_sets).values_list("pk", flat=True))}
    seen, found = dict.fromkeys(order, 0), {}
    for set_id, pk in ordered(Case.objects.filter(pack=pack)).values_list("input_set_id", "pk"):
        found[pk] = Address(kind, (order[set_id], seen[set_id]))
        seen[set_id] += 1
    return found


def store_findings(
    kind: NodeKind, rows: Iterable[tuple[Address, int, list[Any]]], by_address: dict[Address, list[Any]]
) -> None:
    """Write the findings of the rows whose findings are new; rows that now say the same are written together."""
    alike: dict[str, list[int]] = defaultdict(list)
    values: dict[str, list[Any]] = {}
    for address, pk, present in rows:
        found = by_address.get(address, [])
        if found or present:
            text = encode(found)
            if text != encode(present):
                alike[text].append(pk)
                values[text] = found
    for text, pks in alike.items():
        sample = MODELS[kind]()
        put_findings(sample, values[text])
        for some in batched(pks):
            MODELS[kind].objects.filter(pk__in=some).update(
                findings=sample.findings, error_count=sample.error_count, warning_count=sample.warning_count
            )


def add_up(pack: Pack) -> None:
    """Make the pack's totals anew from its rows, and note that the whole draft is checked at this revision."""
    pack.refresh_from_db(fields=["findings", "error_count", "warning_count"])
    sum_up(pack)
    pack.checked_revision = pack.revision
    pack.save(update_fields=["problem_errors", "problem_warnings", "checked_revision"])


def sum_up(pack: Pack) -> None:
    """Give the pack's row the totals of what is stored for it and its nodes."""
    errors, warnings = pack.error_count, pack.warning_count
    for kind in NodeKind:
        if kind is not NodeKind.PACK:
            rows = MODELS[kind].objects.filter(pack=pack).filter(Q(error_count__gt=0) | Q(warning_count__gt=0))
            sums = rows.aggregate(errors=Sum("error_count"), warnings=Sum("warning_count"))
            errors, warnings = errors + (sums["errors"] or 0), warnings + (sums["warnings"] or 0)
    pack.problem_errors, pack.problem_warnings = errors, warnings
