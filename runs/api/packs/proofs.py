"""The proof of the cases of a draft."""

from dataclasses import asdict
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import LOCATION
from packs.api.shared.lookup import author_of, choice_in, find_pack, find_version
from packs.api.shared.refusals import Refused, finding
from packs.api.shared.shapes import StandingShape
from packs.editing import EditRefused
from packs.models import InputSet
from packs.publish import needs_proof
from runs.api.trials.tryouts import find_case
from runs.jobs.judging import ACTS, ASK, COUNT, Scope, estimates_of, judging_of, start_estimating, start_judging
from runs.jobs.proofs import start_proving
from runs.models.proofs import report_of, report_of_case, standing_of, standing_of_version
from runs.proof.document import CaseState
from runs.proof.probes import Code
from runs.results.canaries import canary_of
from runs.results.proofs import junit_of
from runs.results.strengths import strengths_of

STATES = [state.value for state in CaseState]


class ProofShape(StandingShape):
    """The same of a draft; `needs_proof` says whether only proven cases are published; `canary` may be empty."""

    needs_proof = serializers.BooleanField()
    canary = serializers.CharField()


class ReasonShape(serializers.Serializer[Any]):
    """Why a case is not proven; `probe` names the answer that showed it."""

    code = serializers.ChoiceField([code.value for code in Code])
    message = serializers.CharField()
    probe = serializers.CharField()


class AcceptedShape(ReasonShape):
    """What the author of the pack means as it is, and why."""

    accepted = serializers.CharField()


class SpreadShape(serializers.Serializer[Any]):
    """What judges made of the right answer: of `gradings` with a verdict `passed`, with scores from 0 to 1."""

    gradings = serializers.IntegerField()
    passed = serializers.IntegerField()
    lowest = serializers.FloatField(allow_null=True)
    highest = serializers.FloatField(allow_null=True)


class ProvenCaseShape(serializers.Serializer[Any]):
    """A case, as `pack prove --json` has it; `tried` is the number of answers, `wrong` of those to refuse."""

    input_set = serializers.CharField()
    challenge_key = serializers.CharField()
    case_key = serializers.CharField()
    state = serializers.ChoiceField(STATES)
    strength = serializers.FloatField(allow_null=True)
    tried = serializers.IntegerField()
    wrong = serializers.IntegerField()
    refused = serializers.IntegerField()
    spread = SpreadShape(allow_null=True)
    reasons = ReasonShape(many=True)
    accepted = AcceptedShape(many=True)


class ProvenCasesShape(serializers.Serializer[Any]):
    cases = ProvenCaseShape(many=True)


class StrengthShape(serializers.Serializer[Any]):
    """How strong the graders of a version are: of `wrong` answers they refuse `refused`, of `cases` `proven` are."""

    version = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    wrong = serializers.IntegerField(help_text="Answers to refuse; 0 where they were not counted.")
    refused = serializers.IntegerField()
    cases = serializers.IntegerField()
    proven = serializers.IntegerField()


class StrengthsShape(serializers.Serializer[Any]):
    versions = StrengthShape(many=True)


class JudgingShape(serializers.Serializer[Any]):
    """About what it takes to ask judges; `cost_usd` is null where no price is known."""

    calls = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True)


class SetJudgingShape(JudgingShape):
    """What it takes to ask the judges of `cases` of an input set, of all sets where `input_set` is empty."""

    input_set = serializers.CharField()
    cases = serializers.IntegerField()


class DraftProofShape(ProofShape):
    """A draft, with what jobs said that asking its judges takes, as it is now."""

    judging = SetJudgingShape(many=True)


class JudgesBody(Body):
    """What is done with the judges: `estimate` says what asking takes, `ask` asks them."""

    judges = serializers.ChoiceField(ACTS)


class ProveBody(JudgesBody):
    """Nothing to ask no judge. `input_set` is the key of the one whose judges are asked; all of them without one."""

    judges = serializers.ChoiceField(ACTS, required=False)
    input_set = serializers.CharField(required=False)


class PackProof(Endpoint):
    @extend_schema(operation_id="packs_proof", responses=DraftProofShape)
    def get(self, request: Request, pk: int) -> Response:
        """What is known of the cases of a draft as they are now."""
        pack = find_pack(request, pk)
        judging = [
            {**asdict(taken), "input_set": scope.input_set.key if scope.input_set else "", "cases": cases}
            for scope, taken, cases in estimates_of(pack)
        ]
        known = {"needs_proof": needs_proof(pack), "canary": canary_of(pack), "judging": judging}
        return Response({**standing_of(pack).summary.as_dict(), **known})

    @extend_schema(operation_id="packs_prove", request=ProveBody, responses={202: JobShape}, parameters=[LOCATION])
    def post(self, request: Request, pk: int) -> Response:
        """Have the cases of a draft proven. What did not change since it was proven is not tried again.

        Judges are asked only where that is wanted, once a job has said what it takes: `judging` of the draft has it.
        """
        pack = find_pack(request, pk, Permission.RUN)
        wanted = read_body(ProveBody, request)
        if "judges" not in wanted:
            return accepted(start_proving(pack, author_of(request)))
        key = wanted.get("input_set")
        chosen = get_object_or_404(InputSet, pack=pack, key=key) if key else None
        return begun(Scope(pack, input_set=chosen), wanted["judges"], request)


class VersionProof(Endpoint):
    @extend_schema(operation_id="versions_proof", responses=StandingShape)
    def get(self, request: Request, pk: int) -> Response:
        """What is known of the cases of a version."""
        return Response(standing_of_version(find_version(request, pk)).summary.as_dict())

    @extend_schema(operation_id="versions_prove", request=None, responses={202: JobShape}, parameters=[LOCATION])
    def post(self, request: Request, pk: int) -> Response:
        """Have the cases of a version proven."""
        version = find_version(request, pk, Permission.RUN)
        return accepted(start_proving(version.pack, cast(User, request.user), version))


class PackProofCases(Endpoint):
    @extend_schema(
        operation_id="packs_proof_cases",
        parameters=[OpenApiParameter("state", enum=STATES, description="Only cases of this state.")],
        responses=ProvenCasesShape,
    )
    def get(self, request: Request, pk: int) -> Response:
        """What is known of each case of a draft, in its order, and why."""
        pack = find_pack(request, pk)
        wanted = choice_in(request, "state", STATES)
        cases = report_of(pack)["cases"]
        return Response({"cases": [case for case in cases if wanted in ("", case["state"])]})


class CaseProofShape(ProvenCaseShape):
    """A case with what asking its judges takes; `judging` is null where they cannot be asked."""

    judging = JudgingShape(allow_null=True)


class CaseProof(Endpoint):
    @extend_schema(operation_id="cases_proof", responses=CaseProofShape)
    def get(self, request: Request, pk: int) -> Response:
        """What is known of a case of a draft, and about what it takes to ask its judges."""
        case = find_case(request, pk, Permission.READ)
        try:
            judging = judging_of(case)
        except EditRefused:
            # Errors elsewhere in the draft keep it from being known.
            judging = None
        return Response({**report_of_case(case), "judging": asdict(judging) if judging else None})

    @extend_schema(operation_id="cases_prove", request=JudgesBody, responses={202: JobShape}, parameters=[LOCATION])
    def post(self, request: Request, pk: int) -> Response:
        """Have a case of a draft proven with its judges.

        They are asked about each answer that is tried, and about the right one five times. `judging` of the case says
        what that takes; where it is null, a job estimates it first.
        """
        case = find_case(request, pk, Permission.RUN)
        given = JudgesBody(data=request.data or {"judges": ASK})
        given.is_valid(raise_exception=True)
        return begun(Scope(case.pack, case), given.validated_data["judges"], request)


def begun(scope: Scope, act: str, request: Request) -> Response:
    """The answer with the job that says what asking judges takes, or asks. Raises Refused, QuotaReached."""
    user = author_of(request)
    try:
        return accepted(start_estimating(scope, user) if act == COUNT else start_judging(scope, user))
    except EditRefused as refused:
        raise Refused([finding(refused.code, refused.message)], 422) from refused


class PackProofJunit(Endpoint):
    @extend_schema(operation_id="packs_proof_junit", responses={(200, "application/xml"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The same as JUnit XML: refuted cases are failures, those without a proof are skipped."""
        pack = find_pack(request, pk)
        headers = {"Content-Disposition": f'attachment; filename="{pack.slug}-proof.xml"'}
        return HttpResponse(junit_of(pack), content_type="application/xml", headers=headers)


class PackStrengths(Endpoint):
    @extend_schema(operation_id="packs_proof_strengths", responses=StrengthsShape)
    def get(self, request: Request, pk: int) -> Response:
        """How strong the graders of each version are, oldest first.

        The newest 30 versions of which a case was tried.
        """
        return Response({"versions": [asdict(each) for each in strengths_of(find_pack(request, pk))]})
