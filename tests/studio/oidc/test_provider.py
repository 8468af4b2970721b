"""What the directory says is believed only where it is signed, fresh, for this studio and for this attempt."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User

from packs.models import AuditEvent
from tests.oidc_server import visit

PAGE = "/sign-in/directory/"


@pytest.mark.parametrize(
    "lies",
    [
        {"iss": "https://other.example.org"},
        {"aud": "another-client"},
        {"azp": "another-client"},
        {"nonce": "of another attempt"},
        {"nonce": None},
        # Long ago: a moment of today would give the test another name in each process.
        {"exp": 1_700_000_000},
        {"exp": None},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 192},
        {"sub": "a\0b"},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_attempt_lets_nobody_in(as_nobody, provider, lies):
    provider.lies = lies
    assert visit(as_nobody, provider).status_code == 422
    assert "_auth_user_id" not in as_nobody.session
    assert not User.objects.exists()
    assert AuditEvent.objects.get(kind="sign_in.failed").subject == "From the directory"


def test_a_token_that_another_signed_lets_nobody_in(as_nobody, provider):
    provider.other_key = ec.generate_private_key(ec.SECP256R1())
    assert visit(as_nobody, provider).status_code == 422
    assert not User.objects.exists()


def test_what_a_token_leaves_out_is_asked_for_and_must_be_of_the_same_person(as_nobody, provider):
    provider.hides = {"email", "email_verified"}
    provider.subject_of_userinfo = "somebody-else"
    assert visit(as_nobody, provider).status_code == 422
    provider.subject_of_userinfo = None
    assert visit(as_nobody, provider).status_code == 302
    assert User.objects.get().email == "robin@example.org"


def test_an_answer_is_taken_once_and_only_from_the_browser_that_left(as_nobody, client, provider):
    address = provider.authorize_of(as_nobody.get(PAGE).headers["Location"])
    assert client.get(address).status_code == 422
    assert as_nobody.get(address.replace("state=", "state=x")).status_code == 422
    assert as_nobody.get(address).status_code == 302
    as_nobody.post("/sign-out/")
    assert as_nobody.get(address).status_code == 422
    assert as_nobody.get("/sign-in/directory/answer/").status_code == 422


def test_an_answer_that_names_another_issuer_is_refused(as_nobody, provider):
    address = provider.authorize_of(as_nobody.get(PAGE).headers["Location"])
    assert as_nobody.get(f"{address}&iss=https://other.example.org").status_code == 422


def test_a_directory_that_refuses_or_calls_itself_otherwise_or_is_away_is_said(as_nobody, provider, settings):
    provider.refuses = True
    assert visit(as_nobody, provider).status_code == 422
    settings.OIDC_ISSUER = provider.issuer.replace("127.0.0.1", "localhost")
    assert as_nobody.get(PAGE).status_code == 503
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    assert as_nobody.get(PAGE).status_code == 503
