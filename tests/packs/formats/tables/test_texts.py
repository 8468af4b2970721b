import pytest

from packs.formats.tables.texts import BROKEN_ENCODING, OTHER_ENCODING, decoded

TEXT = "Frage\tAntwort\nWie groß ist 3 €?\tführt 日本\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_encoding_of_spreadsheets_is_recognised(encoding):
    assert decoded(TEXT.encode(encoding)) == (TEXT, "")
    assert decoded(b"\xfe\xff" + TEXT.encode("utf-16-be")) == (TEXT, "")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_so_is_utf16_without_a_mark(encoding):
    assert decoded(TEXT.encode(encoding)) == (TEXT, "")


def test_what_is_not_utf8_is_read_as_older_spreadsheets_write():
    assert decoded("groß, 3 €, „so“".encode("cp1252")) == ("groß, 3 €, „so“", OTHER_ENCODING)


def test_a_broken_byte_does_not_spoil_the_other_letters():
    assert decoded(TEXT.encode() + b"\xff") == (f"{TEXT}\ufffd", BROKEN_ENCODING)


@pytest.mark.parametrize("size", range(12, 30))
def test_a_beginning_that_cuts_a_character_is_still_utf8(size):
    whole = TEXT.encode()
    assert TEXT.startswith(decoded(whole[:size], is_beginning=True).text)
