"""From uploaded files to a checked tree and the draft it belongs to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from django.utils.text import slugify

from packs.formats import adapter_of, document
from packs.formats.abilities import REVISERS
from packs.formats.adapter import Files
from packs.formats.checking import Checked, as_it_is, check_files
from packs.formats.findings import Finding, Kind, Severity, foremost, kinds_of
from packs.formats.identity import LONGEST_SLUG, NO_SLUG, OTHER_FORMAT, TAKEN, is_slug
from packs.formats.numbering import free_number
from packs.importing.values import ImportRefused
from packs.models import Pack, Team

# The slug of what has no name that a slug can be made of.
NAMELESS = "pack"


@dataclass(frozen=True, slots=True)
class Reading:
    """Files as read: the tree where one could be made, the draft that has the slug already, and what forbids it all.

    `content` is all that a check said of the tree; None where it was not asked. `kinds` counts all findings, of which
    `findings` are the foremost.
    """

    format: str
    slug: str
    tree: document.Pack | None
    pack: Pack | None
    findings: list[Finding]
    refused: list[Finding]
    content: list[Finding] | None = None
    kinds: list[Kind] = field(default_factory=list)

    def in_tree(self) -> document.Pack:
        """The tree, which is to be written. Raises ImportRefused where there is none or it must not be."""
        if self.tree is None or self.refused:
            raise ImportRefused(self.refused or self.findings)
        return self.tree


def read(
    team: Team,
    files: Files,
    name: str,
    format: str | None = None,  # noqa: A002 - the word of the command line and of `check_files`
    slug: str | None = None,
    before: Iterable[Finding] = (),
    watch: Callable[[document.Pack], document.Pack] = as_it_is,
) -> Reading:
    """Check files and find out where they belong; `watch` is that of `check_files`.

    Errors in the content are no reason to refuse: a draft may have them. Files that could not be read whole are, since
    importing them would lose what they say.
    """
    checked = in_own_revision(check_files(files, format, before=before, watch=watch), files)
    if checked.pack is None:
        errors = errors_of(checked.findings)
        return Reading(checked.format, slug or "", None, None, checked.findings, errors, kinds=checked.kinds)
    wanted = slug or slug_of(checked.pack.key) or slug_of(PurePosixPath(name).stem) or NAMELESS
    refused = [finding for finding in errors_of(checked.findings) if finding.code.startswith(("yaml.", "files."))]
    if not is_slug(wanted):
        refused.append(NO_SLUG.at((), slug=wanted))
    row = Pack.objects.filter(team=team, slug=wanted).first()
    if row is not None and row.format != checked.format and slug is None:
        # Nobody asked for that draft by its name: these files are another pack.
        wanted, row = numbered(team, wanted), None
    if row is not None and row.format != checked.format:
        refused.append(OTHER_FORMAT.at((), slug=wanted, format=row.format))
    more = [finding for finding in refused if finding not in checked.findings]
    findings, kinds = [*checked.findings, *more], [*checked.kinds, *kinds_of(more)]
    return Reading(checked.format, wanted, checked.pack, row, findings, refused, checked.content, kinds)


def in_own_revision(checked: Checked, files: Files) -> Checked:
    """What was checked, its pack converted to the revision that the studio edits where it is in another one."""
    reviser = REVISERS.get(checked.format)
    if reviser is None or checked.pack is None:
        return checked
    pack, done = reviser.converted(checked.pack)
    if not done:
        return checked
    adapter = adapter_of(checked.format)
    content = list(adapter.check(pack))
    found = [*done, *content]
    shown = list(adapter.place(files, foremost(found)))
    return replace(checked, pack=pack, findings=shown, content=content, kinds=kinds_of(found))


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def free_slug(team: Team, title: str, slug: str | None = None) -> str:
    """The slug of a new pack: as given, or made of its title; then with a number where the team has that one.

    Raises ImportRefused when a given one cannot be a slug, or is taken.
    """
    if not slug:
        return numbered(team, slug_of(title) or NAMELESS)
    if not is_slug(slug):
        raise ImportRefused([NO_SLUG.at((), slug=slug)])
    if Pack.objects.filter(team=team, slug=slug).exists():
        raise ImportRefused([TAKEN.at((), slug=slug)])
    return slug


def numbered(team: Team, slug: str) -> str:
    """A slug that no pack of the team has: this one, else with the first number behind it that is free."""

    def named(number: int) -> str:
        end = f"-{number}" if number > 1 else ""
        return f"{slug[: LONGEST_SLUG - len(end)]}{end}"

    return named(free_number(lambda number: Pack.objects.filter(team=team, slug=named(number)).exists()))


def slug_of(text: str) -> str:
    """A slug made of a name; empty where it has nothing that a slug can hold."""
    return slugify(text)[:LONGEST_SLUG].strip("-_")
