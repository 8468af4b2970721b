"""Texts that are stored encrypted, each in a `SealedField`: keys of connections, secrets of teams and others.

The key is derived from each entry of `PACKWRIGHT_ENCRYPTION_KEY`, else from the signing key. The first entry seals; all
of them open, so that a key can be replaced while older rows still need it.
"""

import base64
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.db import models

from packs.formats.later import Later

if TYPE_CHECKING:
    from cryptography import fernet
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf import hkdf

    TextField = models.TextField[str, str]
else:
    TextField = models.TextField
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


class SealedField(TextField):
    """A column of texts that `seal` made: what has to be known of all of them finds them by this class.

    Texts that are `remade` by themselves need not be opened: one that no key opens any more is as good as none.
    """

    def __init__(self, *args: Any, remade: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.remade = remade

    def deconstruct(self) -> Any:
        """To the database, and so to migrations, it is a text."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


def sealed_columns() -> Iterator[tuple[type[models.Model], SealedField]]:
    """Every column of sealed texts, with its rows."""
    for model in apps.get_models():
        for field in model._meta.local_fields:
            if isinstance(field, SealedField):
                yield model, field
