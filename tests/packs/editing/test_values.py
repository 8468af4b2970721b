import uuid

from packs.editing.values import ABSENT, Applied, EditRefused


def test_edits_are_written_when_they_have_a_group():
    assert not Applied(revision=1).is_written
    assert Applied(revision=2, group=uuid.uuid4()).is_written


def test_absence_is_not_null():
    assert ABSENT is not None
    assert ABSENT != None  # noqa: E711 - the comparison itself is what is promised


def test_a_refusal_says_which():
    error = EditRefused("bad_pointer", "no such place")
    assert (error.code, str(error)) == ("bad_pointer", "no such place")
