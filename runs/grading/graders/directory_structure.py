"""directory_structure: a listing has all required entries and none of the forbidden ones.

Names are relative to the listed directory or absolute; a slash at the end of a directory's name does not matter.
"""

import posixpath

from packs.formats.kinds import Settings
from packs.formats.kinds.settings import BadSettings
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish, guarded, settings_of
from runs.grading.graders.contract import Grade, Judgement, decided, evaluator_error, pack_error, unavailable
from runs.grading.graders.evidence import Evidence, Listing


def compare(listing: Listing, settings: Settings) -> Judgement:
    files, directories = _names(listing)
    missing = [name for name in settings["required_files"] if name not in files]
    forbidden = [name for name in settings["forbidden_files"] if name in files]
    absent = [name for name in settings["required_directories"] if not _is_there(name, files, directories)]
    parts = {"missing": missing, "forbidden": forbidden, "missing directories": absent}
    reason = "; ".join(f"{label}: {', '.join(names)}" for label, names in parts.items() if names)
    return decided(not reason, reason, missing_files=missing, forbidden_files=forbidden, missing_directories=absent)


def _names(listing: Listing) -> tuple[set[str], set[str]]:
    """The names of all entries, and those of the directories, each relative and as listed."""
    files: set[str] = set()
    directories: set[str] = set()
    for entry in listing.entries:
        names = {entry.path, _relative(entry.path, listing.path)}
        files |= names
        if entry.is_dir:
            directories |= {name.rstrip("/") for name in names}
    return files, directories


def _relative(path: str, base: str) -> str:
    """A path seen from the listed directory; as it is when one of the two is absolute and the other not."""
    if path.startswith("/") != base.startswith("/"):
        return path
    return posixpath.relpath(path or ".", base or ".")


def _is_there(name: str, files: set[str], directories: set[str]) -> bool:
    return name.rstrip("/") in directories or name.removesuffix("/") in files


def _judge(spec: GraderSpec, evidence: Evidence, actual: str | None, reason: str) -> Judgement:
    if actual is None:
        return unavailable(reason)
    if spec.config is None:
        raise BadSettings("config is required")
    listing = evidence.recording.listings.get(spec.target.removeprefix("file:"))
    if listing is None or not spec.target.startswith("file:"):
        return evaluator_error("the target is not a directory listing")
    return compare(listing, settings_of(spec))


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    actual = evidence.resolve(spec.target)
    if actual.malformed:
        return finish(spec, pack_error(actual.reason))
    return finish(spec, guarded(lambda: _judge(spec, evidence, actual.text, actual.reason)), actual)
