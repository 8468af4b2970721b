"""Codes as RFC 6238 has them, and recovery codes."""

from base64 import b32encode
from urllib.parse import parse_qs, urlsplit

import pytest

from studio.second_factor.codes import (
    STEP_SECONDS,
    link_of,
    new_recovery_code,
    new_secret,
    picture_of,
    plain,
    step_of,
)

# The secret of appendix B, and its codes of SHA-1, of which apps show the last six digits.
SECRET = b32encode(b"12345678901234567890").decode()
VECTORS = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}


@pytest.mark.parametrize(("at", "code"), VECTORS.items())
def test_codes_are_those_of_the_standard(at, code):
    assert step_of(SECRET, code[-6:], at) == at // STEP_SECONDS


def test_a_clock_may_be_one_step_off_and_no_more():
    at, code = 1111111111, "050471"
    found = [step_of(SECRET, code, at + steps * STEP_SECONDS) for steps in range(-2, 3)]
    assert found == [None, at // STEP_SECONDS, at // STEP_SECONDS, at // STEP_SECONDS, None]


@pytest.mark.parametrize("code", ["", "50471", "0504710", "14050471", "\uff10\uff15\uff10\uff14\uff17\uff11", "05047a"])
def test_what_is_no_code_is_of_no_step(code):
    assert step_of(SECRET, code, 1111111111) is None


def test_the_qr_code_is_an_address_that_apps_read():
    secret = new_secret()
    link = link_of(secret, "robin", "Packwright packs.example.org")
    read = urlsplit(link)
    assert (read.scheme, read.netloc) == ("otpauth", "totp")
    assert parse_qs(read.query)["secret"] == [secret]
    assert parse_qs(read.query)["issuer"] == ["Packwright packs.example.org"]
    assert picture_of(link).startswith("<svg")
    assert picture_of(link) != picture_of(link_of(new_secret(), "robin", "Packwright packs.example.org"))


def test_recovery_codes_are_read_however_they_are_typed():
    code = new_recovery_code()
    assert code != new_recovery_code()
    assert plain(f" {code.upper().replace('-', ' ')} ") == plain(code)
    assert len(plain(code)) == 16
