"""The proof of the cases of a draft."""

from dataclasses import asdict
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import LOCATION
from packs.api.shared.lookup import author_of, choice_in, find_pack, find_version
from packs.api.shared.shapes import StandingShape
from packs.editing import EditRefused
from packs.publish import needs_proof
from runs.api.trials.tryouts import find_case
from runs.jobs.judging import judging_of, start_judging
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


class PackProof(Endpoint):
    @extend_schema(operation_id="packs_proof", responses=ProofShape)
    def get(self, request: Request, pk: int) -> Response:
        """What is known of the cases of a draft as they are now."""
        pack = find_pack(request, pk)
        return Response(
            {**standing_of(pack).summary.as_dict(), "needs_proof": needs_proof(pack), "canary": canary_of(pack)}
        )

    @extend_schema(operation_id="packs_prove", request=None, responses={202: JobShape}, parameters=[LOCATION])
    def post(self, request: Request, pk: int) -> Response:
        """Have the cases of a draft proven. What did not change since it was proven is not tried again."""
        pack = find_pack(request, pk, Permission.RUN)
        return accepted(start_proving(pack, cast(User, request.user)))


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


class JudgingShape(serializers.Serializer[Any]):
    """About what it takes to ask the judges of a case; `cost_usd` is null where no price is known."""

    calls = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True)


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

    @extend_schema(operation_id="cases_prove", request=None, responses={202: JobShape}, parameters=[LOCATION])
    def post(self, request: Request, pk: int) -> Response:
        """Have a case of a draft proven with its judges.

        They are asked about each answer that is tried, and about the right one five times.
        """
        case = find_case(request, pk, Permission.RUN)
        return accepted(start_judging(case, author_of(request)))


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
