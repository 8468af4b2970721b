"""Taking a table in a request or a command: into an input set, or as a new pack. Whole, or not at all."""

from dataclasses import replace

from packs.editing import change_cases
from packs.editing.draft import Author
from packs.formats.tables import Table
from packs.grid.beginnings import Recipe, check, make
from packs.grid.merging import Merge, Merged, look_ahead
from packs.importing import ImportRefused
from packs.importing.reading import Reading, free_slug
from packs.importing.writing import NO_SOURCE, create
from packs.models import Pack, Team


def create_from_table(team: Team, author: Author, recipe: Recipe, table: Table, *, takes_errors: bool = False) -> Pack:
    """A new draft that a table becomes. Raises ImportRefused with every line that stands in the way, and where the slug
    cannot be one or is taken."""
    slug = free_slug(team, recipe.title, recipe.slug)
    own = replace(recipe, slug=slug)
    made = check(own, make(own, table))
    refuse(made.found, takes_errors=takes_errors)
    reading = Reading(recipe.format, slug, made.tree, None, [], [], made.content)
    return create(team, author, reading, reading.in_tree(), NO_SOURCE)


def take_table(merge: Merge, author: Author, table: Table, name: str, *, takes_errors: bool = False) -> Merged:
    """What a table did to a set, as one step that can be undone. Raises ImportRefused with every line that stands in
    the way."""
    found = merge.of(table)
    look_ahead(merge, found)
    refuse(found, takes_errors=takes_errors)
    if not found.is_empty:
        label = f"Table: {name}"
        change_cases(merge.pack, author, found.changes, input_set=merge.input_set.pk, added=found.added, label=label)
    return found


def refuse(found: Merged, *, takes_errors: bool) -> None:
    """Raises ImportRefused where something of a table stands in the way."""
    refused = found.refused(takes_errors=takes_errors)
    if refused:
        raise ImportRefused(refused)
