"""Workspaces (agentv D): S44 to S54, S59, S60, and what keeps a suite from being loaded."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from packs.formats.agentv.checks.messages import LEAVES_PACK
from packs.formats.agentv.context import Around
from packs.formats.agentv.generations import is_pinned, repositories_of
from packs.formats.agentv.layout import SCRIPTS, inside
from packs.formats.agentv.merging import REMOVED, workspace_folder
from packs.formats.agentv.notes import REFUSED_WORKSPACE
from packs.formats.agentv.reading import is_nothing, is_text
from packs.formats.agentv.rules import OF_WORKSPACES
from packs.formats.agentv.schema.workspace import POINTS, WORKSPACE_FIELDS
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.structure import Structure
from packs.formats.values import listing, mapping

NO_WORKSPACE = Rule(
    "agentv.E144", "The workspace file must hold a mapping.", hint="Write its fields there.", rule="S44"
)
UNREADABLE = Rule(
    "agentv.E145", "The workspace file {name} cannot be read.", hint="Add it, or fix the path.", rule="S45"
)
NO_SOURCE = Rule(
    "agentv.E146",
    "The repository does not say where it comes from.",
    hint="Add `source` with a type and a url, or a docker image that has it.",
    rule="S46",
)
NEEDLESS = Rule("agentv.W147", "`resolve` does nothing for a local source.", hint="Leave it out.", rule="S47")
TOO_SHALLOW = Rule(
    "agentv.W148",
    "A clone of depth {depth} does not reach the ancestor {ancestor}.",
    hint="Use a depth of at least {wanted}, or leave it out.",
    rule="S48",
)
NO_REPOSITORY = Rule(
    "agentv.E149",
    "The repository does not say where it comes from.",
    hint="Add `repo`, or a docker image that has it.",
    rule="S49",
)
OLD_SOURCE = Rule(
    "agentv.E150", "`source` does not go together with `repo` and `commit`.", hint="Use one form.", rule="S50"
)
OLD_CHECKOUT = Rule(
    "agentv.E151", "`checkout` does not go together with `repo` and `commit`.", hint="Use one form.", rule="S51"
)
OLD_CLONE = Rule(
    "agentv.E152", "`clone` does not go together with `repo` and `commit`.", hint="Use one form.", rule="S52"
)
MISMATCH = Rule("agentv.E153", "commit and base_commit differ.", hint="Keep one of the two.", rule="S53")
NEEDLESS_RESET = Rule(
    "agentv.W154",
    "Each test has a workspace of its own, so there is nothing to reset.",
    hint="Leave `reset` out.",
    rule="S54",
)
NO_TEMPLATE = Rule("agentv.E159", "There is no folder {name}.", hint="Add it, or fix the path.", rule="S59")
NO_SCRIPT = Rule(
    "agentv.E160", "There is no file {name} for this command.", hint="Add it, or fix the path.", rule="S60"
)
FULL_ID = Rule(
    "agentv.W305",
    "A full commit id as `ref` is not found on the remote.",
    hint="Write it as `base_commit`, or add `resolve: local`.",
)
NO_IMAGE = Rule(
    "agentv.W307", "The container names no image, so there is none.", hint="Add `image`, or remove `docker`."
)
OUTSIDE = Rule(
    "agentv.W315",
    "The repository cannot stand at {name}: it has to lie in the workspace.",
    hint="Write a relative path, such as ./repo; until then the tests of the suite end as set-up errors.",
)
NO_OPERAND = Rule(
    "agentv.W316",
    "{name} cannot be given to git: it is blank, or would be read as an option.",
    hint="Fix it, or leave the field out; until then the tests of the suite end as set-up errors.",
)
# By the names that the schema has for them.
WORKSPACE_RULES = {
    "no_source": NO_SOURCE,
    "no_repository": NO_REPOSITORY,
    "old_source": OLD_SOURCE,
    "old_checkout": OLD_CHECKOUT,
    "old_clone": OLD_CLONE,
    **OF_WORKSPACES,
}
_WORKSPACE = Structure({"x-absent": [None], **WORKSPACE_FIELDS}, WORKSPACE_RULES, WORKSPACE_RULES)
# Of these the loader says it too.
_NOT_LOADED = frozenset(rule.code for rule in (OLD_SOURCE, OLD_CHECKOUT, OLD_CLONE, MISMATCH))
_FULL = frozenset("0123456789abcdefABCDEF")


def check_workspace(around: Around, stated: Any, *, is_of_suite: bool) -> Iterator[Finding]:
    """The findings about the workspace of a suite or a test; paths start at the document."""
    workspace, path = around.filled(stated), ("workspace",)
    if isinstance(stated, str):
        name = inside(around.folder, stated)
        if not name or around.is_folder(name) or not around.exists(name):
            yield UNREADABLE.at(path, name=repr(stated)[:160])
            return
        if name not in around.texts:
            return
        workspace, is_read = around.yaml(name)
        if not is_read or not isinstance(workspace, dict):
            yield (NO_WORKSPACE if is_read else UNREADABLE).at(path, name=repr(stated)[:160])
            return
    if isinstance(workspace, dict):
        folder = workspace_folder(around, stated)
        inner = _StatedWorkspace(around, folder, is_inline=not isinstance(stated, str), is_of_suite=is_of_suite)
        yield from _check_loading(workspace)
        yield from inner.check(workspace)


def _check_loading(workspace: Document) -> Iterator[Finding]:
    if isinstance(workspace.get("workspace"), dict):
        yield REFUSED_WORKSPACE.at(("workspace",), reason="the file wraps its fields in `workspace:`")
    for key in REMOVED:
        if key in workspace:
            yield REFUSED_WORKSPACE.at(("workspace",), reason=f"the key {key} was removed")


class _StatedWorkspace:
    """A workspace as it stands in a suite, a test or a file of its own."""

    def __init__(self, around: Around, folder: str, *, is_inline: bool, is_of_suite: bool) -> None:
        self.around, self.folder, self.is_inline, self.is_of_suite = around, folder, is_inline, is_of_suite

    def check(self, workspace: Document) -> Iterator[Finding]:
        structure = list(_WORKSPACE.examine(workspace))
        yield from self._check_repositories(workspace, [each for each in structure if each.path[0] == "repos"])
        # The specification has no number for what is ignored in a workspace.
        others = (each for each in structure if each.path[0] != "repos")
        yield from (replace(each, path=self.path(*each.path), rule="") for each in others)
        hooks = mapping(workspace.get("hooks"))
        after = mapping(hooks.get("after_each"))
        if workspace.get("isolation") == "per_test" and not is_nothing(after.get("reset")):
            yield NEEDLESS_RESET.at(self.path("hooks", "after_each"), field="workspace.hooks.after_each")
        docker = workspace.get("docker")
        if isinstance(docker, dict) and not is_text(docker.get("image")):
            yield NO_IMAGE.at(self.path("docker"))
        if self.is_of_suite:
            yield from self._check_files(workspace, hooks)

    def path(self, *steps: str | int) -> Path:
        """A path inside the workspace, or the workspace itself where it stands in another file."""
        return ("workspace", *steps) if self.is_inline else ("workspace",)

    def _check_repositories(self, workspace: Document, structure: list[Finding]) -> Iterator[Finding]:
        stated = listing(workspace.get("repos"))
        check = check_pinned if is_pinned(repositories_of(workspace)) else check_classic
        others = [
            rule.at(("repos", index), **values)
            for index, repository in enumerate(stated)
            if isinstance(repository, dict)
            for rule, values in chain(check(repository), check_operands(repository))
        ]
        for finding in chain(structure, others):
            index = int(finding.path[1])
            name = stated[index].get("path")
            field, path = f"workspace.repos[path={'(none)' if name is None else name}]", self.path("repos", index)
            yield replace(finding, path=path, field=field)
            if finding.code in _NOT_LOADED:
                yield REFUSED_WORKSPACE.at(path, field=field, reason=finding.message)

    def _check_files(self, workspace: Document, hooks: Document) -> Iterator[Finding]:
        template = workspace.get("template")
        if isinstance(template, str) and template:
            place = self.path("template")
            yield from self._check_there(template, self.folder, NO_TEMPLATE, place, "workspace.template")
        for point in POINTS:
            hook = mapping(hooks.get(point))
            stated = hook.get("cwd")
            directory = inside(self.folder, stated) if isinstance(stated, str) else self.folder
            stated = hook.get("command") if hook.get("command") is not None else hook.get("script")
            for index, part in enumerate(listing(stated)):
                if isinstance(part, str) and (part.startswith(("./", "../")) or part.endswith(SCRIPTS)):
                    place = self.path("hooks", point, "command", index)
                    field = f"workspace.hooks.{point}.command[{index}]"
                    yield from self._check_there(part, directory or "", NO_SCRIPT, place, field)

    def _check_there(self, path: str, folder: str, rule: Rule, place: Path, field: str = "") -> Iterator[Finding]:
        name = inside(folder, path)
        if name is None:
            yield LEAVES_PACK.at(place, name=repr(path)[:160])
        if name is None or not self.around.exists(name):
            yield rule.at(place, field=field, name=repr(path)[:160])


Breaches = Iterator[tuple[Rule, dict[str, Any]]]


def check_operands(repository: Document) -> Breaches:
    """What a run refuses to give to git, and places outside of the workspace (agentv D.3, I.5)."""
    source, checkout = mapping(repository.get("source")), mapping(repository.get("checkout"))
    place = repository.get("path")
    if is_text(place) and (place.startswith("/") or ".." in place.split("/")):
        yield OUTSIDE, {"name": repr(place)[:160]}
    given = [repository.get(name) for name in ("path", "repo", "commit", "base_commit")]
    given += [source.get("url"), source.get("path"), checkout.get("ref"), checkout.get("base_commit")]
    for text in given:
        if isinstance(text, str) and (not text.strip() or "\0" in text or text.startswith("-")):
            yield NO_OPERAND, {"name": repr(text)[:160]}


def check_classic(repository: Document) -> Breaches:
    """What the classic generation says of a repository that no schema can say."""
    source = mapping(repository.get("source"))
    checkout, clone = mapping(repository.get("checkout")), mapping(repository.get("clone"))
    is_local = source.get("type") == "local"
    if is_local and "resolve" in checkout:
        yield NEEDLESS, {}
    depth, ancestor = clone.get("depth"), checkout.get("ancestor", 0)
    if isinstance(depth, int) and isinstance(ancestor, int) and depth < ancestor + 1:
        yield TOO_SHALLOW, {"depth": depth, "ancestor": ancestor, "wanted": ancestor + 1}
    ref = checkout.get("ref")
    is_full = isinstance(ref, str) and len(ref) == 40 and set(ref) <= _FULL
    if is_full and not is_local and "base_commit" not in checkout and checkout.get("resolve") != "local":
        yield FULL_ID, {}


def check_pinned(repository: Document) -> Breaches:
    """What the pinned generation says of a repository that no schema can say."""
    commit, base = repository.get("commit"), repository.get("base_commit")
    if isinstance(commit, str) and isinstance(base, str) and commit != base:
        yield MISMATCH, {}
