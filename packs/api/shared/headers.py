"""How the description of the API speaks of headers."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

IF_MATCH = OpenApiParameter(
    "If-Match",
    location=OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what you read, or `*` for any. 412 if it was edited since, 428 without the header.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", location=OpenApiParameter.HEADER, description="The ETag of what you have; 304 if it is the same."
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="Any text of your own. A repeated request with the same key gives the same run.",
)


def etag(*statuses: int) -> OpenApiParameter:
    """The header that names the state that was answered; `If-Match` and `If-None-Match` take it."""
    return OpenApiParameter(
        "ETag",
        location=OpenApiParameter.HEADER,
        response=list(statuses),
        description="Names this state: send it back in `If-Match` or `If-None-Match`.",
    )


LOCATION = OpenApiParameter(
    "Location",
    OpenApiTypes.URI_REF,
    location=OpenApiParameter.HEADER,
    response=[202],
    description="Address of the job. Ask there for progress and outcome.",
)
