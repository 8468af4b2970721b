"""Checking files from start to end: the one way that command line, import preview and API share."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from packs.formats import FORMATS, adapter_of, recognise
from packs.formats.abilities import REFUSERS
from packs.formats.adapter import Files
from packs.formats.choosing import NOT_HERE, several
from packs.formats.document import Pack
from packs.formats.findings import (
    MAX_FINDINGS,
    TOO_MANY,
    Finding,
    Kind,
    Rule,
    Severity,
    foremost,
    has_errors,
    kinds_of,
)
from packs.formats.later import Later
from packs.formats.yamlio import collector_paused

if TYPE_CHECKING:
    from packs.formats import looks
else:
    looks = Later("packs.formats.looks")

UNKNOWN_FORMAT = Rule("pack.E002", "There is no format {name!r}.", hint="Use one of: {known}.")


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking files gave: the format (empty if none was recognised), the pack if one could be made.

    `content` is all that `Adapter.check` said of the pack, without files and lines; `kinds` counts all findings, of
    which `findings` are the foremost.
    """

    format: str
    pack: Pack | None
    findings: list[Finding] = field(default_factory=list)
    content: list[Finding] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)

    @property
    def is_valid(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.findings)

    @property
    def is_fine(self) -> bool:
        """Whether the pack can be published: valid, and without what its format refuses only then."""
        return self.is_valid and not any(
            refuses_publishing(self.format, finding.severity, finding.code, finding.rule) for finding in self.content
        )


def refuses_publishing(name: str, severity: str, code: str, rule: str) -> bool:
    """Whether a finding keeps a pack of this format from being published: every error does, and some warnings."""
    refuser = REFUSERS.get(name)
    return severity == Severity.ERROR or (
        refuser is not None and not refuser.REFUSED_ON_PUBLISHING.isdisjoint((code, rule))
    )


def as_it_is(pack: Pack) -> Pack:
    return pack


def check_files(
    files: Files,
    format: str | None = None,  # noqa: A002
    *,
    before: Iterable[Finding] = (),
    watch: Callable[[Pack], Pack] = as_it_is,
) -> Checked:
    """Recognise the format unless given, load, check, and put every finding at its place.

    At most MAX_FINDINGS findings (the first of each kind, then errors before all others) and a word that there are
    more, sorted by file and line. `before` are findings from reading the files. `watch` is given the pack before it is
    checked and gives one that says the same, to see how far the check is.
    """
    with collector_paused():
        before = list(before)
        in_the_way = [finding for finding in before if finding.code == NOT_HERE.code] or (
            [] if format else several(files)
        )
        if in_the_way:
            return Checked("", None, [*(finding for finding in before if finding not in in_the_way), *in_the_way])
        name = format or recognise(files)
        if name is None or name not in FORMATS:
            # An archive of which nothing could be read says so itself.
            why = looks.explain(files) if files or not before else []
            unknown = [UNKNOWN_FORMAT.at((), name=name, known=", ".join(FORMATS))]
            return Checked("", None, [*before, *(why if name is None else unknown)])
        adapter = adapter_of(name)
        pack, loaded = adapter.load(files)
        content = [] if pack is None else list(adapter.check(watch(pack)))
        placed = adapter.place(files, foremost(content)) if content else []
    found = [*before, *loaded, *placed]
    shown = sorted(foremost(found), key=lambda finding: (finding.file, finding.line, finding.column, finding.code))
    if len(content) > MAX_FINDINGS or len(found) > MAX_FINDINGS:
        shown.append(TOO_MANY.at((), limit=MAX_FINDINGS))
    return Checked(name, pack, shown, content, kinds_of([*before, *loaded, *content]))
