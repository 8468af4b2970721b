"""The preview of a case: what the agent, the test sandbox, the evaluator and the results each see, side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from packs import blobs
from packs.formats.costs import is_wide
from packs.formats.findings import to_pointer
from packs.formats.leaks import CONTEXT, PROMPT, Leak, leaks
from packs.formats.sides import Lane, Placed, Side, Value, sides
from packs.formats.task import Task, WorkspaceFile
from packs.forms.encoding import json_text
from packs.mirror import obstacles_to, read_alone
from packs.models import Asset
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url, workbench_url
from packs.views.workbench.contents import preview
from packs.views.workbench.desk import Desk, open_desk

# Longer texts are looked at for answers only in part, and shown only in part.
MAX_SEARCHED = 1_000_000
MAX_SHOWN = 20_000


@dataclass(frozen=True, slots=True)
class Look:
    """How a lane is shown: word, icon and a form of its own tell it apart without its colour."""

    word: str
    icon: str
    help: str


LOOKS = {
    Lane.PUBLIC: Look("Public", "eye", "The agent sees it."),
    Lane.STAGED: Look("For tests", "hammer", "It reaches the sandbox once the agent has ended."),
    Lane.HIDDEN: Look("Hidden", "lock", "It never leaves the worker."),
}
WITHHELD = "<redacted>"
ICONS = {"agent": "bot", "test_sandbox": "terminal", "evaluator": "target", "result": "scroll-text"}


@signed_in("GET")
def sides_page(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The four sides of a case on a page of their own, where they stand beside each other."""
    desk = open_desk(request, team, slug, ref)
    if not desk.is_case:
        raise Http404
    return render(request, "packs/workbench/sides.html", {"desk": desk, "pack": desk.pack, **preview_context(desk)})


def preview_context(desk: Desk) -> dict[str, Any]:
    """What every side sees of the case on the desk; or what has to be fixed first, or that it is too large to show."""
    if is_wide(desk.row.document):
        return {"is_too_large": True, "task": None}
    blocking = [
        {**finding.as_dict(), "url": workbench_url(desk.pack, row, to_pointer(finding.path))}
        for row, finding in obstacles_to(desk.row)
    ]
    task = None if blocking else next(iter(desk.adapter.compile_tasks(read_alone(desk.row))), None)
    if task is None:
        return {"blocking": blocking, "task": None}
    found = leaks(task, lambda file: text_of(desk, file))
    shown = [shown_side(desk, task, side) for side in sides(task, found)]
    return {"task": task, "sides": shown, "looks": LOOKS.values(), "leaks": [shown_leak(desk, leak) for leak in found]}


def shown_side(desk: Desk, task: Task, side: Side) -> dict[str, Any]:
    reported = {name: value for name, value in task.for_agent().items() if name not in _TOLD_APART}
    return {
        "key": side.key,
        "label": side.label,
        "about": side.about,
        "icon": ICONS[side.key],
        "prompt": side.prompt,
        "prompt_is_leaked": side.prompt_is_leaked,
        "values": [shown_value(value) for value in side.values],
        "files": list(shown_files(desk, side.files)),
        "shown": json_text(reported) if side.key == "agent" else "",
    }


_TOLD_APART = ("prompt", "context", "tools", "tool_policy", "files")


def shown_value(value: Value) -> dict[str, Any]:
    text = WITHHELD if value.is_withheld else value.value if isinstance(value.value, str) else json_text(value.value)
    return {
        "name": value.name,
        "lane": value.lane,
        "look": LOOKS[value.lane],
        "text": text[:MAX_SHOWN],
        "is_cut": len(text) > MAX_SHOWN,
        "is_withheld": value.is_withheld,
        "is_leaked": value.is_leaked,
    }


def shown_files(desk: Desk, files: tuple[Placed, ...]) -> Iterator[dict[str, Any]]:
    """Files with their contents; those of the pack with the address of their asset."""
    for placed in files:
        file, row = placed.file, asset_row(desk, placed.file)
        shown = {"kind": "text", "text": (file.text or "")[:MAX_SHOWN], "is_cut": len(file.text or "") > MAX_SHOWN}
        yield {
            **(shown if file.text is not None else preview(row) if row else {"kind": "none"}),
            "path": file.path,
            "read_only": file.read_only,
            "lane": placed.lane,
            "look": LOOKS[placed.lane],
            "is_leaked": placed.is_leaked,
            "asset": row.key if row else "",
            "url": workbench_url(desk.pack, row) if row else "",
        }


def asset_row(desk: Desk, file: WorkspaceFile) -> Asset | None:
    """The asset whose bytes a file has."""
    if file.text is not None or not file.asset_key:
        return None
    rows = Asset.objects.filter(pack=desk.pack, key=file.asset_key).select_related("blob")
    found: Asset | None = rows.order_by("position").first()
    return found


def text_of(desk: Desk, file: WorkspaceFile) -> str | None:
    """The text of a file of the pack, None where it has no bytes or is long."""
    row = asset_row(desk, file)
    if row is None or not row.blob_id or not row.blob or row.blob.size > MAX_SEARCHED:
        return None
    with blobs.open_stream(row.blob_id) as stream:
        data: bytes = stream.read(MAX_SEARCHED)
    return data.decode("utf-8", "replace")


def shown_leak(desk: Desk, leak: Leak) -> dict[str, str]:
    places = {PROMPT: "in the prompt", CONTEXT: "in the data"}
    pointer = to_pointer(leak.answer.path)
    return {
        "text": leak.answer.text[:80],
        "place": places.get(leak.place, f"in the file {leak.place}"),
        "form": leak.form.value,
        "url": node_url(desk.pack, desk.ref, pointer, lens="preview"),
    }
