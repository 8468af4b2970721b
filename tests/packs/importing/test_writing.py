import pytest

from packs import blobs, editing, exporting
from packs.formats import FORMATS, adapter_of
from packs.formats.archives import read_path, read_upload
from packs.formats.beginning import EXAMPLE
from packs.formats.document import NodeKind
from packs.importing import ImportRefused, create_pack, import_pack
from packs.mirror import read_tree
from packs.models import Blob, Case, Edit, Pack
from packs.publish import PublishRefused, publish
from tests.corpora import corpus_folder
from tests.packs.drafts import pack_text

VALID = sorted(corpus_folder("challenge-pack").glob("*.yaml"))
PACKS = [path for path in VALID if "vectors" not in path.name]


def ids(pack):
    return set(pack.cases.values_list("pk", flat=True))


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_a_real_pack_comes_back_from_the_rows_unchanged(team, author, path):
    files, _ = read_path(path)
    tree, _ = adapter_of("challenge_pack").load(files)
    row = import_pack(team, author, files, path.name)
    assert read_tree(row) == tree
    assert row.problem_errors == 0
    assert (row.checked_revision, row.revision) == (1, 1)


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_export_import_and_export_again_are_the_same_bytes(team, author, path):
    files, _ = read_path(path)
    first = exporting.export_draft(import_pack(team, author, files, path.name))
    again = import_pack(team, author, first.files, "again.yaml", slug="again")
    second = exporting.export_draft(again)
    assert second.files == first.files
    assert second.digest == first.digest


def test_the_bytes_that_were_imported_are_kept(team, author):
    data = b"# a comment\n" + pack_text()
    row = import_pack(team, author, {"my pack.yaml": data}, "my pack.yaml")
    assert blobs.read(row.source) == data
    assert row.source_name == "my pack.yaml"


def test_several_files_are_kept_as_one_archive(team, author):
    files = {"pack.yaml": pack_text(), "notes/readme.txt": b"hello"}
    row = import_pack(team, author, files, "folder")
    assert dict(read_upload(row.source_name, blobs.read(row.source))[0]) == files
    assert [file.path for file in read_tree(row).files] == ["notes/readme.txt"]


def test_a_draft_may_be_imported_with_errors(team, author):
    row = import_pack(team, author, {"pack.yaml": pack_text().replace(b"difficulty: easy", b"difficulty: odd")}, "p")
    assert row.problem_errors == 1
    assert row.challenges.get().error_count == 1


@pytest.mark.parametrize(
    "data", [b"", b"- a list", b"pack: {", b"\0", pack_text().replace(b"  slug: parcels", b"  slug: a\n  slug: b")]
)
def test_nothing_is_written_when_files_cannot_be_read_whole(team, author, data):
    with pytest.raises(ImportRefused) as refused:
        import_pack(team, author, {"pack.yaml": data}, "pack.yaml", format="challenge_pack")
    assert any(finding.is_error for finding in refused.value.findings)
    assert not Pack.objects.exists()
    assert not Blob.objects.exists()


@pytest.mark.parametrize("slug", ["a b", "ü", "x" * 121, "../up"])
def test_a_slug_that_no_address_can_hold_is_refused(team, author, slug):
    with pytest.raises(ImportRefused) as refused:
        import_pack(team, author, {"pack.yaml": pack_text()}, "pack.yaml", slug=slug)
    assert [finding.code for finding in refused.value.findings] == ["pack.E012"]


def test_a_second_import_changes_the_draft_and_one_undo_takes_it_back(team, author):
    row = import_pack(team, author, {"pack.yaml": pack_text(4)}, "one.yaml")
    before, rows, source = read_tree(row), ids(row), row.source_id
    changed = pack_text(6).replace(b"Where is parcel case-2?", b"Where?").replace(b"name: Parcels", b"name: Letters")
    changed = changed.replace(b"case_key: case-0", b"case_key: first")
    again = import_pack(team, author, {"pack.yaml": changed}, "two.yaml")
    assert again.pk == row.pk
    assert read_tree(again) == adapter_of("challenge_pack").load({"pack.yaml": changed})[0]
    assert len(ids(again) & rows) == 3
    assert again.title == "Letters"
    assert (again.revision, again.source_id) == Pack.objects.values_list("revision", "source").get(pk=row.pk)
    assert Edit.objects.values("group").distinct().count() == 1
    editing.undo(again, author)
    again.refresh_from_db()
    assert read_tree(again) == before
    assert ids(again) == rows
    assert again.source_id == source
    editing.redo(again, author)
    assert read_tree(again) == adapter_of("challenge_pack").load({"pack.yaml": changed})[0]


def test_the_same_import_twice_changes_nothing(team, author):
    import_pack(team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    row = import_pack(team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    assert row.revision == 1
    assert not Edit.objects.exists()


def test_an_import_in_another_order_moves_the_cases_it_must(team, author):
    row = import_pack(team, author, {"pack.yaml": pack_text(5)}, "pack.yaml")
    rows = ids(row)
    tree = read_tree(row)
    (cases,) = (input_set.cases for input_set in tree.input_sets)
    lines = adapter_of("challenge_pack").dump(tree)["pack.yaml"].decode()
    head, *parts = lines.split("      - challenge_key:")
    turned = head + "".join("      - challenge_key:" + part for part in reversed(parts))
    row = import_pack(team, author, {"pack.yaml": turned.encode()}, "pack.yaml")
    assert [case.key for case in read_tree(row).input_sets[0].cases] == [case.key for case in reversed(cases)]
    assert ids(row) == rows
    editing.undo(row, author)
    assert read_tree(row) == tree


def test_teams_may_have_packs_of_one_slug(team, other_team, author):
    one = import_pack(team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    two = import_pack(other_team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    assert one.slug == two.slug
    assert one.pk != two.pk


def test_a_new_pack_starts_whole_and_without_errors(team, author):
    row = create_pack(team, author, "challenge_pack", "Parcel desk", first=EXAMPLE)
    assert (row.slug, row.title, row.problem_errors) == ("parcel-desk", "Parcel desk", 0)
    assert Case.objects.filter(pack=row).exists()
    with pytest.raises(ImportRefused):
        create_pack(team, author, "challenge_pack", "Parcel desk", "parcel-desk")


@pytest.mark.parametrize("name", FORMATS)
def test_a_new_pack_without_answers_is_not_published(team, author, name):
    row = create_pack(team, author, name, "Parcel desk")
    assert Case.objects.filter(pack=row).count() == 1
    with pytest.raises(PublishRefused, match="has errors"):
        publish(row, author)


def test_an_edited_draft_and_a_copy_of_its_export_are_equal(team, author):
    row = import_pack(team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    case = row.cases.first()
    change = editing.Change(NodeKind.CASE, case.pk, "/payload", {"no": "no", "1e3": 1e3, "x": [1, 1.5, None, True]})
    editing.apply(row, [change], author)
    copy = import_pack(team, author, exporting.export_draft(row).files, "copy", slug="copy")
    assert read_tree(copy) == read_tree(row)
