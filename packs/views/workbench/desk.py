"""What every view of the workbench starts with: the draft, the node, and what the user may do."""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from packs.access import Permission
from packs.editing.seen import document_seen
from packs.editing.sizes import short
from packs.formats import adapter_of
from packs.formats.adapter import Above, Adapter
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, from_pointer, render_path
from packs.formats.names import NODE_SORTS, sorts_in, unique
from packs.formats.provenance import find_provenance, locked_pointers
from packs.formats.structure.model import Schema, for_forms, inheriting
from packs.forms.choices import Declared, declared_by, homes_for
from packs.forms.sections import Section, first_section, parts_of, section_for, sections_of, whole
from packs.forms.sizes import too_wide
from packs.forms.state import State
from packs.grid.metadata import has_metadata
from packs.mirror import MODELS, format_of, ordered, restored
from packs.models import Case, NodeRow, Pack
from packs.views.shared import lookup
from packs.views.workbench.addresses import NodeRef, checks_url, node_url, url_of
from packs.views.workbench.naming import MAX_FILES, NOUN, Naming, naming_of
from packs.views.workbench.rename_links import rename_urls

# How many challenges or assets pages know, and how many cases are looked into for evidence references.
MAX_KEYS = 501
MAX_SAMPLES = 3
MAX_ID = 2**63
KIND_NAMES = {
    NodeKind.PACK: "Pack",
    NodeKind.CHALLENGE: "Challenge",
    NodeKind.INPUT_SET: "Input set",
    NodeKind.CASE: "Case",
    NodeKind.ASSET: "Asset",
}


# Which of the nodes that fields can name a form can create.
CREATED = frozenset({NodeKind.CHALLENGE, NodeKind.ASSET})


class Listed(NamedTuple):
    """What lists say of a node."""

    pk: int
    key: str
    error_count: int
    warning_count: int


LISTED = Listed._fields


@dataclass(frozen=True)
class Desk:
    """A node of a draft on the desk of a user; `noticed` is what the edit of just now had to change in its values."""

    pack: Pack
    row: Any
    ref: NodeRef
    user: User
    may_edit: bool
    section: Section
    noticed: list[Finding] = field(default_factory=list)

    @property
    def kind(self) -> NodeKind:
        return self.ref.kind

    @property
    def adapter(self) -> Adapter:
        return format_of(self.pack)

    @property
    def schema(self) -> Schema:
        return inheriting(form_schema(self.adapter.NAME, self.kind), self.row.document, self.pack.document)

    @property
    def is_case(self) -> bool:
        return self.kind is NodeKind.CASE

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        return sections_of(self.schema) if self.kind is NodeKind.PACK else (whole(self.schema),)

    @property
    def parts(self) -> list[tuple[Section, str]]:
        """The sections that a group of them leads to, with their addresses."""
        return [(part, f"{self.url}?section={part.key}") for part in parts_of(self.section, self.sections)]

    @property
    def findings(self) -> list[Finding]:
        """What the last check found about the node, and the edit of just now."""
        return [*(restored(found) for found in self.row.findings), *self.noticed]

    @property
    def state(self) -> State:
        return State(self.schema, self.row.document, self._open(self.row.document), self.hidden)

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The parts of the document that are too large for its form; they stay as they are."""
        return too_wide(self.row.document)

    @property
    def hidden_names(self) -> list[str]:
        """What is hidden, as findings name places."""
        return [render_path(from_pointer(pointer)) for pointer in sorted(self.hidden)]

    def _open(self, document: Document) -> Section:
        """The section without what the node's provenance locks."""
        return replace(self.section, without=self.section.without | locked_pointers(document))

    @property
    def checks_url(self) -> str:
        """Where it stands how a case is checked; empty where that is in the case itself."""
        places = self.adapter.CHECKS_AT
        elsewhere = self.is_case and self.kind not in places and NodeKind.PACK in places
        return checks_url(self.pack, self.row) if elsewhere else ""

    @property
    def provenance(self) -> Document | None:
        """The failed trial that a case was made of; numbers that are none are left out, so that no link breaks."""
        found = find_provenance(self.row.document) if self.is_case else None
        if found is None:
            return None
        facts = dict(found[1])
        numbers = {name: facts.pop(name, None) for name in ("trial", "step")}
        return facts | {name: number for name, number in numbers.items() if type(number) is int and 0 < number < MAX_ID}

    def state_seen(self, revision: int) -> State:
        """The document as it was when the user's page was drawn."""
        document = document_seen(self.pack, self.row, revision)
        return State(self.schema, document, self._open(document), too_wide(document))

    @cached_property
    def declared(self) -> Declared:
        """What pickers of this node offer."""
        schemas = self.adapter.SCHEMA
        names = declared_by(schemas[NodeKind.PACK], [self.pack.document])
        names |= declared_by(schemas[NodeKind.CASE], self._cases_at_hand)
        named = sorts_named(self.adapter.NAME, self.kind)
        names |= {sort: unique(node.key for node in getattr(self, sort)) for sort in NODE_SORTS if sort in named}
        homes = homes_for(schemas, self.kind)
        nouns = {sort: KIND_NAMES[kind].lower() for sort, kind in NODE_SORTS.items() if kind in CREATED}
        nouns |= {sort: home.noun for sort, (_, home) in homes.items()}
        if self.naming is None:
            return Declared(names, nouns)
        names |= {sort: tuple(dict.fromkeys(found)) for sort, found in self.naming.names().items()}
        files = self.naming.namer.FILES
        return Declared(names, nouns | dict.fromkeys(files, NOUN), files, self.naming.is_new)

    @cached_property
    def naming(self) -> Naming | None:
        """How this node names the files of the pack."""
        above = Above(self.pack.document, self.row.input_set.document if self.is_case else {})
        rows = [(key, blob, size) for _, key, _, _, blob, size in self._asset_rows]
        return naming_of(self.adapter.NAME, self.kind, self.row.document, above, rows)

    @cached_property
    def challenges(self) -> list[Listed]:
        return self._listed(self.pack.challenges) if NodeKind.CHALLENGE in self.adapter.SCHEMA else []

    @cached_property
    def assets(self) -> list[Listed]:
        return [Listed(*row[: len(LISTED)]) for row in self._asset_rows[:MAX_KEYS]]

    @cached_property
    def _asset_rows(self) -> list[Any]:
        """What lists and pickers say of each file, in one query: `Listed`, digest and size."""
        return list(ordered(self.pack.assets).values_list(*LISTED, "blob", "blob__size")[:MAX_FILES])

    def _listed(self, rows: Any) -> list[Listed]:
        return [Listed(*row) for row in ordered(rows).values_list(*LISTED)[:MAX_KEYS]]

    @cached_property
    def cases(self) -> list[Listed]:
        """The other cases of a case's set."""
        return self._listed(self.row.input_set.cases.exclude(pk=self.row.pk)) if self.is_case else []

    @property
    def _cases_at_hand(self) -> list[Document]:
        """The case itself; for the pack a few of its cases, since looking at all would take too long."""
        if self.kind is not NodeKind.PACK:
            return [self.row.document] if self.is_case else []
        rows = short(Case.objects.filter(pack=self.pack)).order_by("pk")
        return list(rows.values_list("document", flat=True)[:MAX_SAMPLES])

    @property
    def url(self) -> str:
        return node_url(self.pack, self.ref, section=self.section.key if self.kind is NodeKind.PACK else "")

    def act_url(self, name: str) -> str:
        """The address of an act on this node."""
        section = self.section.key if self.kind is NodeKind.PACK else ""
        return url_of(self.pack, name, self.ref, section=section)

    @property
    def field_url(self) -> str:
        return self.act_url("edit-field")

    @property
    def gallery_url(self) -> str:
        """The kinds of check that a list of the node can hold."""
        return url_of(self.pack, "edit-gallery", self.ref)

    @property
    def act(self) -> str:
        return self.act_url("edit-act")

    @property
    def lint_url(self) -> str:
        return self.act_url("edit-lint")

    @property
    def recheck_url(self) -> str:
        """Where the whole draft is checked after edits; empty where that finds nothing more."""
        return self.act_url("edit-recheck") if self.may_edit and self.adapter.PACK_WIDE else ""

    @property
    def lens_url(self) -> str:
        return url_of(self.pack, "edit-lens", self.ref)

    @property
    def yaml_url(self) -> str:
        return self.act_url("edit-yaml")

    @property
    def sides_url(self) -> str:
        return self.act_url("edit-sides")

    @property
    def metadata_url(self) -> str:
        """The editor of the node's metadata; empty where its format has none."""
        return self.act_url("edit-metadata") if has_metadata(self.adapter, self.kind) else ""

    @property
    def upload_url(self) -> str:
        return self.act_url("edit-upload")

    @property
    def content_url(self) -> str:
        return self.act_url("edit-content")

    @property
    def kind_name(self) -> str:
        return KIND_NAMES[self.kind]

    @property
    def rename_url(self) -> str:
        """Where the node gets another key, and with it all that names it; empty for one without a key."""
        key = self.adapter.KEY_POINTERS.get(self.kind, "")
        return rename_urls(self.pack, self.row, self.row.document).get(key, "") if key else ""

    @property
    def name(self) -> str:
        """What the node is called on screen: the section of the pack's document, else its key."""
        if self.kind is NodeKind.PACK:
            return self.section.title
        return self.row.key or f"{self.kind_name} without a key"


@lru_cache
def form_schema(format_name: str, kind: NodeKind) -> Schema:
    """The schema of a kind of node as forms show it."""
    return for_forms(adapter_of(format_name).SCHEMA[kind])


@lru_cache
def sorts_named(format_name: str, kind: NodeKind) -> frozenset[str]:
    """What the fields of a kind of node can name."""
    return sorts_in(adapter_of(format_name).SCHEMA[kind])


def find_pack(request: HttpRequest, team: str, slug: str, *, to_edit: bool = False) -> Pack:
    """The draft; 404 for who may not see it, 403 for who may see it but, with `to_edit`, not change it."""
    return find_subject(request, team, slug, to_edit=to_edit).pack


def find_subject(request: HttpRequest, team: str, slug: str, *, to_edit: bool = False) -> lookup.Subject:
    """The draft, as `find_pack` does, and what the user may do with it."""
    return lookup.find_pack(request.user, team, slug, Permission.EDIT if to_edit else Permission.READ)


def find_row(pack: Pack, ref: NodeRef) -> NodeRow:
    """The row of a node of this draft; 404 when it has gone."""
    if ref.kind is NodeKind.PACK:
        return pack
    rows = MODELS[ref.kind].objects.filter(pack=pack)
    if ref.kind is NodeKind.CASE:
        rows = rows.select_related("input_set")
    found: NodeRow = get_object_or_404(rows, pk=ref.id)
    return found


def open_desk(request: HttpRequest, team: str, slug: str, ref: NodeRef, *, to_edit: bool = False) -> Desk:
    """Lay a node on the desk. Parameters: `section` or `at` choose the section of the pack's document."""
    found = find_subject(request, team, slug, to_edit=to_edit)
    pack, row = found.pack, find_row(found.pack, ref)
    schema = form_schema(pack.format, ref.kind)
    section = whole(schema)
    if ref.kind is NodeKind.PACK:
        section = chosen_section(sections_of(schema), request.GET.get("section", ""), request.GET.get("at", ""))
    user = request.user
    if not isinstance(user, User):
        raise Http404
    return Desk(pack, row, ref, user, Permission.EDIT in found.may, section)


def chosen_section(sections: tuple[Section, ...], key: str, pointer: str) -> Section:
    """The section with a key, else the one that edits a pointer, else the first that has fields."""
    named = next((section for section in sections if section.key == key), None)
    if named is not None:
        return named
    return section_for(sections, pointer) if pointer else first_section(sections)
