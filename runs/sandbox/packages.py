"""Debian packages that a task asks for: which of them a file system has (challenge-pack a.5)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

# Where Debian and its kin keep account of what is installed.
STATUS = "/var/lib/dpkg/status"


def lacking(wanted: Sequence[str], status: str) -> tuple[str, ...]:
    """The packages that are not installed according to the text of a status file, each once."""
    there = set(_installed(status))
    return tuple(name for name in dict.fromkeys(wanted) if name not in there)


def lacking_here(wanted: Sequence[str]) -> tuple[str, ...]:
    """The packages that this machine lacks; all of them where it keeps no such account."""
    try:
        status = Path(STATUS).read_text("utf-8", "replace") if wanted else ""
    except OSError:
        status = ""
    return lacking(wanted, status)


def _installed(status: str) -> Iterator[str]:
    """The names of installed packages, and of what they provide."""
    for paragraph in status.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if line[:1].isalpha() and ": " in line)
        if fields.get("Status", "").endswith(" installed"):
            yield fields.get("Package", "")
            for provided in fields.get("Provides", "").split(","):
                yield provided.partition("(")[0].strip()
