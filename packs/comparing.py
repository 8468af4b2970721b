"""Two states of a pack side by side: versions, the draft, and the draft as it was at an earlier revision."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from packs.editing import Applied
from packs.editing.draft import Author
from packs.editing.points import point_at
from packs.editing.restoring import restore_node, restore_point, restore_tree
from packs.exporting import export_draft, export_version, kept_files
from packs.formats.abilities import REVISERS
from packs.formats.comparing import Act, Difference, Hunk, compare_packs, hunks, inverted
from packs.formats.document import Pack as Tree
from packs.mirror import format_of, read_tree, read_version
from packs.models import Blob, GitFolder, Pack, PackVersion

DRAFT, GIT, FETCHED = "draft", "git", "fetched"
# How many lines of a file's differences are made at most.
MAX_LINES = 20_000


@dataclass(frozen=True, slots=True)
class End:
    """One end of a comparison. `name` says in addresses which: `draft`, the number of a version, `r` and a revision of
    the draft, or `git` and `fetched`: what the draft and the repository last had in common, and what that was last seen
    to have."""

    pack: Pack
    name: str
    version: PackVersion | None = None
    revision: int | None = None
    archive: Blob | None = None

    def __str__(self) -> str:
        if self.version is not None:
            return f"Version {self.version.number}"
        if self.archive is not None:
            return {GIT: "Last pull or push", FETCHED: "Repository"}[self.name]
        return "Draft" if self.revision is None else f"Revision {self.revision}"

    @property
    def is_draft(self) -> bool:
        return self.name == DRAFT

    def tree(self) -> Tree:
        if self.version is not None:
            return read_version(self.version)
        if self.archive is not None:
            return tree_of_files(self.pack, kept_files(self.archive))
        return read_tree(self.pack) if self.revision is None else point_at(self.pack, self.revision).tree()

    def files(self, *, preserve: bool = False) -> Mapping[str, bytes]:
        """The canonical files; with `preserve` a draft's as they would be pushed to a repository."""
        if self.version is not None:
            return export_version(self.version).files
        if self.archive is not None:
            return kept_files(self.archive)
        return (
            export_draft(self.pack, preserve=preserve).files
            if self.revision is None
            else format_of(self.pack).dump(self.tree())
        )


def find_end(pack: Pack, name: str) -> End | None:
    """The state of a pack that a name stands for; None where there is none."""
    if name == DRAFT:
        return End(pack, name)
    if name in (GIT, FETCHED):
        return end_of_repository(pack, name)
    if not re.fullmatch(r"r?[0-9]{1,9}", name):
        return None
    number = int(name.removeprefix("r"))
    if name.startswith("r"):
        return End(pack, f"r{number}", revision=number) if 1 <= number <= pack.revision else None
    version = pack.versions.filter(number=number).first()
    return End(pack, str(number), version) if version is not None else None


def end_of_repository(pack: Pack, name: str) -> End | None:
    """What the draft and its repository last had in common, or what the repository was last seen to have."""
    row = GitFolder.objects.filter(pack=pack).select_related("base", "fetched").first()
    archive = row and (row.base if name == GIT else row.fetched)
    return End(pack, name, archive=archive) if archive else None


def tree_of_files(pack: Pack, files: Mapping[str, bytes]) -> Tree:
    """Files as a tree of the pack's format, in the revision that the studio edits; an empty one of no files."""
    tree = format_of(pack).load(files)[0] if files else None
    if tree is None:
        return Tree(pack.format, "", {})
    reviser = REVISERS.get(pack.format)
    return reviser.converted(tree)[0] if reviser is not None else tree


def usual_ends(pack: Pack, old: str, new: str) -> tuple[str, str]:
    """What is compared where not both are named: the draft, with the version before, else with its beginning."""
    new = new or DRAFT
    if old:
        return old, new
    earlier = pack.versions.filter(**({"number__lt": int(new)} if re.fullmatch("[0-9]{1,9}", new) else {}))
    number = earlier.values_list("number", flat=True).first()
    return (str(number) if number is not None else "r1"), new


def difference_of(old: End, new: End) -> Difference:
    return compare_packs(format_of(old.pack), old.tree(), new.tree())


def since_last_version(pack: Pack) -> Difference | None:
    """What publishing the draft would change; None before the first version."""
    last = pack.versions.first()
    return difference_of(End(pack, str(last.number), last), End(pack, DRAFT)) if last is not None else None


def restore_end(pack: Pack, old: End, author: Author) -> Applied:
    """Make the draft what another state is, as an edit."""
    label = f"Restored {str(old).lower()}"
    if old.revision is not None:
        return restore_point(pack, old.revision, author, label=label)
    return restore_tree(pack, old.tree(), author, label=label)


def restore_node_of(pack: Pack, old: End, at: int, author: Author) -> Applied:
    """Make one node of the draft what it was in another state, by its place in the difference of both.

    Raises EditRefused (bad_place).
    """
    found = difference_of(old, End(pack, DRAFT))
    back, key = inverted(found), found.nodes[at].key
    return restore_node(pack, back, back.nodes[at], author, label=f"Restored {key} from {str(old).lower()}")


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file that is not the same at both ends. `hunks` are empty for what cannot be read as text."""

    path: str
    act: Act
    hunks: list[Hunk]
    is_text: bool
    is_cut: bool = False

    @property
    def size(self) -> int:
        return sum(len(hunk.lines) for hunk in self.hunks)


def file_differences(old: End, new: End) -> Iterator[FileDifference]:
    """The files of both ends, side by side, sorted by path: canonical, or as they stand in a repository."""
    preserve = old.archive is not None or new.archive is not None
    left, right = old.files(preserve=preserve), new.files(preserve=preserve)
    for path in sorted({*left, *right}):
        before, after = left.get(path), right.get(path)
        if before != after:
            act = Act.ADDED if before is None else Act.REMOVED if after is None else Act.CHANGED
            yield _file_difference(path, act, before or b"", after or b"")


def _file_difference(path: str, act: Act, before: bytes, after: bytes) -> FileDifference:
    try:
        texts = before.decode(), after.decode()
    except UnicodeDecodeError:
        return FileDifference(path, act, [], is_text=False)
    found: list[Hunk] = []
    for hunk in hunks(*texts):
        if sum(len(each.lines) for each in found) + len(hunk.lines) > MAX_LINES:
            return FileDifference(path, act, found, is_text=True, is_cut=True)
        found.append(hunk)
    return FileDifference(path, act, found, is_text=True)
