"""How much an upload may hold, and the rules about its packaging."""

from dataclasses import replace
from typing import Any

from packs.formats.findings import Finding, Rule
from packs.formats.paths import doubtful_names, refused_name, shown_name

MAX_FILES = 10_000
MAX_FILE_BYTES = 224 * 1024 * 1024
MAX_TOTAL_BYTES = 256 * 1024 * 1024
# Text packs well, but no honest file of this size shrinks that much.
MAX_RATIO = 200
RATIO_FLOOR = 4 * 1024 * 1024

TOO_MANY_FILES = Rule(
    "files.E010", "There are more than {limit} files.", hint="Leave out what does not belong to the pack."
)
FILE_TOO_LARGE = Rule("files.E011", "The file is larger than {limit} bytes.", hint="Leave it out or make it smaller.")
TOTAL_TOO_LARGE = Rule(
    "files.E012",
    "All files together are larger than {limit} bytes.",
    hint="Leave out what does not belong to the pack.",
)
BOMB = Rule(
    "files.E013",
    "The file unpacks to more than {limit} times its packed size.",
    hint="Pack the file again; if it is really that uniform, leave it out.",
)
LINK = Rule(
    "files.E014",
    "Symbolic links, hard links, devices and pipes cannot be part of a pack.",
    hint="Put a copy of the file in its place.",
)
REPEATED = Rule(
    "files.E015", "This file was given twice.", hint="Give each file once; pack those of one name with their folders."
)
ENCRYPTED = Rule("files.E016", "The file is encrypted.", hint="Pack it again without a password.")
BROKEN = Rule(
    "files.E017", "The archive cannot be read: {reason}.", hint="Pack it again as ZIP or TAR, and check the download."
)
UNREADABLE = Rule(
    "files.E018", "The file cannot be read: {reason}.", hint="Check its permissions and that it still exists."
)

# What operating systems and version control leave behind; never a part of a pack.
_LITTER = {".git", ".hg", ".svn", "__MACOSX", "__pycache__", ".DS_Store", "Thumbs.db", "desktop.ini"}


def is_litter(name: str) -> bool:
    return not _LITTER.isdisjoint(name.split("/"))


class Collector:
    """Takes files one by one, within the limits; what it refuses becomes a finding.

    Of files that are known (`is_known`), because they were taken before, nobody asks how well they pack. `most` is how
    many bytes all of them may have.
    """

    def __init__(self, *, is_known: bool = False, most: int = MAX_TOTAL_BYTES) -> None:
        self.is_known = is_known
        self.most = most
        self.files: dict[str, bytes] = {}
        self.findings: list[Finding] = []
        self.is_full = False
        self._total = 0

    def report(self, rule: Rule, name: str = "", **values: Any) -> None:
        self.findings.append(replace(rule.at((), **values), file=shown_name(name)))

    def stop(self, rule: Rule, name: str, limit: int) -> None:
        """Report a limit of the whole and take nothing more."""
        self.is_full = True
        self.report(rule, name, limit=limit)

    def admits(self, name: str, size: int, packed: int | None = None) -> bool:
        """Whether a file of this name and announced size may be read; says why not."""
        if self.is_full or is_litter(name):
            return False
        finding = refused_name(name)
        if finding:
            self.findings.append(finding)
            return False
        if name in self.files:
            self.report(REPEATED, name)
            return False
        return self._has_room(name, size, packed)

    def _has_room(self, name: str, size: int, packed: int | None) -> bool:
        if len(self.files) >= MAX_FILES:
            self.stop(TOO_MANY_FILES, "", MAX_FILES)
        elif size > MAX_FILE_BYTES:
            self.report(FILE_TOO_LARGE, name, limit=MAX_FILE_BYTES)
            return False
        elif self._total + size > self.most:
            self.stop(TOTAL_TOO_LARGE, name, self.most)
        elif packed is not None and not self.is_known and size > max(RATIO_FLOOR, packed * MAX_RATIO):
            self.report(BOMB, name, limit=MAX_RATIO)
            return False
        return not self.is_full

    def take(self, name: str, content: bytes) -> None:
        self.files[name] = content
        self._total += len(content)

    def result(self) -> tuple[dict[str, bytes], list[Finding]]:
        """The files in the order of their names, and every finding about them."""
        self.findings.extend(doubtful_names(self.files))
        return dict(sorted(self.files.items())), self.findings
