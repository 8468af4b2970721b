"""Tables over the API: as new packs, and as cases of an input set."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs import blobs
from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.shared import shapes
from packs.api.shared.endpoint import Endpoint, says_yes
from packs.api.shared.headers import LOCATION, etag
from packs.api.shared.lookup import author_of, choice_in, etag_of, find_pack, find_team
from packs.api.shared.refusals import Refused, finding
from packs.api.shared.uploads import PARSERS, body_of
from packs.formats import FORMATS, jsonio
from packs.formats.beginning import ANSWERS
from packs.formats.costs import MANY_CASES
from packs.formats.findings import MAX_FINDINGS
from packs.formats.tables import Table, read_table
from packs.grid.beginnings import Recipe, asked_recipe, check, likely_recipe, make
from packs.grid.columns import columns_of, key_pointer
from packs.grid.merging import Merge, look_ahead
from packs.grid.naming import Unmappable, asked_mapping
from packs.grid.taking import create_from_table, take_table
from packs.importing import ImportRefused
from packs.importing.previewing import keep_table
from packs.jobs import is_large, start
from packs.mirror import format_of
from packs.models import InputSet, Job, Pack, Upload

QUERY = OpenApiParameter
MAPPING = QUERY("mapping", description="A JSON object: what columns stand for, by their names; others are guessed.")
CHOICES = [
    MAPPING,
    QUERY("name", description="Name of the file that the body is."),
    QUERY("without_names", bool, description="The first line of CSV is a row already; columns are numbered from 1."),
    QUERY("errors", bool, description="Take rows with errors too."),
    QUERY("dry_run", bool),
]
FILE = {"application/octet-stream": OpenApiTypes.BINARY}


class LineShape(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="0 for the whole table.")
    reason = serializers.CharField()


class OtherShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    reason = serializers.CharField()


class TableShape(serializers.Serializer[Any]):
    """What a table would do, or did: numbers of cases, and the first lines that stand in the way."""

    mapping = serializers.DictField(child=serializers.CharField(), help_text="Column to `answer`, or a JSON Pointer.")
    format = serializers.ChoiceField(sorted(FORMATS))
    check = serializers.CharField(help_text="Empty for an input set.")
    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    refused = serializers.IntegerField(help_text="Lines that cannot become a case.")
    broken = serializers.IntegerField(help_text="Lines that would bring an error.")
    elsewhere = serializers.IntegerField(help_text="Other nodes that would have new errors.")
    troubles = LineShape(many=True)
    broken_lines = LineShape(many=True)
    others = OtherShape(many=True)
    note = serializers.CharField(
        help_text="What to know of how it was read: not as UTF-8, or with assertions of promptfoo; else empty."
    )


# A new draft, or what it would be.
TAKEN = PolymorphicProxySerializer("Taken", [shapes.PackDetailShape, TableShape], resource_type_field_name=None)


class PackFromTable(Endpoint):
    parser_classes = PARSERS

    @extend_schema(
        operation_id="packs_create_from_table",
        parameters=[
            QUERY("team", description="Slug of the team; may be left out by people with one team."),
            QUERY("title", required=True),
            QUERY("slug", description="Address of the pack; made of the title unless said."),
            QUERY("format", enum=sorted(FORMATS), description="Guessed unless said."),
            QUERY("check", enum=list(ANSWERS), description="How right answers are checked; guessed unless said."),
            *CHOICES,
            etag(201),
            LOCATION,
        ],
        request=FILE,
        responses={200: TableShape, 201: shapes.PackDetailShape, 202: JobShape},
    )
    def post(self, request: Request) -> Response:
        """Make a pack of a table: CSV, TSV, JSON, JSONL or Parquet.

        Each row becomes a case, all rows or none: 422 names every line that stands in the way. A column stands for
        `question`, `answer`, `key`, `metadata`, a field or a JSON Pointer; `""` leaves it out. With `dry_run=true`
        nothing is written. What is too much for a request is done by a job: 202.
        """
        team = find_team(request, request.query_params.get("team", ""), Permission.EDIT)
        name, data = body_of(request)
        table = read_table(data, has_names=not says_yes(request, "without_names"))
        recipe = recipe_of(request, table)
        is_dry = says_yes(request, "dry_run")
        if len(table.records) > MANY_CASES:
            kind = "table-pack-look" if is_dry else "table-pack"
            waiting = keep_table(team, author_of(request), name, blobs.put(data))
            columns = {"team": team, "title": f"Create a pack from {name}"[:300]}
            return later(request, kind, waiting, {"recipe": asdict(recipe)}, columns)
        if is_dry:
            return Response(reported(recipe.format, recipe, check(recipe, make(recipe, table)).found.report()))
        try:
            takes_errors = says_yes(request, "errors")
            pack = create_from_table(team, author_of(request), recipe, table, takes_errors=takes_errors)
        except ImportRefused as refused:
            raise Refused(refused.findings[:MAX_FINDINGS]) from refused
        return Response(shapes.show_pack_detail(pack), status=201, headers={"ETag": etag_of(pack.revision)})


class PackTable(Endpoint):
    parser_classes = PARSERS

    @extend_schema(
        operation_id="packs_take_table",
        parameters=[
            QUERY("input_set", int, description="Id of the input set; may be left out where there is one."),
            QUERY("adds_only", bool, description="Leave cases alone whose key is there already."),
            *CHOICES,
            LOCATION,
        ],
        request=FILE,
        responses={200: TableShape, 202: JobShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a table into an input set: rows add cases, or change those of the same key.

        All rows or none, as one edit that undo takes back; 422 names every line that stands in the way. A column
        stands for a field or a JSON Pointer; `""` leaves it out. With `dry_run=true` nothing is written. Large tables
        and drafts are a job's work: 202.
        """
        pack = find_pack(request, pk, Permission.EDIT)
        input_set = set_of(request, pack)
        name, data = body_of(request)
        table = read_table(data, has_names=not says_yes(request, "without_names"))
        columns = columns_of(format_of(pack), input_set)
        mapping = mapped(lambda words: asked_mapping(table, input_set, columns, words), request)
        way = Merge(pack, input_set, mapping, key_pointer(format_of(pack)), adds_only=says_yes(request, "adds_only"))
        is_dry = says_yes(request, "dry_run")
        if len(table.records) > MANY_CASES or is_large(pack):
            kind = "table-look" if is_dry else "table"
            waiting = keep_table(pack.team, author_of(request), name, blobs.put(data), pack.slug)
            given = {"set": input_set.pk, "mapping": mapping, "adds": way.adds_only}
            columns_of_job = {"team": pack.team, "pack": pack, "title": f"Take {name} into {input_set.key}"[:300]}
            return later(request, kind, waiting, given, columns_of_job)
        if is_dry:
            found = way.of(table)
            look_ahead(way, found)
        else:
            found = taken(request, way, table, name)
        return Response(reported(pack.format, Recipe(pack.format, mapping=mapping), found.report()))


def taken(request: Request, way: Merge, table: Table, name: str) -> Any:
    """Raises Refused with every line that stands in the way."""
    try:
        return take_table(way, author_of(request), table, name, takes_errors=says_yes(request, "errors"))
    except ImportRefused as refused:
        raise Refused(refused.findings[:MAX_FINDINGS]) from refused


def recipe_of(request: Request, table: Table) -> Recipe:
    """What becomes of a table. Raises Refused for columns and words that there are not, and without a title."""
    asked = request.query_params
    title = asked.get("title", "").strip()
    if not title:
        raise Refused([finding("no_title", "Say in `title` what the new pack is called.")])
    likely = likely_recipe(table, choice_in(request, "format", sorted(FORMATS)), title[:200])
    recipe = mapped(lambda words: asked_recipe(likely, table, words), request)
    wanted = choice_in(request, "check", list(ANSWERS))
    if wanted and wanted not in recipe.adapter.FIRST_CHECKS:
        raise Refused([finding("no_such_check", f"{recipe.adapter.LABEL}s have no such check.")])
    return Recipe(recipe.format, title[:200], asked.get("slug", ""), wanted or recipe.check, recipe.mapping)


def mapped(chosen: Any, request: Request) -> Any:
    """What is made of the words about columns. Raises Refused where they are not JSON, or name what there is not."""
    text = request.query_params.get("mapping", "")
    words, _ = jsonio.read(text) if text else ({}, [])
    if not isinstance(words, dict) or not all(isinstance(word, str) for word in words.values()):
        raise Refused([finding("bad_mapping", '`mapping` must be a JSON object of texts, such as {"Head": "answer"}.')])
    try:
        return chosen(words)
    except Unmappable as trouble:
        raise Refused([finding("bad_mapping", str(trouble))]) from trouble


def set_of(request: Request, pack: Pack) -> InputSet:
    """The input set that is named, or the only one. Raises Refused."""
    text = request.query_params.get("input_set", "")
    rows = InputSet.objects.select_related("pack").filter(pack=pack)
    if text:
        rows = rows.filter(pk=int(text)) if text.isdecimal() and len(text) <= 18 else rows.none()
    found = list(rows[:2])
    if len(found) != 1:
        message = "The pack has no such input set." if text else "Name one of the pack's input sets by its id."
        raise Refused([finding("no_such_set", message)])
    only: InputSet = found[0]
    return only


def later(request: Request, kind: str, waiting: Upload, given: dict[str, Any], columns: dict[str, Any]) -> Response:
    sent = {"names": not says_yes(request, "without_names"), "errors": says_yes(request, "errors")}
    parameters = {"upload": str(waiting.token), **given, **sent}
    job: Job = start(kind, user=author_of(request), parameters=parameters, **columns)
    return accepted(job)


def reported(format_name: str, recipe: Recipe, report: dict[str, Any]) -> dict[str, Any]:
    return {"format": format_name, "check": recipe.check, "mapping": dict(recipe.mapping), **report}
