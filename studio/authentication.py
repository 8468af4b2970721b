"""Who asks, when a request to the API brings a key instead of a session."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from packs.audit import by_key
from packs.models import Token
from studio.guessing import address_of
from studio.tokens import digest_of

REFRESH_LAST_USED_SECONDS = 60


KEYWORD = "Bearer"


def key_of(request: Request | HttpRequest) -> str | None:
    """The key that a request brings; None where it brings none, and a session may say who asks."""
    scheme, _, key = str(request.META.get("HTTP_AUTHORIZATION", "")).partition(" ")
    return key.strip() if scheme.lower() == KEYWORD.lower() else None


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <key>`, with a key made on the account page or by `manage.py token`."""

    def authenticate(self, request: Request) -> tuple[Any, Token] | None:
        """The user of the key, who reaches as far as the key does (`packs.access.Reach`).

        Raises AuthenticationFailed for a key that is unknown, expired or of an inactive user.
        """
        key = key_of(request)
        if key is None:
            return None
        token = Token.objects.select_related("user", "pack").filter(digest=digest_of(key)).first()
        if token is None or not token.user.is_active or token.has_ended:
            raise AuthenticationFailed("This key is unknown or no longer valid.")
        by_key(token.prefix)
        note_use(token, address_of(request._request))
        user: Any = token.user
        user.reach = token.reach
        return user, token

    def authenticate_header(self, request: Request) -> str:
        return KEYWORD


def note_use(token: Token, address: str) -> None:
    """Keep when and from where a key was used last; not at every request, each of which would write."""
    now = timezone.now()
    is_fresh = token.last_used_at and (now - token.last_used_at).total_seconds() <= REFRESH_LAST_USED_SECONDS
    if not is_fresh or token.last_used_from != address:
        Token.objects.filter(pk=token.pk).update(last_used_at=now, last_used_from=address)


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document names these keys; drf-spectacular finds the class by its definition."""

    target_class = TokenAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
