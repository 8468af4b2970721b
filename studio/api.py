"""What every endpoint of the API shares: who is asking, how long lists are paged, and the one shape of trouble.

Apps do not import this module; Django REST framework finds it through the settings.
"""

from collections.abc import Iterator
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import APIException, AuthenticationFailed, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler

from packs.formats.findings import Finding, Path, Severity
from packs.models import Token
from studio.tokens import digest_of

REFRESH_LAST_USED_SECONDS = 60


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <key>`, with a key made on the account page or by `manage.py token`."""

    keyword = "Bearer"

    def authenticate(self, request: Request) -> tuple[Any, Token] | None:
        """The user of the key.

        Raises AuthenticationFailed for a key that is unknown, expired or of an inactive user.
        """
        scheme, _, key = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != self.keyword.lower():
            return None
        token = Token.objects.select_related("user").filter(digest=digest_of(key.strip())).first()
        now = timezone.now()
        if token is None or not token.user.is_active or (token.expires_at and token.expires_at <= now):
            raise AuthenticationFailed("This key is unknown or no longer valid.")
        if token.last_used_at is None or (now - token.last_used_at).total_seconds() > REFRESH_LAST_USED_SECONDS:
            Token.objects.filter(pk=token.pk).update(last_used_at=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return self.keyword


class CursorPages(CursorPagination):
    """Pages in a stable order; `?limit=` up to 200 rows."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-id"


def answer_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """Render every refused request as `{"findings": [...]}`.

    An exception may bring findings of its own in an attribute `findings`; all others become findings whose code is
    `api.<code>`.
    """
    response = exception_handler(error, context)
    if response is None:
        return None
    given = getattr(error, "findings", None)
    findings = list(given) if given is not None else list(findings_of(error, response))
    response.data = {"findings": [finding.as_dict() for finding in findings]}
    return response


def findings_of(error: Exception, response: Response) -> Iterator[Finding]:
    """Findings for an exception of the framework; Http404 and PermissionDenied arrive as Django's own classes."""
    if isinstance(error, ValidationError):
        yield from flatten(error.detail, ())
        return
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    code = error.get_codes() if isinstance(error, APIException) else getattr(detail, "code", "error")
    yield finding_of(str(code), str(detail), ())


def flatten(detail: Any, path: Path) -> Iterator[Finding]:
    """Walk error details; an index is a step of the path only where the item is itself a container."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from flatten(value, path if key == "non_field_errors" else (*path, str(key)))
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            yield from flatten(value, (*path, index) if isinstance(value, dict | list) else path)
    else:
        yield finding_of(getattr(detail, "code", "invalid"), str(detail), path)


def finding_of(code: str, message: str, path: Path) -> Finding:
    return Finding(code=f"api.{code}", severity=Severity.ERROR, path=path, message=message)
