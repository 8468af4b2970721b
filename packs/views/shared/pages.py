"""The pages of a pack beside its workbench: what its tabs, the outline and the command palette lead to."""

from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef
from django.urls import NoReverseMatch, reverse

from packs.companion import companion
from packs.formats.abilities import ARRANGERS, TRACERS
from packs.formats.document import NodeKind
from packs.grid.metadata import has_metadata
from packs.mirror import format_of, ordered
from packs.models import InputSet, Pack
from packs.views.workbench.addresses import NodeRef, url_of


@dataclass(frozen=True, slots=True)
class PackPage:
    """A page of a pack."""

    key: str
    label: str
    icon: str
    url: str


_FIRST = (
    ("overview", "Overview", "package", "packs:overview"),
    ("draft", "Draft in the workbench", "square-pen", "packs:edit"),
)
_FILES = ("files", "Files", "folder", "packs:edit-files")
_EVERYWHERE = (
    ("problems", "Problems", "list-checks", "packs:edit-problems"),
    ("history", "History", "history", "packs:edit-history"),
    ("proposals", "Proposals", "git-fork", "packs:proposals"),
    ("comments", "Comments", "message-square", "packs:comments"),
    ("whole", "Whole pack as YAML", "code", "packs:edit-whole"),
    ("versions", "Versions", "layers", "packs:versions"),
    ("changes", "Changes since the last version", "git-compare", "packs:changes"),
    ("export", "Export", "download", "packs:export"),
    ("git", "Git repository", "git-fork", "packs:git"),
)
_METADATA = ("metadata", "Metadata", "tag", "packs:edit-slices")
_ORIGINS = ("origins", "Origins", "git-fork", "packs:origins")
_ARRANGEMENT = ("arrangement", "Cases in files", "folder", "packs:arrangement")


def first_set(pack: Pack | OuterRef) -> Any:
    """A query for the id of the first input set of a pack, or of the pack of an outer query."""
    return ordered(InputSet.objects.filter(pack=pack)).values_list("pk", flat=True)[:1]


def pages_of(pack: Pack, first_set: int | None) -> list[PackPage]:
    """The pages that a pack has; some only where its format can do what they show.

    `first_set` is the id of its first input set.
    """
    files = [_FILES] if NodeKind.ASSET in format_of(pack).SCHEMA else []
    optional = (
        (_METADATA, has_metadata(format_of(pack))),
        (_ORIGINS, pack.format in TRACERS),
        (_ARRANGEMENT, pack.format in ARRANGERS),
    )
    wanted = (*_FIRST, *files, *_EVERYWHERE, *companion().PAGES, *(page for page, is_there in optional if is_there))
    found = [PackPage(key, label, icon, address(pack, name)) for key, label, icon, name in wanted]
    if first_set is not None:
        url = url_of(pack, "edit-rows", NodeRef(NodeKind.INPUT_SET, first_set))
        found.append(PackPage("grid", "Cases as a table", "table", url))
    return [page for page in found if page.url]


def address(pack: Pack, url_name: str) -> str:
    """The address of a page about a pack; empty where no such page is installed."""
    try:
        return reverse(url_name, args=[pack.team.slug, pack.slug])
    except NoReverseMatch:
        return ""
