"""Long work, and acts on many cases at once, over the API."""

from collections.abc import Container, Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from django.http import FileResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs import blobs
from packs.access import Permission, reach_of
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import LOCATION
from packs.api.shared.lookup import author_of, choice_in, find_pack, number_in, page
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from packs.audit import about
from packs.companion import PROOFS
from packs.formats.costs import MANY_CASES
from packs.grid.changing import Act, Plan, Wish, look_ahead, plan
from packs.grid.columns import columns_of
from packs.grid.queries import IS, LACKS, LONGEST_QUERY, PROBLEMS, Matches, query_of
from packs.jobs import ACTS as KINDS
from packs.jobs import cancel, start
from packs.mirror import format_of
from packs.models import InputSet, Job, JobStatus, Pack

ACTS = ("edit", "duplicate", "move", "remove")
NAMED = ("q", "problems", "proof", "sort")
CONDITIONS = (*NAMED, f"{IS}/", f"{LACKS}/")
MAX_ID = 2**63 - 1


class JobShape(serializers.Serializer[Any]):
    """Long work of one's own; `outcome` is what its kind gives once it is completed."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(sorted(KINDS))
    title = serializers.CharField()
    team = serializers.CharField()
    pack = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(JobStatus.choices)
    phase = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="Steps of the phase; 0 where nobody knows.")
    outcome = serializers.JSONField()
    error = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class WishBody(Body):
    """What to do with a field: set it to a text, clear it, or replace `find` in it by the text."""

    act = serializers.ChoiceField(list(Act))
    pointer = serializers.CharField(trim_whitespace=False)
    text = serializers.CharField(required=False, default="", allow_blank=True, trim_whitespace=False)
    find = serializers.CharField(required=False, default="", allow_blank=True, trim_whitespace=False)


class CaseChangesBody(Body):
    """An act on all cases of an input set that match; an empty `where` takes all."""

    input_set = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    act = serializers.ChoiceField(ACTS)
    where = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), help_text="As the addresses of the table."
    )
    wish = WishBody(required=False, help_text="For edit.")
    target = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID, help_text="Input set, for move.")
    first = serializers.BooleanField(required=False, default=False)
    dry_run = serializers.BooleanField(required=False, default=False)

    def validate_where(self, where: dict[str, str]) -> dict[str, str]:
        """A mistyped condition must not choose all cases, and a search over the API is as long as one on the page."""
        unknown = [name for name in where if name not in NAMED and not name.startswith(CONDITIONS[len(NAMED) :])]
        if unknown:
            raise serializers.ValidationError(f"Not a condition: {', '.join(unknown)}")
        if sum(len(name) + len(value) for name, value in where.items()) > LONGEST_QUERY:
            raise serializers.ValidationError(f"At most {LONGEST_QUERY} characters can be asked for. Search for less.")
        if where.get("problems", "any") not in PROBLEMS:
            raise serializers.ValidationError(f"problems is one of {', '.join(PROBLEMS)}")
        if where.get("proof", PROOFS[0]) not in PROOFS:
            raise serializers.ValidationError(f"proof is one of {', '.join(PROOFS)}")
        return where

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {"edit": "wish", "move": "target"}.get(attrs["act"])
        if needed and needed not in attrs:
            raise serializers.ValidationError({needed: f"{attrs['act']} needs it."})
        return attrs


class CaseExampleShape(serializers.Serializer[Any]):
    case = serializers.IntegerField()
    key = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    reason = serializers.CharField()


class ForecastShape(serializers.Serializer[Any]):
    """What an act would do; an edit is worked out for the first 500 matches."""

    matches = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    refused = serializers.IntegerField()
    examples = CaseExampleShape(many=True)
    refusals = CaseExampleShape(many=True)
    broken = CaseExampleShape(
        many=True,
        help_text="Changed cases that would have a new error; in drafts of over 10,000 cases, of the first 50 only.",
    )


def show_job(job: Job) -> dict[str, Any]:
    names = ("kind", "title", "status", "phase", "done", "total", "outcome", "error", "created_at", "finished_at")
    return {
        "id": job.pk,
        "team": job.team.slug,
        "pack": job.pack_id,
        **{name: getattr(job, name) for name in names},
    }


def accepted(job: Job) -> Response:
    """The answer to a request whose work a job does: 202, and where to look."""
    return Response(show_job(job), status=202, headers={"Location": f"/api/v1/jobs/{job.pk}/"})


def own_jobs(request: Request) -> Any:
    return Job.objects.visible_to(request.user).filter(user=request.user.pk).select_related("team", "blob")


def find_job(request: Request, pk: int) -> Job:
    """Raises Http404 for the jobs of others."""
    found: Job = get_object_or_404(own_jobs(request), pk=pk)
    about(found.team)
    return found


class Jobs(Endpoint):
    @extend_schema(
        operation_id="jobs_list",
        parameters=[OpenApiParameter("pack", int), OpenApiParameter("status", enum=JobStatus.values), *PAGING],
        responses=page_of(JobShape),
    )
    def get(self, request: Request) -> Response:
        """Own jobs, newest first."""
        rows, pack = own_jobs(request), number_in(request, "pack")
        if pack is not None:
            rows = rows.filter(pack=pack)
        if status := choice_in(request, "status", JobStatus.values):
            rows = rows.filter(status=status)
        return page(request, rows, show_job, "-id")


class JobDetail(Endpoint):
    @extend_schema(operation_id="jobs_show", responses=JobShape)
    def get(self, request: Request, pk: int) -> Response:
        """How far a job is, and what came of it."""
        return Response(show_job(find_job(request, pk)))


class JobCancel(Endpoint):
    @extend_schema(operation_id="jobs_cancel", request=None, responses=JobShape)
    def post(self, request: Request, pk: int) -> Response:
        """Stop a job: at once while it waits, soon while it is at work. 409 for one that has ended.

        A key needs the scope `edit` for all but exports, which change nothing.
        """
        job = find_job(request, pk)
        if job.kind != "export":
            reach_of(request.user).demand(Permission.EDIT)
        if not cancel(job):
            raise Refused([finding("ended", "This job has ended already.")], 409)
        return Response(show_job(find_job(request, pk)))


class JobFile(Endpoint):
    @extend_schema(operation_id="jobs_file", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The file that an export made."""
        job = find_job(request, pk)
        if job.kind != "export" or job.status != JobStatus.COMPLETED or job.blob is None:
            raise Refused([finding("no_file", "This job has made no file.")], 404)
        stream = blobs.open_stream(job.blob)
        headers = {"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff"}
        return FileResponse(stream, as_attachment=True, filename=job.outcome["name"], headers=headers)


class CaseChanges(Endpoint):
    @extend_schema(
        operation_id="packs_change_cases",
        parameters=[LOCATION],
        request=CaseChangesBody,
        responses={200: ForecastShape, 202: JobShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Edit a field of, duplicate, move or remove all cases that match.

        A job does it in one edit, which undo takes back. With `dry_run` nothing is written, and the answer says what
        would be.
        """
        pack = find_pack(request, pk, Permission.EDIT)
        body = read_body(CaseChangesBody, request)
        input_set = set_of(pack, body["input_set"])
        if "target" in body:
            set_of(pack, body["target"])
        columns = columns_of(format_of(pack), input_set)
        wish = wish_of(body, columns)
        if body["dry_run"]:
            return Response(forecast(pack, Matches(input_set, query_of(body["where"]), columns), wish))
        parameters = {
            "set": input_set.pk,
            "asked": body["where"],
            "act": body["act"],
            "wish": asdict(wish) if wish else None,
            "target": body.get("target"),
            "first": body["first"],
        }
        title = f"{body['act'].capitalize()} cases of {input_set.key}"[:300]
        job = start("change", team=pack.team, pack=pack, user=author_of(request), title=title, parameters=parameters)
        return accepted(job)


def set_of(pack: Pack, pk: int) -> InputSet:
    """Raises Refused for sets that the draft does not have."""
    found: InputSet | None = InputSet.objects.select_related("pack").filter(pack=pack, pk=pk).first()
    if found is None:
        raise Refused([finding("no_such_node", "The draft has no such input set.")], 404)
    return found


def wish_of(body: Mapping[str, Any], columns: Container[str]) -> Wish | None:
    """The wish of an edit, None for other acts. Raises Refused for a column that the set does not have."""
    if body["act"] != "edit":
        return None
    given = body["wish"]
    if given["pointer"] not in columns:
        raise Refused([finding("no_such_column", f"The set has no column at {given['pointer']!r}.")])
    return Wish(Act(given["act"]), given["pointer"], given["text"], given["find"])


def forecast(pack: Pack, matches: Matches, wish: Wish | None) -> dict[str, Any]:
    """What an act would do; without a wish it takes all that match."""
    count = len(matches)
    if wish is None:
        found, changed = Plan(), count
    else:
        found = plan(pack, islice(matches.rows(), MANY_CASES), wish)
        look_ahead(pack, found)
        changed = len(found.changes)
    reported = {"examples": found.examples, "refusals": found.refusals, "broken": found.broken}
    return {
        "matches": count,
        "changed": changed,
        "unchanged": found.unchanged,
        "refused": found.refused,
        **{name: [asdict(example) for example in examples] for name, examples in reported.items()},
    }
