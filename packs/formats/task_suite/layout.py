"""Which file of a pack is what (task-suite 1): the configuration, the tasks of each suite, and everything else."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import normpath
from typing import Any

from packs.formats.adapter import Files
from packs.formats.task_suite.suites import SUITES
from packs.formats.values import mapping, trimmed

FOLDER = "evals"
CONFIG_FILE = f"{FOLDER}/config.yml"
RUBRICS = f"{FOLDER}/_shared/rubrics/"
_SUFFIX = ".yaml"
_TASK_FILE = re.compile(rf"(?P<suite>{'|'.join(SUITES)})/[^/]+\.ya?ml")
_TASK_KEYS = re.compile(rb"""^["']?(task_id|suite|graders|tracked_metrics)["']?[ \t]*:""", re.M)
_CONFIG_KEYS = re.compile(rb"""^["']?(suites|gates)["']?[ \t]*:""", re.M)


@dataclass(frozen=True, slots=True)
class Layout:
    """The files of a pack by what they are; names are as given, `own_name` maps to the name inside the pack.

    `tasks` holds, suite by suite in their fixed order, the task files sorted by name. A task file that comes alone has
    no folder: `is_alone`. `outside` are files that lie beside the pack's folder.
    """

    config: str = ""
    tasks: dict[str, list[str]] = field(default_factory=dict)
    rest: dict[str, str] = field(default_factory=dict)
    outside: tuple[str, ...] = ()
    is_alone: bool = False
    prefix: str = ""
    is_inside: bool = False

    def own_name(self, name: str) -> str:
        """The name of a file inside the pack: `evals/...` or beside it."""
        own = name.removeprefix(self.prefix)
        return f"{FOLDER}/{own}" if self.is_inside else own


def lay_out(files: Files) -> Layout | None:
    """What each file is; None where nothing looks like a pack of tasks."""
    root = _root_of(files)
    if root is not None:
        return _laid_out(files, *root)
    if len(files) != 1:
        return None
    ((name, content),) = files.items()
    if name.rpartition("/")[2] == "config.yml" or looks_like_a_config(content):
        return Layout(config=name, is_alone=True)
    return Layout(tasks={"": [name]}, is_alone=True)


def looks_like_a_task(content: bytes) -> bool:
    """Whether a file's own keys are those of a task."""
    return {b"task_id", b"suite"} <= set(_TASK_KEYS.findall(content)) or {b"task_id", b"tracked_metrics"} <= set(
        _TASK_KEYS.findall(content)
    )


def looks_like_a_config(content: bytes) -> bool:
    """Whether a file's own keys are those of the configuration."""
    found = set(_CONFIG_KEYS.findall(content))
    return not _TASK_KEYS.search(content) and (found == {b"suites", b"gates"} or b"ci_merge_gate" in content)


def recognises(files: Files) -> bool:
    """Whether these files look like task suites; see `Adapter.recognises`."""
    layout = lay_out(files)
    if layout is None:
        return False
    if layout.config and looks_like_a_config(files[layout.config]):
        return True
    return any(looks_like_a_task(files[name]) for names in layout.tasks.values() for name in names)


def _root_of(files: Files) -> tuple[str, bool] | None:
    """The prefix of the pack's folder, and whether it is the folder `evals` itself that was given."""
    found: set[str] = set()
    for name in files:
        before, is_there, after = f"/{name}".rpartition(f"/{FOLDER}/")
        if is_there and (after == "config.yml" or _TASK_FILE.fullmatch(after) or after.startswith("_shared/rubrics/")):
            found.add(f"{before[1:]}/" if before else "")
    if found:
        return min(found, key=lambda prefix: (prefix.count("/"), prefix)), False
    inside = {name[: match.start()] for name in files if (match := _at_end(name))}
    return (min(inside, key=lambda prefix: (prefix.count("/"), prefix)), True) if inside else None


def _at_end(name: str) -> re.Match[str] | None:
    """A task file at the end of a name, in a suite's folder whatever stands above it."""
    return re.search(rf"(?:^|(?<=/)){_TASK_FILE.pattern}$", name)


def _laid_out(files: Files, prefix: str, is_inside: bool) -> Layout:
    inside = sorted(name for name in files if name.startswith(prefix))
    layout = Layout(prefix=prefix, is_inside=is_inside, outside=tuple(sorted(set(files) - set(inside))))
    own = {layout.own_name(name): name for name in inside}
    tasks = {suite: names for suite in SUITES if (names := [own[name] for name in _task_names(own, suite)])}
    taken = {name for names in tasks.values() for name in names} | {own.get(CONFIG_FILE, "")}
    rest = {own_name: name for own_name, name in sorted(own.items()) if name not in taken}
    return Layout(own.get(CONFIG_FILE, ""), tasks, rest, layout.outside, False, prefix, is_inside)


def _task_names(own: dict[str, str], suite: str) -> list[str]:
    start = f"{FOLDER}/{suite}/"
    return sorted(
        name for name in own if name.startswith(start) and name.endswith(_SUFFIX) and "/" not in name[len(start) :]
    )


def is_left_out(own_name: str) -> bool:
    """Whether a file looks like a task that the format does not pick up: extension or nesting (TS-504)."""
    folder, _, rest = own_name.removeprefix(f"{FOLDER}/").partition("/")
    if not own_name.startswith(f"{FOLDER}/") or folder not in SUITES or not rest.endswith((".yaml", ".yml")):
        return False
    return "fixtures" not in rest.split("/")[:-1]


def is_asset(own_name: str) -> bool:
    """Whether a file is material of the tasks: everything below `evals/` that is no task."""
    return own_name.startswith(f"{FOLDER}/") and not is_left_out(own_name)


def leaves_pack(suite: str, path: str) -> bool:
    """Whether a path, as a task of a suite writes it, is absolute, has a backslash or leads out of the pack."""
    if path.startswith("/") or "\\" in path or ":" in path[:3]:
        return True
    return normpath(f"{FOLDER}/{suite or 'golden'}/{path}").startswith("..")


def candidates(suite: str, path: str) -> Iterator[str]:
    """The names that a path of a task can mean: beside the task, then below `_shared` (task-suite 1)."""
    if not leaves_pack(suite, path):
        yield normpath(f"{FOLDER}/{suite}/{path}")
        shared = normpath(f"{FOLDER}/_shared/{path}")
        if not shared.startswith(".."):
            yield shared


def working_folders(document: Mapping[str, Any]) -> Iterator[str]:
    """The folders that `inputs.repo_path` of a task can mean; the agent works on the first that has files."""
    stated = mapping(document.get("inputs")).get("repo_path")
    if isinstance(stated, str):
        yield from candidates(trimmed(document.get("suite")) or "golden", stated)


def is_task_file(own_name: str) -> bool:
    """Whether the format reads a file of this name as a task or as the configuration."""
    is_task = _TASK_FILE.fullmatch(own_name.removeprefix(f"{FOLDER}/")) is not None
    return own_name == CONFIG_FILE or (is_task and own_name.startswith(f"{FOLDER}/"))
