"""Files of a pack's folder that are changed one by one."""

import pytest

from packs.editing import undo
from packs.editing.files import file_content, set_file
from packs.importing import import_pack
from tests.packs.drafts import draft_of

pytestmark = pytest.mark.django_db
SUITE = b"tests:\n- id: one\n  criteria: It says hello.\n  input: Say hello.\n"


def test_a_file_that_nothing_declares_is_written_and_taken_back(team, author):
    pack = draft_of(team)
    set_file(pack, "notes.txt", b"one", author)
    set_file(pack, "notes.txt", b"two", author)
    before = pack.revision
    set_file(pack, "notes.txt", b"two", author)
    assert (file_content(pack, "notes.txt"), pack.revision) == (b"two", before)
    undo(pack, author)
    assert file_content(pack, "notes.txt") == b"one"
    undo(pack, author)
    assert file_content(pack, "notes.txt") is None


def test_an_asset_that_declares_the_path_keeps_declaring_it(team, author):
    pack = import_pack(team, author, {"suite.eval.yaml": SUITE, "notes.txt": b"one"}, "suite")
    set_file(pack, "notes.txt", b"two", author)
    assert file_content(pack, "notes.txt") == b"two"
    assert [asset.path for asset in pack.assets.all()] == ["notes.txt"]
    assert not pack.files.exists()
