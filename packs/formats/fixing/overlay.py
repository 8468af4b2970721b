"""The index of a pack in which one node is another."""

from dataclasses import dataclass

from packs.formats.adapter import Node, PackIndex
from packs.formats.document import Document, NodeKind


@dataclass(frozen=True, slots=True)
class Overlay:
    """Answers `PackIndex` as if `new` stood in the place of `old`; all else as `index` does."""

    index: PackIndex
    old: Node
    new: Node

    @property
    def pack(self) -> Document:
        return self.new.document if self.new.kind is NodeKind.PACK else self.index.pack

    def challenge(self, key: str) -> Document | None:
        return self._own(NodeKind.CHALLENGE, key) or self.index.challenge(key)

    def asset(self, key: str) -> Document | None:
        return self._own(NodeKind.ASSET, key) or self.index.asset(key)

    def _own(self, kind: NodeKind, key: str) -> Document | None:
        return self.new.document if self.new.kind is kind and self.new.key.strip() == key.strip() else None

    def has_assets_at(self, path: str) -> bool:
        return self._own(NodeKind.ASSET, path) is not None or self.index.has_assets_at(path)

    def input_set(self, position: int) -> Document | None:
        is_own = self.new.kind is NodeKind.INPUT_SET and self.new.position == position
        return self.new.document if is_own else self.index.input_set(position)

    def set_challenge_key(self, input_set: int) -> str:
        leading = self.index.set_challenge_key(input_set)
        leads = (
            self.old.kind is NodeKind.CASE
            and self.old.parent == input_set
            and leading == self.old.challenge_key.strip()
        )
        return self.new.challenge_key.strip() if leads else leading

    def only_challenge_key(self) -> str:
        only = self.index.only_challenge_key()
        return self.new.key.strip() if only and self.new.kind is NodeKind.CHALLENGE else only

    def case_count(self, input_set: int) -> int:
        return self.index.case_count(input_set)

    def is_repeated(self, node: Node) -> bool:
        return self.index.is_repeated(node)
