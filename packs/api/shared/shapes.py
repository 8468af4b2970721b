"""What the API shows of rows, and the same for its OpenAPI description."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from packs.access import Permission
from packs.api.shared.answers import AccountField, Shape
from packs.companion import PROOFS
from packs.formats import FORMATS
from packs.formats.document import NodeKind
from packs.formats.findings import Finding
from packs.importing import Preview
from packs.mirror import restored
from packs.models import Pack, PackStatus, Team, VersionStatus

KINDS = [kind.value for kind in NodeKind]


class FindingShape(serializers.Serializer[Any]):
    """A finding, as the command line prints it."""

    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(allow_null=True)
    severity = serializers.ChoiceField(["error", "warning", "note"])
    code = serializers.CharField()
    rule = serializers.CharField()
    path = serializers.CharField()
    message = serializers.CharField()
    hint = serializers.CharField()


class FindingsShape(serializers.Serializer[Any]):
    findings = FindingShape(many=True)


class TeamShape(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    permissions = serializers.ListField(child=serializers.ChoiceField([each.value for each in Permission]))


class PackShape(Shape):
    """A pack; `revision` counts the edits of its draft."""

    id = serializers.IntegerField()
    team = serializers.CharField(source="team.slug")
    slug = serializers.CharField()
    format = serializers.ChoiceField(sorted(FORMATS))
    title = serializers.CharField()
    status = serializers.ChoiceField(PackStatus.choices)
    revision = serializers.IntegerField()
    error_count = serializers.IntegerField(source="problem_errors")
    warning_count = serializers.IntegerField(source="problem_warnings")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class StandingShape(serializers.Serializer[Any]):
    """What is known of the proofs of all cases of a draft or a version; `state` is the worst of a case."""

    state = serializers.ChoiceField(PROOFS)
    strength = serializers.FloatField(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Cases by state.")


class ListedPackShape(PackShape):
    """A pack of a list, with what is known of the proofs of its draft."""

    proof = StandingShape()


class PackDetailShape(PackShape):
    document = serializers.JSONField()
    counts = serializers.DictField(child=serializers.IntegerField())


class NodeShape(serializers.Serializer[Any]):
    """A node of a draft. Cases have `challenge_key` and `input_set`, assets `path`, `digest` and `size`."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(KINDS)
    key = serializers.CharField()
    revision = serializers.IntegerField()
    error_count = serializers.IntegerField()
    warning_count = serializers.IntegerField()
    document = serializers.JSONField()
    challenge_key = serializers.CharField(required=False)
    input_set = serializers.IntegerField(required=False)
    path = serializers.CharField(required=False)
    digest = serializers.CharField(required=False, allow_null=True)
    size = serializers.IntegerField(required=False, allow_null=True)


class NodeDetailShape(NodeShape):
    findings = FindingShape(many=True)


class RenamedShape(serializers.Serializer[Any]):
    """What others refer to by name, and how many nodes of each kind follow the new names, at how many places."""

    kind = serializers.CharField(help_text="A kind of node, or what documents declare: input, validator, ...")
    names = serializers.ListField(child=serializers.DictField(child=serializers.CharField()))
    followers = serializers.DictField(child=serializers.IntegerField())
    places = serializers.IntegerField()


class ReplacedShape(NodeDetailShape):
    renamed = RenamedShape(many=True)


class VersionShape(Shape):
    """A version; `digest` is the SHA-256 over its canonical files."""

    id = serializers.IntegerField()
    pack = serializers.IntegerField(source="pack_id")
    number = serializers.IntegerField()
    digest = serializers.CharField()
    status = serializers.ChoiceField(VersionStatus.choices)
    notes = serializers.CharField()
    case_count = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    published_by = AccountField()


class ListedVersionShape(VersionShape):
    """A version of a list, with what is known of the proofs of its cases."""

    proof = StandingShape()


class InputSetShape(Shape):
    """An input set of a version, in the names that challenge-pack f gives its list."""

    id = serializers.IntegerField()
    challenge_pack_version_id = serializers.IntegerField(source="version_id")
    input_key = serializers.CharField(source="key")
    name = serializers.CharField()
    case_count = serializers.IntegerField()


class VersionCaseShape(Shape):
    """A case of a version; `stored` is its stored document."""

    id = serializers.IntegerField()
    input_set = serializers.IntegerField(source="input_set_id")
    case_key = serializers.CharField(source="key")
    challenge_key = serializers.CharField()
    stored = serializers.JSONField()
    digest = serializers.CharField()


class ImportItemShape(Shape):
    kind = serializers.CharField()
    key = serializers.CharField()
    detail = serializers.CharField()


class FindingKindShape(serializers.Serializer[Any]):
    """All findings of one code: how many there are, and what the first of them says."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warning", "note"])
    count = serializers.IntegerField()
    message = serializers.CharField()


class PreviewShape(serializers.Serializer[Any]):
    """What an import would do. `kinds` counts all findings; `findings` are the first of each kind, then errors."""

    token = serializers.UUIDField(allow_null=True)
    format = serializers.CharField()
    slug = serializers.CharField()
    title = serializers.CharField()
    pack = serializers.IntegerField(allow_null=True)
    created = ImportItemShape(many=True)
    changed = ImportItemShape(many=True)
    removed = ImportItemShape(many=True)
    ignored = ImportItemShape(many=True)
    refused = FindingShape(many=True)
    findings = FindingShape(many=True)
    kinds = FindingKindShape(many=True)
    counts = serializers.DictField(child=serializers.IntegerField())
    totals = serializers.DictField(child=serializers.IntegerField())
    has_comments = serializers.BooleanField()
    packs = serializers.DictField(child=serializers.CharField())


class NoticedShape(serializers.Serializer[Any]):
    """Findings about values that an edit gave; later checks do not repeat them."""

    kind = serializers.ChoiceField(KINDS)
    node = serializers.IntegerField()
    findings = FindingShape(many=True)


class ConflictShape(serializers.Serializer[Any]):
    """A place that others changed: the value that was sent and the one that is there, null where there is none."""

    kind = serializers.ChoiceField(KINDS)
    node = serializers.IntegerField()
    pointer = serializers.CharField()
    yours = serializers.JSONField(allow_null=True)
    theirs = serializers.JSONField(allow_null=True)
    author = serializers.CharField()
    revision = serializers.IntegerField()


class ConflictsShape(FindingsShape):
    """A refusal because others changed the same places; nothing was written."""

    conflicts = ConflictShape(many=True)


class AppliedShape(serializers.Serializer[Any]):
    """The outcome of edits."""

    revision = serializers.IntegerField()
    written = serializers.BooleanField()
    node = serializers.IntegerField(allow_null=True)
    error_count = serializers.IntegerField()
    warning_count = serializers.IntegerField()
    conflicts = ConflictShape(many=True)
    noticed = NoticedShape(many=True, help_text="What could not be stored as it was given, such as too long numbers.")
    renamed = RenamedShape(many=True)


class MomentShape(serializers.Serializer[Any]):
    """Edits that were made together; `undone` once they were taken back."""

    group = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    author = serializers.CharField()
    at = serializers.DateTimeField()
    revision = serializers.IntegerField()
    undone = serializers.BooleanField()
    edits = serializers.ListField(child=serializers.DictField(), help_text="The first of them.")
    edit_count = serializers.IntegerField()


def show_team(team: Team, granted: frozenset[str]) -> dict[str, Any]:
    return {"slug": team.slug, "name": team.name, "permissions": sorted(granted)}


def show_pack_detail(pack: Pack) -> dict[str, Any]:
    counts = {name: getattr(pack, name).count() for name in ("challenges", "input_sets", "cases", "assets", "versions")}
    return PackShape.show(pack) | {"document": pack.document, "counts": counts}


def show_node(row: Any) -> dict[str, Any]:
    """A row below a pack."""
    shown = {
        "id": row.pk,
        "kind": row.kind.value,
        "key": row.key,
        "revision": row.revision,
        "error_count": row.error_count,
        "warning_count": row.warning_count,
        "document": row.document,
    }
    if row.kind is NodeKind.CASE:
        shown |= {"challenge_key": row.challenge_key, "input_set": row.input_set_id}
    if row.kind is NodeKind.ASSET:
        shown |= {"path": row.path, "digest": row.blob_id, "size": row.blob.size if row.blob else None}
    return shown


def show_node_detail(row: Any) -> dict[str, Any]:
    return show_node(row) | {"findings": show_findings(restored(item) for item in row.findings)}


def show_findings(findings: Any) -> list[dict[str, Any]]:
    return [finding.as_dict() for finding in findings]


def show_preview(found: Preview) -> dict[str, Any]:
    lists = {name: [ImportItemShape.show(item) for item in getattr(found, name)] for name in LISTS}
    return lists | {
        "token": found.token if found.can_import else None,
        "format": found.format,
        "slug": found.slug,
        "title": found.title,
        "pack": found.pack.pk if found.pack else None,
        "refused": show_findings(found.refused),
        "findings": show_findings(found.findings),
        "kinds": [asdict(kind) for kind in found.kinds],
        "counts": found.counts,
        "totals": found.totals,
        "has_comments": found.has_comments,
        "packs": found.packs,
    }


LISTS = ("created", "changed", "removed", "ignored")


def findings_json(findings: list[Finding]) -> dict[str, Any]:
    return {"findings": show_findings(findings)}
