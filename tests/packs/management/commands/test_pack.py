import io
import json
import zipfile

import pytest
from django.core.management import call_command
from django.db import connection

from packs.editing import remove_node
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.mirror import read_tree
from packs.models import Edit, Pack, PackStatus, PackVersion
from tests.corpora import corpus_folder
from tests.packs.drafts import pack_text
from tests.packs.suites import draft_of_suite

VALID = [path for path in sorted(corpus_folder("challenge-pack").glob("*.yaml")) if "vectors" not in path.name]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "parcels.yaml"
    path.write_bytes(pack_text())
    return path


def run(*arguments):
    """Exit code and standard output of `manage.py pack ...`."""
    out = io.StringIO()
    try:
        call_command("pack", *map(str, arguments), stdout=out, stderr=io.StringIO())
    except SystemExit as stop:
        return stop.code, out.getvalue()
    return 0, out.getvalue()


def test_import_makes_a_draft_and_says_so_in_one_json_document(team, file):
    code, out = run("import", file, "--slug", "mine", "--json")
    assert code == 0
    facts = json.loads(out)
    assert (facts["slug"], facts["cases"], facts["errors"], facts["version"]) == ("mine", 3, 0, None)
    assert Pack.objects.get(slug="mine").cases.count() == 3


def test_import_publishes_where_asked(team, author, file):
    assert run("import", file, "--publish", "--user", author.username)[0] == 0
    assert PackVersion.objects.get().published_by == author


def test_a_refused_import_ends_with_one_and_lists_the_findings(team, tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_bytes(b"pack: [")
    code, out = run("import", path, "--format", "challenge_pack", "--json")
    assert code == 1
    assert json.loads(out)["findings"][0]["line"]
    assert not Pack.objects.exists()


def test_a_refused_publication_ends_with_one_and_keeps_the_draft(team, file):
    run("import", file, "--publish")
    code, out = run("import", file, "--publish", "--json")
    assert code == 1
    assert json.loads(out)["code"] == "challenge_pack_version_exists"
    assert not Edit.objects.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "nowhere.yaml"],
        ["import", "{file}", "--team", "unknown"],
        ["import", "{file}", "--user", "nobody"],
        ["export", "unknown"],
        ["export", "parcels@9"],
        ["export", "parcels@x"],
    ],
)
def test_wrong_usage_ends_with_two(team, author, file, arguments):
    import_pack(team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    assert run(*[argument.format(file=file) for argument in arguments])[0] == 2


def test_packs_are_listed_with_their_newest_versions(team, other_team, file):
    run("import", file, "--publish")
    run("import", file, "--slug", "again")
    Pack.objects.filter(slug="again").update(status=PackStatus.ARCHIVED)
    [listed] = json.loads(run("list", "--json")[1])["packs"]
    assert {name: listed[name] for name in ("slug", "team", "format", "version")} == {
        "slug": "parcels",
        "team": "default",
        "format": "challenge_pack",
        "version": 1,
    }
    assert listed["cases"] > 0
    shown = run("list", "--archived")[1].splitlines()
    assert [line.split("  ")[0] for line in shown] == ["slug: again", "slug: parcels"]
    assert "version" not in shown[0]
    assert run("list", "--team", "other") == (0, "There are no such packs.\n")


def test_a_pack_that_is_not_there_comes_with_those_that_are(team, file):
    run("import", file)
    for arguments in (["export", "parcel"], ["diff", "parcel", "parcels"]):
        code, out = run(*arguments, "--json")
        error = json.loads(out)["error"]
        assert (code, error["code"], error["choices"]) == (2, "unknown_pack", [{"pack": "parcels"}])


def test_export_writes_a_folder_a_zip_or_the_file_itself(team, file, tmp_path):
    run("import", file, "--publish")
    assert run("export", "parcels", "-o", tmp_path / "out")[0] == 0
    assert run("export", "parcels@1", "-o", tmp_path / "out.zip")[0] == 0
    folder = (tmp_path / "out" / "pack.yaml").read_text()
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.read("pack.yaml").decode() == folder
    assert run("export", "parcels") == (0, folder)


def test_export_gives_the_imported_bytes_back(team, tmp_path):
    path = tmp_path / "parcels.yaml"
    path.write_bytes(b"# words\n" + pack_text())
    run("import", path)
    run("export", "parcels", "--preserve", "-o", tmp_path / "out")
    assert (tmp_path / "out" / "parcels.yaml").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("option", [["--preserve"], ["--variant", "next"]])
def test_a_version_is_written_in_no_other_way_than_it_was_published(team, file, tmp_path, option):
    run("import", file, "--publish")
    assert run("export", "parcels@1", *option, "-o", tmp_path / "out")[0] == 2
    assert not (tmp_path / "out").exists()


def test_export_writes_another_variant_and_tells_what_is_lost(team, author, tmp_path):
    draft_of_suite(team, author)
    told = io.StringIO()
    call_command(
        "pack", "export", "widgets", "--variant", "pinned", "-o", str(tmp_path / "out"), stdout=told, stderr=told
    )
    assert b"repo: https://example.org/widget.git" in (tmp_path / "out" / "widgets.eval.yaml").read_bytes()
    assert "workspace.repos[0].clone.depth" in told.getvalue()
    assert run("export", "widgets", "--variant", "ancient")[0] == 2


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_every_real_pack_gets_the_rows_that_the_function_makes(team, author, path):
    assert run("import", path, "--slug", "by-command")[0] == 0
    other = import_pack(team, author, {path.name: path.read_bytes()}, path.name, slug="by-function")
    assert read_tree(Pack.objects.get(slug="by-command")) == read_tree(other)


@pytest.mark.parametrize("arguments", [["import", "nowhere.yaml"], ["export", "x"], ["export", "x", "--team", "y"]])
def test_wrong_usage_is_one_document_where_json_is_wanted(team, arguments):
    code, out = run(*arguments, "--json")
    assert code == 2
    assert json.loads(out)["error"]["message"]


def test_a_database_that_was_not_prepared_is_trouble_of_the_machine_and_not_of_the_pack(team, file):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE packs_team RENAME TO packs_elsewhere")
    code, out = run("import", file, "--json")
    assert code == 3
    assert json.loads(out)["error"]["code"] == "database"


def test_diff_compares_a_version_with_the_draft_and_with_a_file(team, author, file):
    run("import", file, "--publish", "--user", author.username)
    draft = Pack.objects.get()
    remove_node(draft, NodeKind.CASE, draft.cases.get(key="case-1").pk, author)
    code, out = run("diff", "parcels@1", "parcels")
    assert (code, out.splitlines()) == (1, ["case hubs/case-1: removed", "1 case removed."])
    code, out = run("diff", file, "parcels@1", "--json")
    assert (code, json.loads(out)) == (0, {"summary": "Nothing is different.", "count": 0, "nodes": []})


def test_diff_needs_two_packs_of_one_format_that_are_there(team, author, file):
    run("import", file)
    draft_of_suite(team, author)
    other = Pack.objects.exclude(slug="parcels").get().slug
    for names in (("parcels@7", "parcels"), ("parcels", "none"), ("parcels", other)):
        assert run("diff", *names)[0] == 2
