"""Drafts: rows that mirror the tree, and the edits that made them what they are."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.columns import DocumentField
from packs.formats.document import NodeKind
from packs.models.searched import Searched, SearchedInPack, SearchedPacks, SearchedRow
from packs.models.teams import Blob, Team

# Neighbours start this far apart, so that a node can be put between them without touching any other row.
SPACING = 1 << 32


class PackStatus(models.TextChoices):
    """The life of a pack. While a large import writes it, nobody sees it."""

    IMPORTING = "importing", "Importing"
    DRAFT = "draft", "Draft"
    ACTIVE = "active", "Active"
    DEPRECATED = "deprecated", "Deprecated"
    ARCHIVED = "archived", "Archived"


class NodeRow(SearchedRow):
    """What every row of the tree has.

    `revision` counts the edits of this row; `findings` holds what its last check found (`packs.mirror.stored` writes
    them), paths from its document.
    """

    kind: ClassVar[NodeKind]

    document = DocumentField(default=dict)
    revision = models.PositiveIntegerField(default=1)
    findings = DocumentField(default=list, blank=True)
    error_count = models.PositiveIntegerField(default=0)
    warning_count = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class Pack(NodeRow):
    """A pack: the editable draft. `document` is the pack node's own document.

    `revision` counts all edits of the draft; `problem_errors` and `problem_warnings` add up all nodes.
    `checked_revision` is the revision at which the draft was last checked as a whole. `source` holds the bytes of the
    last import: the file itself, or a zip of the files where `source_is_archive`. Where it `needs_approval`, somebody
    else has to approve the draft before it is published; where it `needs_proof`, its cases have to be proven.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="packs")
    slug = models.SlugField(max_length=120)
    format = models.CharField(max_length=40)
    title = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=20, choices=PackStatus.choices, default=PackStatus.DRAFT)
    source = models.ForeignKey(Blob, models.PROTECT, null=True, blank=True, related_name="+")
    source_name = models.CharField(max_length=300, blank=True)
    source_is_archive = models.BooleanField(default=False)
    checked_revision = models.PositiveIntegerField(default=0)
    problem_errors = models.PositiveIntegerField(default=0)
    problem_warnings = models.PositiveIntegerField(default=0)
    needs_approval = models.BooleanField(default=False)
    needs_proof = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # Since when it lies in the bin, and who put it there.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )
    # Since when it is deleted for ever, which may take a while; it does not come back from then on.
    purge_began_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = SearchedPacks.as_manager()
    kind = NodeKind.PACK
    searched = Searched("pack", "pk", ("title", "slug"), ("document",))

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "slug"], condition=models.Q(deleted_at=None), name="one_slug_per_team"
            )
        ]

    def __str__(self) -> str:
        return self.title or self.slug


class Challenge(NodeRow):
    """A challenge of a draft. `position` orders the rows of a list and says nothing else (see `SPACING`)."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="challenges")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)

    objects = SearchedInPack.as_manager()
    kind = NodeKind.CHALLENGE
    searched = Searched("challenge", "pack_id", ("key",), ("document",))

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["pack", "position"]), models.Index(fields=["pack", "key", "position"])]

    def __str__(self) -> str:
        return self.key or "challenge without a key"


class InputSet(NodeRow):
    """An input set of a draft; its cases are rows of their own."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="input_sets")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)

    objects = SearchedInPack.as_manager()
    kind = NodeKind.INPUT_SET
    searched = Searched("input_set", "pack_id", ("key",), ("document",))

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["pack", "position"]), models.Index(fields=["pack", "key", "position"])]

    def __str__(self) -> str:
        return self.key or "input set without a key"


class Case(NodeRow):
    """A case of a draft. `key` is its effective key."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="cases")
    input_set = models.ForeignKey(InputSet, models.CASCADE, related_name="cases")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)
    challenge_key = models.CharField(max_length=255, blank=True)

    objects = SearchedInPack.as_manager()
    kind = NodeKind.CASE
    searched = Searched("case", "pack_id", ("key",), ("document",))

    class Meta:
        ordering = ["position"]
        indexes = [
            models.Index(fields=["input_set", "position"]),
            models.Index(fields=["input_set", "challenge_key", "key", "position"]),
            models.Index(fields=["pack", "key"]),
        ]

    def __str__(self) -> str:
        return self.key or "case without a key"


class Asset(NodeRow):
    """An asset of a draft; `blob` is empty while no bytes were given."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="assets")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)
    path = models.CharField(max_length=500, blank=True)
    blob = models.ForeignKey(Blob, models.PROTECT, null=True, blank=True, related_name="+")

    objects = SearchedInPack.as_manager()
    kind = NodeKind.ASSET
    searched = Searched("asset", "pack_id", ("key", "path"))

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["pack", "position"]), models.Index(fields=["pack", "key", "position"])]

    def __str__(self) -> str:
        return self.key or "asset without a key"


class PackFile(models.Model):
    """A file of a pack's folder that no asset declares; kept and exported as it is."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="files")
    path = models.CharField(max_length=500)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["path"]
        constraints = [models.UniqueConstraint(fields=["pack", "path"], name="one_file_per_path")]

    def __str__(self) -> str:
        return self.path


class Edit(models.Model):
    """One change of one node; edits of one `group` were made together and are undone together.

    `old` and `new` hold the value before and after in a one-element list, an empty list where there was nothing.

    set: the value at `pointer` (JSON Pointer in the node's document); `place` is `{"index"}` of a mapping's key that
    came or went. add, remove: the node with everything below it, as `packs.editing.snapshots` writes it. move: `place`
    values `{"position", "parent"}`. content: the digest of an asset's bytes. files: `{path: digest}` of the pack's
    other files. source: what was imported, `{"blob", "name", "is_archive"}` as in `Pack.source`.

    `node` is the row's id; it stays the same when the node is removed and restored. `revision` is the draft's when the
    edit was made, `touched` when it was last made, undone or redone.
    """

    class Action(models.TextChoices):
        SET = "set", "Changed"
        ADD = "add", "Added"
        REMOVE = "remove", "Removed"
        MOVE = "move", "Moved"
        CONTENT = "content", "Content changed"
        FILES = "files", "Files changed"
        SOURCE = "source", "Imported"

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="edits")
    group = models.UUIDField()
    label = models.CharField(max_length=200, blank=True)
    action = models.CharField(max_length=10, choices=Action.choices, default=Action.SET)
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in NodeKind])
    node = models.PositiveBigIntegerField()
    pointer = DocumentField(default="", blank=True)
    old = DocumentField(default=list)
    new = DocumentField(default=list)
    place = DocumentField(default=dict)
    revision = models.PositiveIntegerField()
    touched = models.PositiveIntegerField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    undone = models.BooleanField(default=False)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["pack", "-id"]),
            models.Index(fields=["pack", "kind", "node", "touched"]),
            models.Index(fields=["pack", "group"]),
            models.Index(fields=["pack", "author", "undone", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.kind} {self.node} {self.pointer}"
