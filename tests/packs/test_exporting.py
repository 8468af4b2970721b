import io
import zipfile

import pytest

from packs import blobs, editing, exporting
from packs.formats.document import NodeKind
from packs.importing import confirm, import_pack, preview
from packs.publish import publish
from tests.packs.drafts import pack_text

FILES = {"pack.yaml": b"# words\n" + pack_text(), "notes/a.txt": b"hello"}


@pytest.fixture
def draft(team, author):
    return import_pack(team, author, FILES, "folder")


def test_a_folder_is_exported_with_its_other_files(draft):
    export = exporting.export_draft(draft)
    assert set(export.files) == set(FILES)
    assert not export.is_single
    assert export.digest == blobs.digest_of_files(export.files)


def test_a_zip_is_the_same_bytes_every_time(draft):
    first, second = (exporting.zipped(exporting.export_draft(draft)) for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.read("notes/a.txt") == b"hello"


def test_the_imported_files_come_back_where_nothing_was_edited(draft):
    export = exporting.export_draft(draft, preserve=True)
    assert export.is_source
    assert dict(export.files) == FILES


def test_a_version_is_exported_as_it_was_published(draft, author):
    before = exporting.export_draft(draft)
    version = publish(draft, author)
    draft.cases.all().delete()
    export = exporting.export_version(version)
    assert dict(export.files) == dict(before.files)
    assert export.digest == before.digest


def test_a_draft_that_was_never_imported_has_no_source(draft):
    draft.source = None
    assert exporting.source_files(draft) == {}
    assert not exporting.export_draft(draft, preserve=True).is_source


def test_an_edit_makes_only_its_own_file_canonical(team, author):
    suite = b"# kept\ntests: ./cases\nname: two\n"
    case = b"input: Hi   # first\ncriteria: Greets\n"
    files = {"two.eval.yaml": suite, "cases/a/case.yaml": case, "cases/b/case.yaml": case}
    draft = import_pack(team, author, files, "folder")
    row = draft.cases.get(key="a")
    editing.apply(draft, [editing.Change(NodeKind.CASE, row.pk, "/criteria", "Greets back")], author)
    export = exporting.export_draft(draft, preserve=True)
    assert export.files["two.eval.yaml"] == suite
    assert export.files["cases/b/case.yaml"] == case
    assert export.files["cases/a/case.yaml"] == b"criteria: Greets back\ninput: Hi\n"
    assert export.kept == {"two.eval.yaml", "cases/b/case.yaml"}
    assert not export.is_source


def test_a_file_keeps_the_name_under_which_it_was_imported(team, author):
    draft = import_pack(team, author, {"mine.yaml": b"# words\n" + pack_text()}, "mine.yaml")
    assert set(exporting.export_draft(draft, preserve=True).files) == {"mine.yaml"}
    editing.apply(draft, [editing.Change(NodeKind.PACK, draft.pk, "/pack/name", "Another")], author)
    export = exporting.export_draft(draft, preserve=True)
    assert set(export.files) == {"mine.yaml"}
    assert b"# words" not in export.files["mine.yaml"]


# Packs to less than a thousandth of its size, as a recording of silence does.
SILENCE = b"\0" * (6 * 1024 * 1024)


def test_a_file_that_packs_well_is_in_the_version_and_in_the_source(team, author):
    found = preview(team, author, {**FILES, "notes/silence.wav": SILENCE}, "folder")
    draft = confirm(author, found.token)
    assert draft.files.filter(path="notes/silence.wav").exists()
    assert exporting.source_files(draft)["notes/silence.wav"] == SILENCE
    assert exporting.export_version(publish(draft, author)).files["notes/silence.wav"] == SILENCE
