"""The compiled form of the format: resources with lanes, and payloads (benchmark-pack 7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from packs.formats.benchmark_pack.families import EVALUATION, HIDDEN, LANES, PUBLIC, REDACTED, lane_of
from packs.formats.benchmark_pack.header import Header, section
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule

NAME_TWICE = Rule(
    "benchmark_pack.E301",
    "Two fields of this row become the same resource {name!r}.",
    hint="Rename one of them: what stands in `input`, `assets` and `eval` shares its names.",
    rule="ConfigError",
)

_SEEN_BY = {
    "agent": (PUBLIC,),
    "test_sandbox": (PUBLIC, EVALUATION),
    "evaluator": (PUBLIC, HIDDEN),
    "result": LANES,
}


@dataclass(frozen=True, slots=True)
class Resource:
    """One named value of a compiled task; `lane` says who may see it, `origin` where the row states it."""

    name: str
    value: Any
    lane: str
    origin: Path = ()

    @property
    def kind(self) -> str:
        return "text" if isinstance(self.value, str) else "json"


@dataclass(frozen=True, slots=True)
class Compiled:
    """A row in compiled form."""

    id: str
    benchmark_id: str
    task_type: str
    metadata: Document
    resources: tuple[Resource, ...]

    def payload(self, component: str) -> Document:
        """What a component sees: agent, test_sandbox, evaluator, or result with all but public values redacted."""
        lanes = _SEEN_BY[component]
        is_result = component == "result"
        return {
            resource.name: REDACTED if is_result and resource.lane != PUBLIC else resource.value
            for resource in self.resources
            if resource.lane in lanes
        }

    def in_lane(self, lane: str) -> Document:
        return {resource.name: resource.value for resource in self.resources if resource.lane == lane}

    @property
    def visibility(self) -> dict[str, str]:
        return {resource.name: resource.lane for resource in self.resources}

    def withheld(self) -> list[Any]:
        """The values that agents do not see."""
        return [found.value for found in self.resources if found.lane != PUBLIC and found.value not in ("", None)]

    def summary(self) -> list[Document]:
        """What a results page may show of every resource."""
        return [
            {"name": found.name, "visibility": found.lane, "kind": found.kind}
            | ({"value": found.value} if found.lane == PUBLIC else {"redacted": True})
            for found in self.resources
        ]


def compile_row(header: Header, row: Document) -> Compiled:
    """The compiled form of a row (benchmark-pack 7.1). Of two resources with one name the first counts."""
    family = header.family_of(row)
    first: dict[str, Resource] = {}
    for resource in resources_of(row, family):
        first.setdefault(resource.name, resource)
    metadata = section(row, "metadata") | {
        "benchmark_pack": {"id": header.id, "version": header.version, "manifest_path": None},
        "environment": header.environment_of(row),
        "asset_roots": {"public": header.public_root, "eval": header.hidden_root},
        "asset_defaults": {"read_only": header.read_only},
    }
    stated = row.get("id")
    return Compiled(stated if isinstance(stated, str) else "", header.id, family, metadata, tuple(first.values()))


def resources_of(row: Document, family: str) -> Iterator[Resource]:
    """The resources that a row states, in order; a name may come twice."""
    for name, value in section(row, "input").items():
        yield Resource(name, value, PUBLIC, ("input", name))
    if row.get("assets"):
        yield Resource("assets", row["assets"], PUBLIC, ("assets",))
    for name, value in section(row, "eval").items():
        yield Resource(name, value, lane_of(family, name), ("eval", name))


def check_names(row: Document, family: str) -> Iterator[Finding]:
    """Two resources with one name (benchmark-pack 7.1, rule 5)."""
    seen: set[str] = set()
    for resource in resources_of(row, family):
        if resource.name in seen:
            yield NAME_TWICE.at(resource.origin, field=f"resources.{resource.name}", name=resource.name)
        seen.add(resource.name)
