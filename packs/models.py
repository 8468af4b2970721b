"""The rows of authoring: teams, drafts that mirror the tree, and immutable versions.

Key and path columns serve look-ups and are cut to their length; documents hold the whole value.
"""

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from packs.access import (
    FrozenError,
    FrozenInPackQuerySet,
    FrozenInVersionQuerySet,
    InPackQuerySet,
    Role,
    TeamQuerySet,
    TeamScopedQuerySet,
)
from packs.columns import DocumentField
from packs.formats.document import NodeKind

# Neighbours start this far apart, so that a node can be put between them without touching any other row.
SPACING = 1 << 32


class Team(models.Model):
    """Who owns packs, agents and runs."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """The role of a user in a team."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.VIEWER)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_role_per_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}: {self.role}"


class Token(models.Model):
    """A key for the API. Only the SHA-256 of the key is stored; `prefix` lets its owner tell keys apart."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class Blob(models.Model):
    """Bytes, stored once per SHA-256 under `packs.blobs`."""

    digest = models.CharField(primary_key=True, max_length=64)
    size = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.digest[:12]


class PackStatus(models.TextChoices):
    """The life of a pack."""

    DRAFT = "draft", "Draft"
    ACTIVE = "active", "Active"
    DEPRECATED = "deprecated", "Deprecated"
    ARCHIVED = "archived", "Archived"


class NodeRow(models.Model):
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
    last import: the file itself, or a zip of the files where `source_is_archive`.
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
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamScopedQuerySet.as_manager()
    kind = NodeKind.PACK

    class Meta:
        ordering = ["slug"]
        constraints = [models.UniqueConstraint(fields=["team", "slug"], name="one_slug_per_team")]

    def __str__(self) -> str:
        return self.title or self.slug


class Challenge(NodeRow):
    """A challenge of a draft. `position` orders the rows of a list and says nothing else (see `SPACING`)."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="challenges")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)

    objects = InPackQuerySet.as_manager()
    kind = NodeKind.CHALLENGE

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["pack", "position"]), models.Index(fields=["pack", "key"])]

    def __str__(self) -> str:
        return self.key or "challenge without a key"


class InputSet(NodeRow):
    """An input set of a draft; its cases are rows of their own."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="input_sets")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)

    objects = InPackQuerySet.as_manager()
    kind = NodeKind.INPUT_SET

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["pack", "position"]), models.Index(fields=["pack", "key"])]

    def __str__(self) -> str:
        return self.key or "input set without a key"


class Case(NodeRow):
    """A case of a draft. `key` is its effective key."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="cases")
    input_set = models.ForeignKey(InputSet, models.CASCADE, related_name="cases")
    position = models.BigIntegerField()
    key = models.CharField(max_length=255, blank=True)
    challenge_key = models.CharField(max_length=255, blank=True)

    objects = InPackQuerySet.as_manager()
    kind = NodeKind.CASE

    class Meta:
        ordering = ["position"]
        indexes = [
            models.Index(fields=["input_set", "position"]),
            models.Index(fields=["input_set", "challenge_key", "key"]),
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

    objects = InPackQuerySet.as_manager()
    kind = NodeKind.ASSET

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["pack", "position"]), models.Index(fields=["pack", "key"])]

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


class Upload(models.Model):
    """Files that wait between the preview of an import and its confirmation.

    `name` is what the user called them; `inner_name` the name of the one file, or of the zip where `is_archive`.
    """

    token = models.UUIDField(primary_key=True, default=uuid.uuid4)
    team = models.ForeignKey(Team, models.CASCADE, related_name="uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=300)
    inner_name = models.CharField(max_length=300)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    is_archive = models.BooleanField(default=False)
    format = models.CharField(max_length=40, blank=True)
    slug = models.CharField(max_length=120, blank=True)
    expires_at = models.DateTimeField()

    objects = TeamScopedQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Artifact(models.Model):
    """Bytes that packs of a team refer to by the UUID in an asset's `artifact_id`."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="artifacts")
    artifact_id = models.UUIDField()
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    name = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "artifact_id"], name="one_artifact_per_id")]

    def __str__(self) -> str:
        return self.name or str(self.artifact_id)


class VersionStatus(models.TextChoices):
    """The life of a version."""

    RUNNABLE = "runnable", "Runnable"
    DEPRECATED = "deprecated", "Deprecated"
    ARCHIVED = "archived", "Archived"


class Frozen(models.Model):
    """A row that is written once; `MUTABLE` names the columns that may still change."""

    MUTABLE: ClassVar[frozenset[str]] = frozenset()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row.

        Raises FrozenError when an existing row would change in a column that is not mutable.
        """
        fields = kwargs.get("update_fields")
        if not self._state.adding and (fields is None or not set(fields) <= self.MUTABLE):
            raise FrozenError(f"{type(self).__name__} {self.pk} is published and cannot change")
        super().save(*args, **kwargs)


class PackVersion(Frozen):
    """A published, immutable state of a pack.

    `digest` is the SHA-256 over the canonical files; `archive` the blob of the zip that holds them. `document` is the
    pack node's document; `challenges` holds `{"key", "document"}`, `assets` `{"key", "path", "document", "blob"}` (the
    digest of the bytes or null), `files` `{"path", "blob"}`. `lineage` is what all versions of a pack share.
    """

    MUTABLE = frozenset({"status", "notes"})

    pack = models.ForeignKey(Pack, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    archive = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    document = DocumentField()
    challenges = DocumentField(default=list)
    assets = DocumentField(default=list)
    files = DocumentField(default=list)
    lineage = DocumentField(default=dict)
    case_count = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=20, choices=VersionStatus.choices, default=VersionStatus.RUNNABLE)
    notes = models.TextField(blank=True)
    revision = models.PositiveIntegerField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField(auto_now_add=True)

    objects = FrozenInPackQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["pack", "number"], name="one_version_per_number")]

    def __str__(self) -> str:
        return f"{self.pack}@{self.number}"


class VersionInputSet(Frozen):
    """An input set of a version; `position` counts from 0."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="input_sets")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=255)
    name = models.CharField(max_length=255, blank=True)
    document = DocumentField(default=dict)
    case_count = models.PositiveIntegerField(default=0)

    objects = FrozenInVersionQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["version", "key"], name="one_set_per_key")]

    def __str__(self) -> str:
        return self.key


class VersionCase(Frozen):
    """A case of a version; `position` counts from 0 in its input set.

    `stored` is its stored document, `digest` the SHA-256 over that as canonical JSON.
    """

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="cases")
    input_set = models.ForeignKey(VersionInputSet, models.CASCADE, related_name="cases")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=255)
    challenge_key = models.CharField(max_length=255)
    document = DocumentField(default=dict)
    stored = DocumentField(default=dict)
    digest = models.CharField(max_length=64)

    objects = FrozenInVersionQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["input_set", "position"], name="one_case_per_position"),
        ]

    def __str__(self) -> str:
        return self.key
