"""A provider, and a studio that knows it."""

import pytest

from tests.oidc_server import CLIENT, SECRET, oidc_provider

ROBIN = {
    "sub": "robin-7",
    "preferred_username": "robin",
    "email": "robin@example.org",
    "email_verified": True,
    "given_name": "Robin",
}


@pytest.fixture(scope="session")
def running_provider():
    with oidc_provider() as provider:
        yield provider


@pytest.fixture
def provider(running_provider, settings):
    running_provider.person, running_provider.lies, running_provider.hides = dict(ROBIN), {}, set()
    running_provider.other_key, running_provider.subject_of_userinfo, running_provider.refuses = None, None, False
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = running_provider.issuer, CLIENT, SECRET
    return running_provider
