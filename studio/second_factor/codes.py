"""Codes of an app, made from a secret and the time (RFC 6238), and recovery codes."""

import secrets
from base64 import b32decode, b32encode
from hmac import compare_digest

import segno
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.utils.safestring import SafeString, mark_safe

# What every app takes for granted: 160 bits, SHA-1, six digits, steps of 30 s.
SECRET_BYTES, DIGITS, STEP_SECONDS = 20, 6, 30
# How many steps the clock of a phone may be off.
DRIFT = 1
RECOVERY_CODES, RECOVERY_BYTES = 10, 10


def new_secret() -> str:
    """A secret as apps take it: Base32."""
    return b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def totp_of(secret: str) -> TOTP:
    return TOTP(b32decode(secret), DIGITS, SHA1(), STEP_SECONDS)


def step_of(secret: str, code: str, at: float) -> int | None:
    """The time step that a code is of, if it counts at a time (seconds since 1970); else None."""
    totp, now = totp_of(secret), int(at // STEP_SECONDS)
    near = range(max(0, now - DRIFT), now + DRIFT + 1)
    fits = [step for step in near if compare_digest(totp.generate(step * STEP_SECONDS), code.encode())]
    return max(fits, default=None)


def link_of(secret: str, account: str, issuer: str) -> str:
    """The `otpauth:` address from which an app learns a secret and what it is for."""
    return totp_of(secret).get_provisioning_uri(account, issuer)


def picture_of(link: str) -> SafeString:
    """An address as a QR code, SVG for a page; dark on light whatever the theme, as cameras want it."""
    drawn = segno.make_qr(link, error="l")
    return mark_safe(drawn.svg_inline(scale=5, dark="#000", light="#fff", title="QR code"))


def new_recovery_code() -> str:
    """80 random bits in groups of four characters: too many to guess, also for who has their digest."""
    text = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def plain(code: str) -> str:
    """A code as it is compared: people type blanks and hyphens where they like."""
    return "".join(each for each in code if each.isalnum()).lower()
