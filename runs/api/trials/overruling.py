"""Overruling a grader or a judge of a trial."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, require
from packs.api.shared.refusals import Refused, finding
from runs.api.trials.trials import find_trial
from runs.grading.scoring.overruling import FAIL, PASS
from runs.jobs.scores.overruling import MAX_REASON, OverruleRefused, Wanted, overrule
from runs.results.serializers import TrialDetailSerializer


class Overruling(Body):
    """What counts in place of a grader or judge; without a verdict, what it said itself counts again."""

    key = serializers.CharField(help_text="The key of the grader or judge.")
    verdict = serializers.ChoiceField([PASS, FAIL], allow_null=True, default=None)
    score = serializers.FloatField(min_value=0, max_value=1, allow_null=True, default=None)
    reason = serializers.CharField(max_length=MAX_REASON, allow_blank=True, default="")


class TrialOverrule(Endpoint):
    @extend_schema(operation_id="trials_overrule", request=Overruling, responses=TrialDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Let a person's verdict count in place of a grader's, or take that back.

        The trial is judged again from its stored events. 409 while the trial or its run has not ended, 422 for a grader
        that did not judge it, or without a reason.
        """
        trial = find_trial(request, pk)
        require(request, trial.run.team, Permission.REVIEW)
        said = read_body(Overruling, request)
        try:
            overrule(
                trial, author_of(request), Wanted(said["key"], said["verdict"] or "", said["reason"], said["score"])
            )
        except OverruleRefused as refused:
            status = 409 if refused.code in ("not_ended", "not_judgeable", "not_overruled") else 422
            raise Refused([finding(refused.code, refused.message)], status) from refused
        return Response(TrialDetailSerializer(find_trial(request, pk)).data)
