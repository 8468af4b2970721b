"""The protocol: a browser is sent to the directory, and what it brings back is checked.

allauth makes the state, the PKCE challenge and the requests. It looks at neither the nonce nor the signature of an ID
token that came over TLS, and does without one, so all checks of OpenID Connect Core 3.1.3.7 are here.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from requests import RequestException

from packs.formats.characters import storable
from studio.oidc.groups import claimed, read_mapping

# Signatures that only who has the private key can make.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
# How far clocks may be apart.
LEEWAY_SECONDS = 60
NEEDED = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
LONGEST_SUBJECT = 191


class SignOnFailed(Exception):
    """The directory could not be asked, or its answer cannot be believed; the text is for the log."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What the directory says of a person. `subject` names them for ever within `issuer`."""

    issuer: str
    subject: str
    username: str = ""
    email: str = ""
    is_email_verified: bool = False
    first_name: str = ""
    last_name: str = ""
    groups: frozenset[str] = frozenset()


class Directory(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """allauth's client of the one provider, which settings describe and no row of the database."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, settings.OIDC_ISSUER)

    def get_provider(self) -> "Provider":
        options = {
            "server_url": settings.OIDC_ISSUER,
            "oauth_pkce_enabled": True,
            "scope": settings.OIDC_SCOPES.split(),
        }
        app = SocialApp(
            provider="openid_connect",
            provider_id=settings.OIDC_ISSUER,
            name=settings.OIDC_NAME,
            client_id=settings.OIDC_CLIENT_ID,
            secret=settings.OIDC_CLIENT_SECRET,
            settings=options,
        )
        return Provider(self.request, app=app)

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("studio:oidc-answer"))

    @cached_property
    def openid_config(self) -> dict[str, Any]:
        """What the directory says of itself. Raises SignOnFailed where that is not what it must be."""
        found = fetch(self.get_provider().server_url)
        missing = [name for name in NEEDED if not isinstance(found.get(name), str)]
        if missing:
            raise SignOnFailed(f"The directory does not name {', '.join(missing)}.")
        if found["issuer"].rstrip("/") != settings.OIDC_ISSUER:
            raise SignOnFailed(f"The directory calls itself {found['issuer']!r}.")
        return found


class Provider(OpenIDConnectProvider):  # type: ignore[misc]
    def get_oauth2_adapter(self, request: HttpRequest) -> Directory:
        return Directory(request)


def fetch(address: str, **more: Any) -> dict[str, Any]:
    """A JSON object of the directory. Raises SignOnFailed."""
    try:
        with get_adapter().get_requests_session() as session:
            answer = session.get(address, **more)
            answer.raise_for_status()
            found = answer.json()
    except RequestException as error:
        raise SignOnFailed(f"{address}: {type(error).__name__}") from error
    if not isinstance(found, dict):
        raise SignOnFailed(f"{address} does not answer with an object.")
    return found


def leave_for(request: HttpRequest, *, onward: str, nonce: str, connecting: Any = None) -> HttpResponse:
    """Send the browser to the directory. `connecting` is the id of the account that the identity shall belong to.

    Raises SignOnFailed.
    """
    provider = Directory(request).get_provider()
    kept = {"nonce": nonce, "data": connecting, "auth_params": {"nonce": nonce}}
    answer: HttpResponse = provider.redirect(request, AuthProcess.LOGIN, onward, **kept)
    return answer


def state_of(request: HttpRequest) -> dict[str, Any] | None:
    """What this browser left with, once; None where it did not leave, or came back too late."""
    found: dict[str, Any] | None = statekit.unstash_state(
        request, provider_id=settings.OIDC_ISSUER, state_id=request.GET.get("state", "")
    )
    return found


def identity_of(request: HttpRequest, state: dict[str, Any]) -> Identity:
    """Who came back from the directory. Raises SignOnFailed."""
    if "code" not in request.GET:
        raise SignOnFailed(f"The directory answered {request.GET.get('error', 'without a code')[:100]!r}.")
    if request.GET.get("iss", settings.OIDC_ISSUER).rstrip("/") != settings.OIDC_ISSUER:
        raise SignOnFailed("The answer names another issuer.")
    directory = Directory(request)
    client = directory.get_client(request, directory.get_provider().app)
    try:
        tokens = client.get_access_token(request.GET["code"], pkce_code_verifier=state.get("pkce_code_verifier"))
    except (OAuth2Error, RequestException, KeyError) as error:
        raise SignOnFailed(f"The directory gave no token: {type(error).__name__}") from error
    claims = checked(directory.openid_config, tokens.get("id_token"), str(state.get("nonce")))
    return read_identity({**more_about(directory.openid_config, claims, tokens["access_token"]), **claims})


def checked(config: dict[str, Any], token: Any, nonce: str) -> dict[str, Any]:
    """The claims of an ID token that the directory signed, for this studio and this attempt. Raises SignOnFailed."""
    if not isinstance(token, str):
        raise SignOnFailed("The directory gave no ID token.")
    try:
        named = jwt.get_unverified_header(token).get("kid")
        keys = [key for key in jwt.PyJWKSet.from_dict(fetch(config["jwks_uri"])).keys if named in (None, key.key_id)]
        if not keys or (named is None and len(keys) > 1):
            raise SignOnFailed("The directory does not have the key of its ID token.")
        options: Any = {"require": ["exp", "iat", "iss", "aud", "sub"]}
        given = {"audience": settings.OIDC_CLIENT_ID, "issuer": config["issuer"], "leeway": LEEWAY_SECONDS}
        claims: dict[str, Any] = jwt.decode(token, keys[0], algorithms=list(ALGORITHMS), options=options, **given)
    except jwt.PyJWTError as error:
        raise SignOnFailed(f"The ID token is not valid: {type(error).__name__}") from error
    if claims.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
        raise SignOnFailed("The ID token is for another client.")
    if not constant_time_compare(str(claims.get("nonce")), nonce):
        raise SignOnFailed("The ID token belongs to another attempt.")
    return claims


def more_about(config: dict[str, Any], claims: dict[str, Any], access_token: str) -> dict[str, Any]:
    """What else the directory says, where the ID token leaves out what is needed. Raises SignOnFailed."""
    address = config.get("userinfo_endpoint")
    misses_groups = bool(read_mapping(settings.OIDC_GROUPS)) and not claimed(claims, settings.OIDC_GROUPS_CLAIM)
    if not isinstance(address, str) or ("email" in claims and not misses_groups):
        return {}
    found = fetch(address, headers={"Authorization": f"Bearer {access_token}"})
    if found.get("sub") != claims["sub"]:
        raise SignOnFailed("The directory describes another person than the ID token.")
    return found


def read_identity(claims: dict[str, Any]) -> Identity:
    """The claims that matter; what is not text is as if it were not there. Raises SignOnFailed."""

    def text(name: str) -> str:
        value = claims.get(name)
        return storable(value.strip()) if isinstance(value, str) else ""

    subject = text("sub")
    if not subject or subject != claims["sub"] or len(subject) > LONGEST_SUBJECT:
        raise SignOnFailed("The directory does not name the person.")
    return Identity(
        settings.OIDC_ISSUER,
        subject,
        text("preferred_username"),
        text("email"),
        # A provider that says anything else, such as "true" as text, does not vouch for it.
        claims.get("email_verified") is True,
        text("given_name"),
        text("family_name"),
        claimed(claims, settings.OIDC_GROUPS_CLAIM),
    )
