import pytest

from packs.formats.identity import is_slug


@pytest.mark.parametrize("text", ["a", "parcel-desk", "Parcel_2", "x" * 120])
def test_slugs_that_an_address_can_hold(text):
    assert is_slug(text)


@pytest.mark.parametrize("text", ["", "a b", "a/b", "..", "ü", "x" * 121, "a\n"])
def test_other_texts_are_no_slugs(text):
    assert not is_slug(text)
