"""Texts at rest."""

import pytest

from runs.models.sealing import Unsealable, reseal, seal, unseal


def test_what_is_sealed_can_be_read_again_and_not_without_the_key(settings):
    sealed = seal("sk-planted")
    assert "planted" not in sealed
    assert unseal(sealed) == "sk-planted"
    assert seal("") == unseal("") == ""
    settings.SECRET_KEY = "another one"
    with pytest.raises(Unsealable):
        unseal(sealed)


def test_a_new_key_seals_while_the_old_one_still_opens(settings):
    settings.ENCRYPTION_KEYS = ["the old key"]
    sealed = seal("sk-planted")
    settings.ENCRYPTION_KEYS = ["the new key", "the old key"]
    moved = reseal(sealed)
    settings.ENCRYPTION_KEYS = ["the new key"]
    assert unseal(moved) == "sk-planted"
    with pytest.raises(Unsealable):
        unseal(sealed)
