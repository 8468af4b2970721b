import pytest

from packs.formats.characters import storable, without_halves
from packs.formats.findings import Finding, Severity


@pytest.mark.parametrize(
    ("text", "kept"),
    [("a\0b", "a␀b"), ("\ud800a\udfff", "\ufffda\ufffd"), ("é\0🙂\ud83d", "é␀🙂\ufffd"), ("a\tb", "a\tb")],
)
def test_a_text_that_no_database_takes_becomes_one_that_each_takes(text, kept):
    assert storable(text) == kept
    storable(text).encode()


def test_a_finding_about_half_a_character_can_be_written():
    found = Finding("api.half_character", Severity.ERROR, ("a\ud83d",), "\udfff", "\udfff").as_dict()
    assert "".join(str(value) for value in found.values()).isprintable()
    assert (found["path"], without_halves("\udfff")) == ("a\ufffd", found["message"])
