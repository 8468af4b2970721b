"""What is different between two states of a pack."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.jobs import JobShape, accepted
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_pack, number_in
from packs.comparing import difference_of, find_end, usual_ends
from packs.formats.comparing import Act, as_dict
from packs.formats.comparing.telling import NOUNS
from packs.jobs import start_comparing
from packs.jobs.comparing import compared, is_long, kept, parameters_of

ACTS = [act.value for act in Act]
MOST = 1_000
FEW = 100


class FieldDifference(serializers.Serializer[Any]):
    """A field that is different. `pointer` leads to it in the newer document, to a removed one in the older; `field`
    says the same with the names of elements. Of a moved one, `before` and `after` are its places in its list."""

    pointer = serializers.CharField()
    field = serializers.CharField()
    change = serializers.ChoiceField(ACTS)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class NodeDifference(serializers.Serializer[Any]):
    """A node that is different, or a file that no asset declares; `before` is the document of one that was removed,
    `after` of one that was added."""

    kind = serializers.ChoiceField(list(NOUNS))
    key = serializers.CharField()
    old_key = serializers.CharField(allow_null=True)
    input_set = serializers.CharField(allow_null=True)
    challenge = serializers.CharField(allow_null=True)
    changes = serializers.ListField(child=serializers.ChoiceField(ACTS))
    bytes_changed = serializers.BooleanField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    fields = FieldDifference(many=True)  # type: ignore[assignment]


class PackDifferenceShape(serializers.Serializer[Any]):
    """What is different: in words, how many nodes, and some of them in the order of the pack."""

    older = serializers.CharField()
    newer = serializers.CharField()
    summary = serializers.CharField()
    count = serializers.IntegerField()
    nodes = NodeDifference(many=True)


STATE = "`draft`, the number of a version, or `r` and a revision of the draft"


class PackDifference(Endpoint):
    @extend_schema(
        operation_id="packs_difference",
        parameters=[
            OpenApiParameter("from", description=f"{STATE}; the last version before `to` where it is not given"),
            OpenApiParameter("to", description=f"{STATE}; the draft where it is not given"),
            OpenApiParameter("limit", int, description=f"how many nodes, {FEW} where it is not given, at most {MOST}"),
            OpenApiParameter("offset", int, description="how many nodes to skip"),
        ],
        responses={200: PackDifferenceShape, 202: JobShape},
    )
    def get(self, request: Request, pk: int) -> Response:
        """What is different between two states of a pack, by node and field.

        A job compares large ones: 202, and the answer once it is completed.
        """
        pack, given = find_pack(request, pk), request.query_params
        old, new = (find_end(pack, name) for name in usual_ends(pack, given.get("from", ""), given.get("to", "")))
        if old is None or new is None:
            raise Http404
        limit, start = number_in(request, "limit"), number_in(request, "offset") or 0
        most = min(limit or FEW, MOST)
        if not is_long(old, new):
            found = as_dict(difference_of(old, new).nodes, start, most)
        elif job := compared(pack, parameters := parameters_of(old, new)):
            found = as_dict(kept(job), start, most)
        else:
            return accepted(start_comparing(pack, author_of(request), parameters))
        return Response({"older": old.name, "newer": new.name, **found})
