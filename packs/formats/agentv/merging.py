"""What a test takes over from its suite: metadata and workspace (agentv G, D.1, D.6)."""

from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import cases_folder, inside
from packs.formats.agentv.schema.workspace import POINTS, WORKSPACE_FIELDS
from packs.formats.document import Document
from packs.formats.structure import counting
from packs.formats.values import mapping

REMOVED = ("static_path", "pool", "static")
# Values that AgentV leaves out, or passes over.
_counted = counting(WORKSPACE_FIELDS, "type", "unread")


def metadata_of(suite: Document, test: Document) -> Document | None:
    """The metadata of a test with that of its suite below it; None where neither states any."""
    shared = dict(mapping(suite.get("metadata")))
    if isinstance(suite.get("governance"), dict):
        shared["governance"] = suite["governance"]
    own = test.get("metadata")
    if not isinstance(own, dict):
        return shared or None
    return merged(shared, own) or None


def merged(shared: Document, own: Document) -> Document:
    """Own values over shared ones: lists are joined without repetition, mappings recurse, scalars of the case win."""
    found = {key: _merged(shared[key], value) if key in shared else value for key, value in own.items()}
    return found | {key: value for key, value in shared.items() if key not in own}


def _merged(shared: Any, own: Any) -> Any:
    if isinstance(shared, dict) and isinstance(own, dict):
        return merged(shared, own)
    if isinstance(shared, list) and isinstance(own, list):
        joined: list[Any] = []
        for item in [*shared, *own]:
            if item not in joined:
                joined.append(item)
        return joined
    return own


def workspace_of(around: Around, test: Document) -> Document | None:
    """The workspace of a test: its own over the suite's, unusable values left out; None where there is none."""
    shared = read_workspace(around, around.suite.get("workspace"))
    own = read_workspace(around, test.get("workspace"))
    folder = test.get("$folder")
    cases = cases_folder(around.folder, around.suite)
    if isinstance(folder, str) and cases is not None and "workspace" not in test:
        place = template_of_folder(around.folder, around.suite, folder)
        own = {"template": place} if around.exists(place) else own
    if shared is None or own is None:
        return own if shared is None else shared
    hooks = _merged_hooks(mapping(shared.get("hooks")), mapping(own.get("hooks")))
    found = {**{key: value for key, value in shared.items() if key != "env"}, **own}
    return {**found, "hooks": hooks} if hooks else found


def template_of_folder(suite_folder: str, suite: Document, folder: str) -> str:
    """The folder in the pack that is the template of a case's folder, where it is there (agentv B.4)."""
    base = inside(suite_folder, str(suite.get("tests", "")))
    return f"{base}/{folder}/workspace" if base else f"{folder}/workspace"


def _merged_hooks(shared: Document, own: Document) -> Document:
    found = {**shared, **own}
    for name in POINTS:
        if isinstance(shared.get(name), dict) and isinstance(own.get(name), dict):
            found[name] = {**shared[name], **own[name]}
    return found


def workspace_folder(around: Around, stated: Any) -> str:
    """The folder from which the paths of a workspace count: that of its file, else the suite's."""
    name = inside(around.folder, stated) if isinstance(stated, str) else None
    return around.folder if name is None else name.rpartition("/")[0]


def read_workspace(around: Around, stated: Any) -> Document | None:
    """A workspace as the loader takes it, from a mapping or the file that is named; paths are those in the pack."""
    folder = workspace_folder(around, stated)
    if isinstance(stated, str):
        name = inside(around.folder, stated)
        if name is None or name not in around.texts:
            return None
        stated, _ = around.yaml(name)
    return _usable(folder, stated) if isinstance(stated, dict) else None


def _usable(folder: str, stated: Document) -> Document:
    """The values of a workspace that count, its template as a path in the pack."""
    found = _counted(stated)
    if "template" in found:
        template = inside(folder, found["template"])
        found["template"] = found["template"] if template is None else template
    return found
