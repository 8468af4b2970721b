"""Writing: canonical files (challenge-pack i), byte-stable."""

from itertools import chain, count
from typing import Any

from packs.formats import yamlio
from packs.formats.challenge_pack.reader import PACK_FILE, SPARE_NAME, settle
from packs.formats.challenge_pack.shapes import SHAPES, ordered
from packs.formats.challenge_pack.tidying import tidied
from packs.formats.challenge_pack.values import content_name
from packs.formats.document import Asset, Document, NodeKind, Pack


def dump(pack: Pack) -> dict[str, bytes]:
    """The canonical files of a pack; see `Adapter.dump`."""
    beside = {file.path: file.content for file in pack.files}
    beside |= {name: asset.content for asset in pack.assets if (name := _own_file(asset)) and asset.content is not None}
    spare = (f"{number}-{SPARE_NAME}" for number in count(2))
    name = next(name for name in chain((PACK_FILE, SPARE_NAME), spare) if name not in beside)
    return {name: yamlio.write(root_of(pack)).encode(), **dict(sorted(beside.items()))}


def _own_file(asset: Asset) -> str:
    return content_name(asset.path)


def dump_node(kind: NodeKind, document: Document) -> str:
    """The canonical text of one node's document."""
    return yamlio.write(canonical(kind, document))


def canonical(kind: NodeKind, document: Document) -> Document:
    """A document without what stands for "absent", its keys in canonical order."""
    shape = SHAPES[kind]
    tidy: Document = document if shape.is_clean(document) else tidied(shape, document)
    found: Document = ordered(shape, settle(kind, tidy))
    return found


def root_of(pack: Pack) -> Document:
    """The whole pack as one mapping, in canonical order."""
    own = canonical(NodeKind.PACK, pack.document)
    if pack.assets:
        own["version"] = _with_assets(own.get("version"), [canonical(NodeKind.ASSET, a.document) for a in pack.assets])
    challenges = [canonical(NodeKind.CHALLENGE, challenge.document) for challenge in pack.challenges]
    sets = []
    for input_set in pack.input_sets:
        document = canonical(NodeKind.INPUT_SET, input_set.document)
        cases = [canonical(NodeKind.CASE, case.document) for case in input_set.cases]
        sets.append(_insert(document, "cases", cases, SHAPES[NodeKind.INPUT_SET].fields))
    known = SHAPES[NodeKind.PACK].fields
    with_challenges = _insert(own, "challenges", challenges, known)
    return _insert(with_challenges, "input_sets", sets, {**known, "challenges": None})


def _with_assets(version: Any, assets: list[Document]) -> Any:
    if version is not None and not isinstance(version, dict):
        return version
    before = {name: None for name in SHAPES[NodeKind.PACK].fields["version"].fields if name != "evaluation_spec"}
    return _insert(version or {}, "assets", assets, before)


def _insert(owner: Document, name: str, nodes: list[Document], known: Any) -> Document:
    """Put a list of nodes after the known fields of its owner and before all others; a list that is empty stays out."""
    if not nodes:
        return owner
    before = {key: part for key, part in owner.items() if key in known}
    after = {key: part for key, part in owner.items() if key not in known and key != name}
    return {**before, name: nodes, **after}
