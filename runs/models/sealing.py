"""Texts that are stored encrypted: keys of connections and secrets of teams.

The key is derived from each entry of `PACKWRIGHT_ENCRYPTION_KEY`, else from the signing key. The first entry seals; all
of them open, so that a key can be replaced while older rows still need it.
"""

import base64
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

from packs.formats.later import Later

if TYPE_CHECKING:
    from cryptography import fernet
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf import hkdf
else:
    # Few commands seal or open a text, and all load the rows that can hold one.
    fernet = Later("cryptography.fernet")
    hashes, hkdf = Later("cryptography.hazmat.primitives.hashes"), Later("cryptography.hazmat.primitives.kdf.hkdf")

PURPOSE = b"packwright sealed texts"


class Unsealable(Exception):
    """A sealed text that none of the present keys opens; somebody has to set it again."""


@lru_cache(maxsize=4)
def box(keys: tuple[str, ...]) -> "fernet.MultiFernet":
    """What seals and opens with these keys."""
    return fernet.MultiFernet([fernet.Fernet(base64.urlsafe_b64encode(derive(key))) for key in keys])


def derive(key: str) -> bytes:
    """A key of 32 bytes from a text of any length (RFC 5869)."""
    return hkdf.HKDF(hashes.SHA256(), 32, salt=None, info=PURPOSE).derive(key.encode())


def present_box() -> "fernet.MultiFernet":
    return box(tuple(settings.ENCRYPTION_KEYS) or (settings.SECRET_KEY,))


def seal(text: str) -> str:
    """The text, encrypted; an empty one stays empty."""
    return present_box().encrypt(text.encode()).decode() if text else ""


def unseal(sealed: str) -> str:
    """The text again. Raises Unsealable."""
    if not sealed:
        return ""
    try:
        return present_box().decrypt(sealed).decode()
    except fernet.InvalidToken:
        raise Unsealable("A stored key cannot be opened with the present PACKWRIGHT_ENCRYPTION_KEY.") from None


def reseal(sealed: str) -> str:
    """The same text under the first key. Raises Unsealable."""
    return seal(unseal(sealed))
