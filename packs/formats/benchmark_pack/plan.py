"""The materialisation plan: which files a component finds where, and what forbids that (benchmark-pack 8)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from packs.formats.benchmark_pack.compiled import Compiled, Resource
from packs.formats.benchmark_pack.families import EVALUATION, HIDDEN, PUBLIC
from packs.formats.benchmark_pack.header import Header
from packs.formats.benchmark_pack.policy import (
    COMPONENTS,
    EVALUATION_FOLDER,
    EVALUATOR,
    EVALUATOR_FOLDER,
    PUBLIC_FOLDER,
    TASK_FILE,
    collisions,
    internal_trouble,
    is_below,
    mount_trouble,
)
from packs.formats.findings import Finding, Path, Rule
from packs.formats.paths import normal_path, path_trouble

CANNOT_BE_PLACED = Rule(
    "benchmark_pack.E401",
    "{name} {gist}.",
    hint="A run would stop here; fix the path, or add the file to the pack.",
    rule="MaterializationError",
)
AGAINST_POLICY = Rule(
    "benchmark_pack.E402",
    "The path {at} {gist}.",
    hint="Choose another place in the workspace.",
    rule="PathPolicyError",
)
TASK_FILE_TAKEN = Rule(
    "benchmark_pack.W403",
    "The path {at} takes the place of {task_file}, in which the agent gets its task.",
    hint="Mount it elsewhere: a run stops here unless its tester names another task file.",
    rule="ConfigError",
)

JSON, COPY = "json", "copy"
INTERNAL, WORKSPACE = "internal", "workspace"
_REFERENCE_KEYS = frozenset({"path", "mount", "read_only"})
_LANE_FOLDERS = {EVALUATION: EVALUATION_FOLDER, HIDDEN: EVALUATOR_FOLDER}
# The lanes beside the public one that a component gets as files.
_OWN_LANE = {"agent": None, "test_sandbox": EVALUATION, "evaluator": HIDDEN}

# Says whether a path of the pack's folder is a file or a folder of the pack.
Exists = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Item:
    """One file or folder of a plan. `source` is a path in the pack's folder, empty for a value written as JSON."""

    name: str
    lane: str
    path: str
    serialization: str
    placement: str
    source: str = ""
    value: Any = None
    read_only: bool = True
    origin: Path = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a component gets; a plan with findings is not carried out."""

    items: tuple[Item, ...]
    findings: tuple[Finding, ...]


def is_reference(value: Any) -> bool:
    """Whether a value of `eval` names a file (benchmark-pack 4.3)."""
    return isinstance(value, dict) and "path" in value and value.keys() <= _REFERENCE_KEYS


def plan(header: Header, compiled: Compiled, component: str, exists: Exists) -> Plan:
    """The plan of a row for a component: agent, test_sandbox or evaluator."""
    if component not in COMPONENTS:
        return Plan((), (_cannot((), "component", "is no target of materialisation"),))
    maker = _Maker(header, component, exists, [])
    items = tuple(item for resource in compiled.resources for item in maker.items_of(resource))
    maker.check_policy(items)
    return Plan(items, tuple(maker.findings))


def check_task_file(found: Plan) -> Iterator[Finding]:
    """What of an agent's plan would stand where its task does (benchmark-pack 10.1, C24)."""
    for item in found.items:
        if item.placement == WORKSPACE and any(collisions((TASK_FILE, item.path))):
            yield TASK_FILE_TAKEN.at(item.origin, field=item.path, at=item.path, task_file=TASK_FILE)


@dataclass(slots=True)
class _Maker:
    header: Header
    component: str
    exists: Exists
    findings: list[Finding]

    def items_of(self, resource: Resource) -> Iterator[Item]:
        if resource.lane not in (PUBLIC, _OWN_LANE[self.component]):
            return
        if resource.name == "assets" and resource.origin == ("assets",):
            if self.component != EVALUATOR:
                yield from self.assets(resource.value)
        elif resource.lane != PUBLIC and is_reference(resource.value):
            yield from self.reference(resource)
        elif self.is_name(resource):
            folder = PUBLIC_FOLDER if resource.lane == PUBLIC else _LANE_FOLDERS[resource.lane]
            folder = EVALUATOR_FOLDER if self.component == EVALUATOR else folder
            path = f"{folder}/{resource.name}.json"
            yield Item(resource.name, resource.lane, path, JSON, INTERNAL, value=resource.value, origin=resource.origin)

    def is_name(self, resource: Resource) -> bool:
        """Whether a resource's name can be that of a file."""
        name = resource.name
        is_safe = bool(name) and not {"/", "\\"} & set(name) and ".." not in name
        if not is_safe:
            self.report(resource.origin, name or "resource", "cannot be the name of a file")
        return is_safe

    def assets(self, entries: Any) -> Iterator[Item]:
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict):
                yield from self.asset(entry, ("assets", index), f"assets[{index}]")

    def asset(self, entry: dict[str, Any], at: Path, field: str) -> Iterator[Item]:
        """One public asset (benchmark-pack 4.1)."""
        path: Any = entry.get("path")
        mount: Any = entry.get("mount", path)
        read_only = self.flag(entry, at, field, self.header.read_only)
        if self.is_path(path, (*at, "path"), f"{field}.path") and self.is_path(mount, (*at, "mount"), f"{field}.mount"):
            source = f"{self.header.roots[0]}{normal_path(path)}"
            if self.is_there(source, path, (*at, "path")):
                yield Item(field, PUBLIC, normal_path(mount), COPY, WORKSPACE, source, None, read_only, at)

    def reference(self, resource: Resource) -> Iterator[Item]:
        """A file of the hidden root (benchmark-pack 4.3)."""
        stated, at, name, folder = resource.value, resource.origin, resource.name, _LANE_FOLDERS[resource.lane]
        path = stated["path"]
        read_only = self.flag(stated, at, name, True)
        if not self.is_path(path, (*at, "path"), f"{name}.path"):
            return
        mount = stated.get("mount", f"{folder}/{normal_path(path)}")
        if not self.is_path(mount, (*at, "mount"), f"{name}.mount"):
            return
        if not is_below(normal_path(mount), (folder,)):
            self.report((*at, "mount"), f"{name}.mount", f"must be under {folder}")
            return
        source = f"{self.header.roots[1]}{normal_path(path)}"
        if self.is_there(source, path, (*at, "path")):
            yield Item(name, resource.lane, normal_path(mount), COPY, INTERNAL, source, None, read_only, at)

    def flag(self, stated: dict[str, Any], at: Path, field: str, default: bool) -> bool:
        read_only = stated.get("read_only")
        if not isinstance(read_only, bool | None):
            self.report((*at, "read_only"), f"{field}.read_only", "must be true or false")
        return read_only if isinstance(read_only, bool) else default

    def is_path(self, path: Any, at: Path, field: str) -> bool:
        trouble = path_trouble(path)
        if trouble:
            self.report(at, field, trouble)
        return not trouble

    def is_there(self, source: str, path: str, at: Path) -> bool:
        found = self.exists(source)
        if not found:
            self.report(at, path, f"is not a file or folder of the pack ({source})")
        return found

    def report(self, path: Path, field: str, gist: str) -> None:
        self.findings.append(_cannot(path, field, gist))

    def check_policy(self, items: tuple[Item, ...]) -> None:
        """The path policy over the whole plan (benchmark-pack 8.2)."""
        for item in items:
            ask = internal_trouble if item.placement == INTERNAL else mount_trouble
            trouble = ask(self.component, item.path)
            if trouble:
                self.findings.append(AGAINST_POLICY.at(item.origin, field="path", at=item.path, gist=trouble))
        for position in collisions(item.path for item in items):
            item = items[position]
            gist = "is taken by another file, or one of the two contains the other"
            self.findings.append(AGAINST_POLICY.at(item.origin, field=item.path, at=item.path, gist=gist))


def _cannot(path: Path, field: str, gist: str) -> Finding:
    return CANNOT_BE_PLACED.at(path, field=field, name=field, gist=gist)
