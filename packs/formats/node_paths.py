"""Paths of nodes in a tree that is written as lists: `challenges[0]`, `input_sets[0].cases[2]` and so on."""

from dataclasses import dataclass

from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding, Path


@dataclass(frozen=True, slots=True)
class NodePaths:
    """Where the lists of a pack's nodes stand in it; those of cases have one name in all input sets."""

    challenges: Path = ("challenges",)
    input_sets: Path = ("input_sets",)
    cases: str = "cases"
    assets: Path = ("assets",)

    def path_of(self, address: Address) -> Path:
        """The path to a node's document; see `Adapter.path_of`."""
        match address.kind, address.indices:
            case NodeKind.CHALLENGE, (index,):
                return (*self.challenges, index)
            case NodeKind.INPUT_SET, (index,):
                return (*self.input_sets, index)
            case NodeKind.CASE, (parent, index):
                return (*self.input_sets, parent, self.cases, index)
            case NodeKind.ASSET, (index,):
                return (*self.assets, index)
            case _:
                return ()

    def locate(self, finding: Finding) -> tuple[Address, Path]:
        """The node that a finding is about and the path inside its document; see `Adapter.locate`."""
        lists = {NodeKind.CHALLENGE: self.challenges, NodeKind.INPUT_SET: self.input_sets, NodeKind.ASSET: self.assets}
        for kind, place in lists.items():
            if finding.path[: len(place)] == place:
                match kind, finding.path[len(place) :]:
                    case NodeKind.INPUT_SET, (int(parent), self.cases, int(index), *rest):
                        return Address(NodeKind.CASE, (parent, index)), tuple(rest)
                    case _, (int(index), *rest):
                        return Address(kind, (index,)), tuple(rest)
        return Address(NodeKind.PACK), finding.path
