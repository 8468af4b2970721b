"""From uploaded files to a checked tree and the draft it belongs to."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.utils.text import slugify

from packs.formats import document
from packs.formats.adapter import Files
from packs.formats.checking import check_files
from packs.formats.findings import Finding, Severity
from packs.importing.values import NO_SLUG, OTHER_FORMAT
from packs.models import Pack, Team

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,120}")


@dataclass(frozen=True, slots=True)
class Reading:
    """Files as read: the tree where one could be made, the draft that has the slug already, and what forbids it all."""

    format: str
    slug: str
    tree: document.Pack | None
    pack: Pack | None
    findings: list[Finding]
    refused: list[Finding]


def read(
    team: Team,
    files: Files,
    name: str,
    format: str | None = None,  # noqa: A002 - the word of the command line and of `check_files`
    slug: str | None = None,
    before: Iterable[Finding] = (),
) -> Reading:
    """Check files and find out where they belong.

    Errors in the content are no reason to refuse: a draft may have them. Files that could not be read whole are, since
    importing them would lose what they say.
    """
    checked = check_files(files, format, before=before)
    if checked.pack is None:
        return Reading(checked.format, slug or "", None, None, checked.findings, errors_of(checked.findings))
    wanted = slug or slug_of(checked.pack.key) or slug_of(PurePosixPath(name).stem) or "pack"
    refused = [finding for finding in errors_of(checked.findings) if finding.code.startswith(("yaml.", "files."))]
    if not SLUG.fullmatch(wanted):
        refused.append(NO_SLUG.at((), slug=wanted))
    row = Pack.objects.filter(team=team, slug=wanted).first()
    if row is not None and row.format != checked.format:
        refused.append(OTHER_FORMAT.at((), slug=wanted, format=row.format))
    findings = [*checked.findings, *(finding for finding in refused if finding not in checked.findings)]
    return Reading(checked.format, wanted, checked.pack, row, findings, refused)


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def slug_of(text: str) -> str:
    """A slug made of a name; empty where it has nothing that a slug can hold."""
    return slugify(text)[:120].strip("-_")
