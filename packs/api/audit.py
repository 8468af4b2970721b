"""The audit log, for systems that collect logs."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import page
from packs.api.shared.pages import PAGING, page_of
from packs.audit import FILTERS, may_read_log, narrowed
from packs.models import AuditEvent


class AuditEventShape(serializers.Serializer[Any]):
    """Who did what. `changes` has old and new by name of a field; `key` is how the key begins that was used."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    kind = serializers.CharField()
    team = serializers.CharField(allow_null=True)
    person = serializers.CharField()
    key = serializers.CharField()
    address = serializers.CharField()
    subject = serializers.CharField()
    changes = serializers.DictField()


class AuditLog(Endpoint):
    @extend_schema(
        operation_id="audit_list",
        parameters=[*(OpenApiParameter(name) for name in FILTERS), *PAGING],
        responses=page_of(AuditEventShape),
    )
    def get(self, request: Request) -> Response:
        """What happened in the teams that you curate, newest first; `since` and `until` are days."""
        if not may_read_log(request.user):
            raise PermissionDenied
        return page(request, narrowed(request.user, request.query_params.dict()), AuditEvent.as_dict, "-id")
