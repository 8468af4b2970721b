"""Importing: files become a draft, or changes of one, in a single transaction."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction

from packs import blobs
from packs.editing import replace_tree
from packs.editing.draft import Author
from packs.editing.rechecking import add_up, findings_by_address
from packs.formats import adapter_of, document
from packs.formats.adapter import Adapter, Files
from packs.formats.archives import write_zip
from packs.formats.beginning import EXAMPLE, First
from packs.formats.document import NodeKind
from packs.formats.findings import Finding
from packs.formats.identity import TAKEN
from packs.formats.index import TreeIndex
from packs.importing.reading import Reading, free_slug, read
from packs.importing.values import ImportRefused
from packs.mirror import format_of, write_tree
from packs.models import Pack, PackStatus, Team
from packs.quotas import heed_storage

NO_SOURCE: dict[str, Any] = {"blob": None, "name": "", "is_archive": False}


def import_pack(
    team: Team,
    author: Author,
    files: Files,
    name: str,
    *,
    format: str | None = None,  # noqa: A002
    slug: str | None = None,
    before: Iterable[Finding] = (),
) -> Pack:
    """Import files as a draft; where the team has the slug already, as edits of that draft, which undo takes back.

    `name` is what the user called the files, `before` what reading them found. The files themselves are kept.

    Raises ImportRefused with the findings that forbid it; then nothing is written.
    """
    return carry_out(team, author, files, name, read(team, files, name, format, slug, before))


def carry_out(team: Team, author: Author, files: Files, name: str, reading: Reading) -> Pack:
    """Write what was read. Raises ImportRefused, QuotaReached."""
    heed_storage(team, sum(map(len, files.values())))
    tree = reading.in_tree()
    if reading.pack is None:
        return create(team, author, reading, tree, keep_source(files, name))
    with transaction.atomic():
        source = keep_source(files, name)
        replace_tree(reading.pack, tree, author, source=source, label=f"Import of {name}")
    reading.pack.refresh_from_db()
    return reading.pack


def keep_source(files: Files, name: str) -> dict[str, Any]:
    """Store the files as they were given: one as it is, several as an archive."""
    if len(files) == 1:
        ((only, data),) = files.items()
        return {"blob": blobs.put(data).digest, "name": only[:300], "is_archive": False}
    stem = name.removesuffix(".zip")
    return {"blob": blobs.put(write_zip(files)).digest, "name": f"{stem[:290]}.zip", "is_archive": True}


def create(team: Team, author: Author, reading: Reading, tree: document.Pack, source: Mapping[str, Any]) -> Pack:
    """A new draft. Raises ImportRefused when somebody else has just taken the slug."""
    row = new_pack(team, author, reading, source)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            write_tree(row, tree, findings_by_address(format_of(row), tree, reading.content))
            add_up(row)
    except IntegrityError as error:
        raise ImportRefused([TAKEN.at((), slug=reading.slug)]) from error
    return row


def new_pack(team: Team, author: Author, reading: Reading, source: Mapping[str, Any]) -> Pack:
    """The unsaved row of a pack that is imported."""
    return Pack(
        team=team,
        slug=reading.slug,
        format=reading.format,
        created_by=author,
        source_id=source["blob"],
        source_name=source["name"],
        source_is_archive=source["is_archive"],
    )


@contextmanager
def arriving(team: Team, author: Author, reading: Reading, source: Mapping[str, Any]) -> Iterator[Pack]:
    """A new draft that is there for nobody while it is written in portions, by short transactions.

    Afterwards it is a draft like all others; where the writing ends early, it is gone. Raises ImportRefused when
    somebody else has just taken the slug.
    """
    row = new_pack(team, author, reading, source)
    row.status = PackStatus.IMPORTING
    try:
        row.save(force_insert=True)
    except IntegrityError as error:
        raise ImportRefused([TAKEN.at((), slug=reading.slug)]) from error
    try:
        yield row
        with transaction.atomic():
            add_up(row)
            row.status = PackStatus.DRAFT
            row.save(update_fields=["status"])
    except BaseException:
        row.delete()
        raise


def with_new_case(adapter: Adapter, tree: document.Pack) -> document.Pack:
    """A small whole pack whose only case is a new one, which the author has to fill in."""
    bare = replace(tree, input_sets=(replace(tree.input_sets[0], cases=()),))
    new = adapter.new_document(NodeKind.CASE, TreeIndex(bare))
    case = document.Case(*adapter.identify(NodeKind.CASE, new), new)
    return replace(bare, input_sets=(replace(bare.input_sets[0], cases=(case,)),))


def create_pack(
    team: Team, author: Author, format_name: str, title: str, slug: str | None = None, first: First | None = None
) -> Pack:
    """A new draft from the format's small whole pack, under a title and a slug made of it, with a first case.

    Without `first` the case is one that the author still has to fill in: the draft has problems until then.

    Raises ImportRefused when the slug cannot be one, or is taken; AnswerRefused where the answer does not suit the
    check.
    """
    wanted = free_slug(team, title, slug)
    adapter = adapter_of(format_name)
    tree = adapter.starter(wanted, title, first or EXAMPLE)
    tree = tree if first else with_new_case(adapter, tree)
    return create(team, author, Reading(format_name, wanted, tree, None, [], []), tree, NO_SOURCE)
