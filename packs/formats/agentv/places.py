"""What a workspace becomes in a task: repositories, hooks and the files that it begins with (agentv D)."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import inside
from packs.formats.agentv.merging import workspace_folder
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.schema.workspace import POINTS, RESETS
from packs.formats.agentv.targets import entries_of
from packs.formats.document import Document
from packs.formats.task import Hook, Repository, WorkspaceFile, WorkspacePlan
from packs.formats.values import is_number, listing, mapping

_SECONDS_BEFORE, _SECONDS_AFTER = 60.0, 30.0


def plan_of(around: Around, test: Document, workspace: Document) -> WorkspacePlan:
    """The plan of a test's workspace."""
    is_shared = workspace.get("isolation") != "per_test"
    repositories = tuple(repositories_of(workspace))
    needs = mapping(workspace.get("env"))
    return WorkspacePlan(
        isolation="shared" if is_shared else "per_test",
        mode=mode_of(workspace, is_pooled=is_shared and bool(repositories)),
        path=str(workspace.get("path", "")),
        repositories=repositories,
        hooks=tuple(_hooks(around, test, mapping(workspace.get("hooks")))),
        required_commands=tuple(_texts(needs.get("required_commands"))),
        required_python_modules=tuple(_texts(needs.get("required_python_modules"))),
        container={key: value for key, value in mapping(workspace.get("docker")).items() if key != "image"},
    )


def mode_of(workspace: Document, *, is_pooled: bool) -> str:
    """The mode that a workspace states, else the one that follows from it (agentv D.1)."""
    if "path" in workspace:
        return "static"
    return str(workspace.get("mode", "pooled" if is_pooled else "temp"))


def _texts(value: Any) -> list[str]:
    return [item for item in listing(value) if isinstance(item, str)]


def repositories_of(workspace: Document) -> Iterator[Repository]:
    """The repositories of a workspace that say what they are and where they go."""
    for stated in map(mapping, listing(workspace.get("repos"))):
        found = repository_of(stated)
        if found is not None:
            yield found


def repository_of(stated: Document) -> Repository | None:
    """A repository in either form; None where it says not what or where to, and is then not materialised."""
    path, source = stated.get("path"), mapping(stated.get("source"))
    location = stated.get("repo") or source.get("url") or source.get("path")
    if not is_text(path) or not is_text(location):
        return None
    checkout, clone = mapping(stated.get("checkout")), mapping(stated.get("clone"))
    is_local = source.get("type") == "local"
    stated_ref = next(
        (
            value
            for value in (
                checkout.get("base_commit"),
                checkout.get("ref"),
                stated.get("commit"),
                stated.get("base_commit"),
            )
            if is_text(value)
        ),
        "HEAD",
    )
    return Repository(
        path=str(path),
        kind="local" if is_local else "git",
        location=str(location),
        ref=str(stated_ref),
        resolve="local" if checkout.get("resolve") == "local" or is_local else "remote",
        ancestor=_whole(checkout.get("ancestor", stated.get("ancestor"))) or 0,
        depth=_whole(clone.get("depth")) or None,
        filter=str(clone.get("filter", "")),
        sparse=tuple(_texts(clone.get("sparse", stated.get("sparse")))),
    )


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _hooks(around: Around, test: Document, hooks: Document) -> Iterator[Hook]:
    """The hooks that are on, in the order of a trial's life: those of targets run nearer to the agent."""
    for point in POINTS:
        own, theirs = _own_hooks(around, test, hooks, point), _hooks_of_targets(around, point)
        yield from (*own, *theirs) if point.startswith("before") else (*theirs, *own)


def _own_hooks(around: Around, test: Document, hooks: Document, point: str) -> Iterator[Hook]:
    """The workspace's hook at a point; one with neither command nor reset does nothing."""
    stated = mapping(hooks.get(point))
    command = tuple(arguments_of(stated.get("command", stated.get("script"))))
    reset = stated.get("reset") if stated.get("reset") in RESETS else "none"
    if hooks.get("enabled") is not False and (command or reset != "none"):
        folder = _folder_of(around, test, point)
        yield Hook(point, command, _directory(folder, stated), _seconds(point, stated), str(reset))


def _hooks_of_targets(around: Around, point: str) -> Iterator[Hook]:
    """The hooks that targets of the suite add at a point. A text is a line for a shell (agentv D.4)."""
    for target in entries_of(around.suite):
        hooks = mapping(target.get("hooks"))
        stated = mapping(hooks.get(point))
        line = stated.get("command", stated.get("script"))
        command = ("sh", "-c", line) if is_text(line) else tuple(str(part) for part in listing(line))
        if hooks.get("enabled") is not False and command:
            directory = _directory(around.folder, stated)
            yield Hook(point, command, directory, _seconds(point, stated), agent=str(target["name"]).strip())


def arguments_of(command: Any) -> list[str]:
    """The arguments of a hook's command; a text is split at blanks, no shell reads it."""
    return command.split() if isinstance(command, str) else [str(part) for part in listing(command)]


def _folder_of(around: Around, test: Document, point: str) -> str:
    """The folder from which a hook's paths count: that of the workspace file which states its command."""
    own = test.get("workspace")
    inner = mapping(around.yaml(own)[0] if isinstance(own, str) and own in around.texts else own)
    states_command = "command" in mapping(mapping(inner.get("hooks")).get(point))
    return workspace_folder(around, own if states_command else around.suite.get("workspace"))


def _directory(folder: str, stated: Document) -> str:
    path = stated.get("cwd")
    found = inside(folder, path) if isinstance(path, str) else folder
    return folder if found is None else found


def _seconds(point: str, stated: Document) -> float:
    usual = _SECONDS_BEFORE if point.startswith("before") else _SECONDS_AFTER
    time = stated.get("timeout_ms")
    return float(time) / 1000 if is_number(time) and isfinite(time) and time > 0 else usual


def template_files(around: Around, workspace: Document) -> Iterator[WorkspaceFile]:
    """The files that a workspace begins with: those below its template."""
    prefix = template_prefix(workspace)
    for name in around.names if prefix is not None else ():
        if name.startswith(prefix or "") and "/.git/" not in f"/{name}":
            yield WorkspaceFile(name[len(prefix or "") :], asset_key=name)


def template_prefix(workspace: Document) -> str | None:
    """How the names of all files below the template of a workspace begin; None where it has no template."""
    template = workspace.get("template")
    if not isinstance(template, str):
        return None
    folder = template.rpartition("/")[0] if template.endswith(".code-workspace") else template
    return f"{folder}/" if folder else ""
