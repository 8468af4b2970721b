"""Jobs about tables: what one would do to an input set or as a new pack, and doing it."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import PermissionDenied

from packs import blobs
from packs.access import Permission, permissions
from packs.editing import change_cases
from packs.formats.tables import Table, read_table
from packs.grid.alike import completed
from packs.grid.beginnings import Made, Recipe, check, completed_recipe, foreseen, make
from packs.grid.columns import columns_of, key_pointer
from packs.grid.merging import Merge, Merged, look_ahead
from packs.grid.queries import Matches, query_of
from packs.grid.tables import csv_lines
from packs.grid.taking import refuse
from packs.importing import ImportRefused
from packs.importing.reading import Reading, free_slug
from packs.importing.writing import NO_SOURCE
from packs.jobs.arriving import CHECKING, READING, WRITING, forget_unfinished, written
from packs.jobs.progress import Progress, watched
from packs.mirror import format_of
from packs.models import Case, InputSet, Job, Pack, Upload

WORKING = "Working it out"


def foresee(job: Job, pack: Pack, progress: Progress) -> dict[str, Any]:
    """Say what a table would do to a set, every record checked. Parameters: those of `merge`."""
    return merged(job, pack, progress)[2].report()


def merge(job: Job, pack: Pack, progress: Progress) -> dict[str, Any]:
    """Take a table into a set, whole or not at all. Parameters: set, upload, mapping, names, adds, errors.

    Raises ImportRefused with every line that stands in the way.
    """
    waiting, way, found = merged(job, pack, progress)
    refuse(found, takes_errors=job.parameters.get("errors", False))
    progress.phase(f"{WRITING}, in one step")
    label = f"Table: {waiting.name}"
    change_cases(way.pack, job.user, found.changes, input_set=way.input_set.pk, added=found.added, label=label)
    waiting.delete()
    return {"added": len(found.added), "changed": len(found.rewritten)}


def merged(job: Job, pack: Pack, progress: Progress) -> tuple[Upload, Merge, Merged]:
    """The table that a job is about, how it goes into its set, and what it would do there."""
    given = job.parameters
    input_set = InputSet.objects.select_related("pack").get(pack=pack, pk=given["set"])
    waiting, table = table_of(job, progress)
    mapping = completed(given["mapping"], table, input_set, columns_of(format_of(pack), input_set))
    way = Merge(pack, input_set, mapping, key_pointer(format_of(pack)), adds_only=given["adds"])
    found = way.of(table, progress.tick)
    look_ahead(way, found, lambda tree: watched(tree, progress, CHECKING))
    return waiting, way, found


def table_of(job: Job, progress: Progress) -> tuple[Upload, Table]:
    """The table of a job and where it waits. Raises ImportRefused where it does not any more."""
    waiting = Upload.objects.filter(token=job.parameters["upload"], user=job.user).first()
    if waiting is None:
        raise ImportRefused(code="no_such_upload")
    progress.phase(READING)
    table = read_table(blobs.read(waiting.blob), has_names=job.parameters["names"])
    progress.phase(WORKING, len(table.records))
    return waiting, table


def write_table(job: Job, pack: Pack, progress: Progress) -> dict[str, Any]:
    """Write cases of a set as a CSV file, the job's blob. Parameter: table (set, asked, and pointers of columns)."""
    given = job.parameters["table"]
    input_set = InputSet.objects.select_related("pack").get(pack=pack, pk=given["set"])
    columns = columns_of(format_of(pack), input_set)
    matches = Matches(input_set, query_of(given["asked"]), columns)
    progress.phase(WRITING, len(matches))
    wanted = [columns[pointer] for pointer in given["columns"] if pointer in columns]
    job.blob = blobs.put(b"".join(csv_lines(wanted, ticking(matches.rows(), progress))))
    return {"name": f"{pack.slug}-{input_set.pk}.csv", "size": job.blob.size}


def ticking(rows: Iterable[Case], progress: Progress) -> Iterator[Case]:
    """The same rows; `progress` hears how many were read."""
    for number, row in enumerate(rows):
        progress.tick(number)
        yield row


def look_at_beginning(job: Job, progress: Progress) -> dict[str, Any]:
    """Say what a table would be as a new pack, every record checked. Parameters: those of `begin`."""
    return made(job, progress, "")[1].found.report()


def begin(job: Job, progress: Progress) -> dict[str, Any]:
    """Make a new pack of a table, whole or not at all. Parameters: recipe (its columns), upload, names, errors.

    Raises ImportRefused with every line that stands in the way, and where the slug is taken.
    """
    forget_unfinished(job)
    wanted = job.parameters["recipe"]
    slug = free_slug(job.team, wanted["title"], wanted["slug"])
    waiting, found = made(job, progress, slug)
    refuse(found.found, takes_errors=job.parameters.get("errors", False))
    reading = Reading(wanted["format"], slug, found.tree, None, [], [], found.content)
    job.pack = written(job, progress, reading, NO_SOURCE)
    waiting.delete()
    return {"slug": job.pack.slug, "added": len(found.found.added)}


def made(job: Job, progress: Progress, slug: str) -> tuple[Upload, Made]:
    """The table that a job is about, and the pack that it becomes under a slug."""
    if Permission.EDIT not in permissions(job.user, job.team):
        raise PermissionDenied
    waiting, table = table_of(job, progress)
    recipe = completed_recipe(Recipe(**{**job.parameters["recipe"], "slug": slug}), table)
    # Without a slug it is only looked at.
    recipe = recipe if slug else foreseen(recipe)
    found = make(recipe, table, progress.tick)
    return waiting, check(recipe, found, lambda tree: watched(tree, progress, CHECKING))
