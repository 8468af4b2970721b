"""Keeping the answer of a trial with its case, for the proof of the case."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, require
from packs.api.shared.refusals import Refused, finding
from packs.editing import EditRefused
from runs.api.trials.trials import find_trial
from runs.proof.probes import WORTHS
from runs.results.probes import keep_answer


class KeptBody(Body):
    """Whether graders must accept the answer or refuse it."""

    name = serializers.ChoiceField(WORTHS)


class KeptShape(serializers.Serializer[Any]):
    """The case of the draft that has the answer now."""

    pack = serializers.IntegerField()
    case = serializers.IntegerField()
    case_key = serializers.CharField()


class TrialProof(Endpoint):
    @extend_schema(operation_id="trials_keep_answer", request=KeptBody, responses={201: KeptShape})
    def post(self, request: Request, pk: int) -> Response:
        """Keep the answer of a trial with its case, as a right or a wrong one.

        It goes into `proof.yaml`, with the files that the agent left and what it did, where graders look at them. 409
        where the draft has no such case any more, 422 where the answer cannot be kept.
        """
        trial = find_trial(request, pk)
        require(request, trial.run.team, Permission.EDIT)
        given = read_body(KeptBody, request)
        try:
            case = keep_answer(trial, given["name"], author_of(request))
        except EditRefused as refused:
            status = 409 if refused.code == "no_case" else 422
            raise Refused([finding(refused.code, refused.message)], status) from refused
        return Response({"pack": case.pack_id, "case": case.pk, "case_key": case.key}, status=201)
