"""The quotas of a team over the API: what it may use, and how much of that is used."""

from math import isfinite
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.answers import Shape
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import find_team
from packs.models.teams import MOST_GB, MOST_TRIALS, MOST_USD
from packs.quotas import QUOTAS, WARNING_SHARE
from runs.quotas import usages


class QuotaShape(Shape):
    """One quota: bytes of storage, trials of a day, US dollars of a month. Without a limit nothing is refused."""

    quota = serializers.ChoiceField(sorted(QUOTAS), source="name")
    used = serializers.FloatField()
    limit = serializers.FloatField(allow_null=True)
    share = serializers.FloatField(allow_null=True, help_text="How much of the limit is used, from 0.")
    is_near = serializers.BooleanField(help_text=f"Whether at least {WARNING_SHARE:.0%} of it is used.")
    is_reached = serializers.BooleanField()
    frees_at = serializers.DateTimeField(allow_null=True, help_text="When the count begins anew; null for storage.")


class Limit(serializers.FloatField):
    """A number from 0 on; none that only programs call one, such as `nan`."""

    default_error_messages = {"infinite": "A valid number is required."}

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if not isfinite(value):
            self.fail("infinite")
        return value


class QuotasRequest(Body):
    """The limits that change; null takes one away."""

    quota_storage_gb = Limit(required=False, allow_null=True, min_value=0, max_value=MOST_GB)
    quota_trials_per_day = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=MOST_TRIALS)
    quota_usd_per_month = Limit(required=False, allow_null=True, min_value=0, max_value=MOST_USD)


class TeamQuotas(Endpoint):
    @extend_schema(operation_id="teams_quotas", responses=QuotaShape(many=True))
    def get(self, request: Request, team: str) -> Response:
        """What a team may use, and how much of that is used now."""
        return Response([QuotaShape.show(usage) for usage in usages(find_team(request, team))])

    @extend_schema(operation_id="teams_set_quotas", request=QuotasRequest, responses=QuotaShape(many=True))
    def patch(self, request: Request, team: str) -> Response:
        """Change the quotas of a team. Members left out stay as they are."""
        row = find_team(request, team, Permission.ADMINISTER)
        wanted = read_body(QuotasRequest, request)
        for column, value in wanted.items():
            setattr(row, column, value)
        row.save(update_fields=list(wanted))
        return Response([QuotaShape.show(usage) for usage in usages(row)])
