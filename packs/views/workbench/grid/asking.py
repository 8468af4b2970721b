"""What a request asks of a grid: the set, its columns, the query, the chosen cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, QueryDict

from packs.formats.document import NodeKind
from packs.grid.columns import Column, chosen_first, columns_of, key_pointer
from packs.grid.queries import ASKED, IS, LACKS, PAGE, Matches, Query, query_of
from packs.models import Case, GridChoice, InputSet, Pack
from packs.views.workbench.addresses import NodeRef, url_of
from packs.views.workbench.desk import Desk, open_desk

MAX_CHOSEN = 1000


@dataclass(frozen=True)
class Grid:
    """A set of cases on the desk of a user, and what is asked of it."""

    desk: Desk
    query: Query
    asked: Mapping[str, str]

    @property
    def pack(self) -> Pack:
        return self.desk.pack

    @property
    def input_set(self) -> InputSet:
        found: InputSet = self.desk.row
        return found

    @cached_property
    def columns(self) -> dict[str, Column]:
        return columns_of(self.desk.adapter, self.input_set)

    @cached_property
    def key(self) -> str:
        """The pointer of the cases' key; empty where the format gives them none."""
        return key_pointer(self.desk.adapter)

    @cached_property
    def choice(self) -> GridChoice:
        """What the user has chosen for this pack; unsaved where nothing was."""
        found = GridChoice.objects.filter(user=self.desk.user, pack=self.pack).first()
        return found or GridChoice(user=self.desk.user, pack=self.pack)

    @cached_property
    def shown(self) -> list[Column]:
        """The columns that the user sees, besides the key."""
        chosen = self.choice.columns or chosen_first(self.columns, self.key)
        return [self.columns[pointer] for pointer in chosen if pointer in self.columns]

    @cached_property
    def matches(self) -> Matches:
        return Matches(self.input_set, self.query, self.columns)

    @property
    def asked_text(self) -> str:
        """The query as it stands in addresses."""
        return urlencode(self.asked)

    def url(self, name: str = "edit-rows", *, asked: bool = True) -> str:
        """An address of this grid with its query."""
        path = url_of(self.pack, name, NodeRef(NodeKind.INPUT_SET, self.input_set.pk))
        return f"{path}?{self.asked_text}" if asked and self.asked else path

    @property
    def plain_url(self) -> str:
        return self.url(asked=False)

    @property
    def columns_url(self) -> str:
        return self.url("edit-rows-columns", asked=False)

    @property
    def bulk_url(self) -> str:
        return self.url("edit-rows-bulk", asked=False)

    @property
    def table_url(self) -> str:
        return self.url("edit-rows-table")

    @property
    def fixes_url(self) -> str:
        return self.url("edit-rows-fixes", asked=False)

    @property
    def csv_url(self) -> str:
        return self.url("edit-rows-csv")

    @property
    def back(self) -> str:
        """The grid as acts name the place to return to."""
        return f"{self.desk.ref.path}/rows"

    @property
    def first_name(self) -> str:
        """The name of a column, as an example of how columns are named."""
        return next((column.name for column in self.shown if "." in column.name), "id")

    @property
    def offered(self) -> list[tuple[Column, bool]]:
        """Every column with whether it is shown; the shown ones first, in their order."""
        others = [column for column in self.columns.values() if column not in self.shown and column.pointer != self.key]
        return [(column, True) for column in self.shown] + [(column, False) for column in others]

    def chosen(self, data: QueryDict) -> list[int]:
        """The cases that a form names: all that match, or those that were ticked and are cases of the set."""
        if data.get("scope") == "all":
            return self.matches.ids()
        ticked = [int(text) for text in data.getlist("case") if text.isdecimal() and len(text) < 19][:MAX_CHOSEN]
        there = set(Case.objects.filter(input_set=self.input_set, pk__in=ticked).values_list("pk", flat=True))
        return [pk for pk in dict.fromkeys(ticked) if pk in there]


def open_grid(request: HttpRequest, team: str, slug: str, ref: NodeRef, *, to_edit: bool = False) -> Grid:
    """The grid of an input set with what the address asks, or the field `asked` of a form.

    Raises Http404 for other nodes, and as `open_desk` does.
    """
    if ref.kind is not NodeKind.INPUT_SET:
        raise Http404
    desk = open_desk(request, team, slug, ref, to_edit=to_edit)
    data = QueryDict(request.POST["asked"]) if "asked" in request.POST else request.GET
    asked = {name: str(value) for name, value in data.items() if value and is_asked(name)}
    return Grid(desk, query_of(asked), asked)


def is_asked(name: str) -> bool:
    """Whether a parameter of an address belongs to the query of a grid."""
    return name in ASKED or name.startswith((IS, LACKS))


def page_start(request: HttpRequest) -> int:
    """The index of the first case on the page that is asked for."""
    page = request.GET.get("page", "")
    return (max(int(page), 1) - 1) * PAGE if page.isdecimal() and len(page) < 9 else 0
