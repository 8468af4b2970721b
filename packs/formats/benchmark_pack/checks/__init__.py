"""All that can be said about the content of a benchmark pack.

`check` and `check_node` run the same functions. What a row takes from its manifest is prepared once for all rows, and
a row as it should be costs a few microseconds.
"""

from collections.abc import Iterator
from dataclasses import replace

from packs.formats.adapter import Node, PackIndex
from packs.formats.benchmark_pack.checks.advice import advise
from packs.formats.benchmark_pack.checks.environment import check_environment
from packs.formats.benchmark_pack.checks.files import check_file, check_rows_file
from packs.formats.benchmark_pack.checks.manifest import check_manifest
from packs.formats.benchmark_pack.checks.shape import ID_REPEATED, check_line, check_shape
from packs.formats.benchmark_pack.compiled import check_names, compile_row
from packs.formats.benchmark_pack.families import ACTIVE
from packs.formats.benchmark_pack.header import Header, header_of, section
from packs.formats.benchmark_pack.plan import Exists, check_task_file, is_reference, plan
from packs.formats.benchmark_pack.policy import AGENT, TEST_SANDBOX
from packs.formats.benchmark_pack.reader import is_raw, stated
from packs.formats.benchmark_pack.rows import size_of, too_long_for
from packs.formats.document import Document, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Path
from packs.formats.identity import check_key
from packs.formats.index import TreeIndex
from packs.formats.provenance import check_provenance

# Every rule can be asked of one node.
PACK_WIDE: frozenset[str] = frozenset()


def check(pack: Pack) -> Iterator[Finding]:
    """Every finding about the content of a pack; paths start with `manifest`, `rows` or `files`."""
    index, header = TreeIndex(pack), header_of(pack.document)
    yield from _below(("manifest",), check_manifest(pack.document), "manifest")
    for position, asset in enumerate(pack.assets):
        node = Node(NodeKind.ASSET, asset.document, asset.key, position=position)
        yield from _below(("files", position), _of_file(index, header, node))
    for position, input_set in enumerate(pack.input_sets):
        node = Node(NodeKind.INPUT_SET, input_set.document, input_set.key, position=position)
        yield from _below(("rows", position), check_rows_file(header, node.document, index.is_repeated(node)))
        yield from _check_rows(index, header, position, input_set)


def _below(prefix: Path, findings: Iterator[Finding], name: str = "") -> Iterator[Finding]:
    """Findings seen from the root; their field stays what the format calls it."""
    for finding in findings:
        field = finding.field or (f"{name}.{finding.field_path}" if name else finding.field_path)
        yield replace(finding, path=prefix + finding.path, field=field)


def _check_rows(index: PackIndex, header: Header, parent: int, input_set: InputSet) -> Iterator[Finding]:
    """The findings about the rows of one file: what `check_node` does, without its cost for each row."""
    seen: set[str] = set()
    for position, case in enumerate(input_set.cases):
        key = case.key
        findings = list(check_row(header, case.document, index.has_assets_at, bool(key) and key in seen))
        seen.add(key)
        if findings:
            yield from _below(("rows", parent, position), iter(findings))


def check_node(index: PackIndex, node: Node) -> Iterator[Finding]:
    """The findings about one node; see `Adapter.check_node`."""
    header = header_of(node.document if node.kind is NodeKind.PACK else index.pack)
    match node.kind:
        case NodeKind.PACK:
            return _below((), check_manifest(node.document), "manifest")
        case NodeKind.CASE:
            key = stated(node.document, "id")
            repeated = bool(key) and index.is_repeated(node)
            return _below((), check_row(header, node.document, index.has_assets_at, repeated))
        case NodeKind.INPUT_SET:
            return check_rows_file(header, node.document, index.is_repeated(node))
        case NodeKind.ASSET:
            return _of_file(index, header, node)
        case _:
            return iter(())


def _of_file(index: PackIndex, header: Header, node: Node) -> Iterator[Finding]:
    return check_file(header, node.document, bool(node.key) and index.is_repeated(node))


def check_row(header: Header, row: Document, exists: Exists, is_repeated: bool) -> Iterator[Finding]:
    """Every finding about a row, in the order in which the format would meet them."""
    if too_long := too_long_for(size_of(row)):
        yield replace(too_long, field="line")
    if is_raw(row):
        yield from check_line(row)
        return
    yield from check_key(stated(row, "id"), ("id",), "row.id")
    family = header.family_of(row)
    yield from check_shape(header, row)
    if family not in ACTIVE:
        yield from check_names(row, family)
    yield from _check_plans(header, row, family, exists)
    if is_repeated:
        yield ID_REPEATED.at(("id",), field="row.id", key=row["id"])
    if family:
        yield from check_environment(family, row, header.environment_of(row))
        yield from advise(family, row)
    yield from check_provenance(row)


def _check_plans(header: Header, row: Document, family: str, exists: Exists) -> Iterator[Finding]:
    """What would keep agent and test sandbox from getting their files; reported once where both meet it."""
    if not _has_files(row, family):
        return
    compiled, reported = compile_row(header, row), set[tuple[Path, str]]()
    plans = [plan(header, compiled, component, exists) for component in (AGENT, TEST_SANDBOX)]
    for finding in (finding for found in plans for finding in found.findings):
        if (finding.path, finding.message) not in reported:
            reported.add((finding.path, finding.message))
            yield finding
    yield from check_task_file(plans[0])


def _has_files(row: Document, family: str) -> bool:
    """Whether a row can have trouble with its files: those of active families have fixed names for their values."""
    return bool(row.get("assets")) or family not in ACTIVE or any(map(is_reference, section(row, "eval").values()))
