"""The other lenses on a node: YAML, what each side will see, the stored document; and its problems."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.formats.costs import is_wide
from packs.formats.document import Case, NodeKind
from packs.formats.findings import Finding, to_pointer
from packs.forms.encoding import json_text
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url, workbench_url
from packs.views.workbench.desk import Desk, open_desk
from packs.views.workbench.sides import preview_context
from packs.views.workbench.styles import has_styles
from packs.views.workbench.texts import shown_text

LENSES = {
    "yaml": "YAML",
    "preview": "Preview",
    "try": "Try",
    "proof": "Proof",
    "stored": "Stored document",
    "problems": "Problems",
}
FOR_CASES = frozenset({"preview", "try", "proof", "stored"})


@signed_in("GET")
def lens(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """One lens on a node. Parameter: lens (yaml, preview, try, proof, stored, problems)."""
    desk = open_desk(request, team, slug, ref)
    context = {"desk": desk, "pack": desk.pack, **lens_context(desk, request.GET.get("lens", "yaml"))}
    return render(request, "packs/workbench/_lens.html", context)


def lens_context(desk: Desk, name: str) -> dict[str, Any]:
    """What a lens shows; an unknown one, or one that this kind of node does not have, is the YAML lens."""
    shown = {key: label for key, label in LENSES.items() if desk.is_case or key not in FOR_CASES}
    chosen = name if name in shown else "yaml"
    tabs = [(key, label, lens_url(desk, key), key == chosen) for key, label in shown.items()]
    template = f"packs/workbench/_lens_{chosen}.html"
    return {"lens": chosen, "lens_tabs": tabs, "lens_template": template, **_CONTENTS[chosen](desk)}


def lens_url(desk: Desk, name: str) -> str:
    section = {"section": desk.section.key} if desk.kind is NodeKind.PACK else {}
    return node_url(desk.pack, desk.ref, lens=name, **section)


def yaml_context(desk: Desk) -> dict[str, Any]:
    found = shown_text(desk)
    return {"text": found.text, "obstacles": found.trouble}


def problems_context(desk: Desk) -> dict[str, Any]:
    return {"findings": [listed(desk, finding) for finding in desk.findings]}


def listed(desk: Desk, finding: Finding) -> dict[str, Any]:
    """A finding about a node with the address where it is fixed."""
    return {**finding.as_dict(), "url": workbench_url(desk.pack, desk.row, to_pointer(finding.path))}


def stored_context(desk: Desk) -> dict[str, Any]:
    """The stored document of a case, and which style of authoring it comes from (challenge-pack b.2)."""
    if is_wide(desk.row.document):
        return {"is_too_large": True}
    stored = desk.adapter.stored_document(case_of(desk))
    is_bare_payload = has_styles(desk) and not isinstance(stored.get("schema_version"), int)
    return {"stored": json_text(stored), "is_bare_payload": is_bare_payload}


def case_of(desk: Desk) -> Case:
    key, challenge_key = desk.adapter.identify(NodeKind.CASE, desk.row.document)
    return Case(key, challenge_key, desk.row.document)


_CONTENTS = {
    "yaml": yaml_context,
    "preview": preview_context,
    "try": lambda desk: {},
    "proof": lambda desk: {},
    "stored": stored_context,
    "problems": problems_context,
}
