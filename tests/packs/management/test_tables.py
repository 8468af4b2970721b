import io
import json

import pytest
from django.core.management import call_command

from packs.formats.tables.texts import OTHER_ENCODING
from packs.models import Pack
from tests.packs.grid.benchmark import grid_draft


@pytest.fixture
def table(tmp_path):
    def write(text, name="parcel desk.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def run(*arguments):
    """Exit code, and all that `manage.py pack table ...` says."""
    out = io.StringIO()
    try:
        call_command("pack", "table", *map(str, arguments), stdout=out, stderr=out)
    except SystemExit as stop:
        return stop.code, out.getvalue()
    return 0, out.getvalue()


def test_a_file_becomes_a_pack_of_its_name(team, table):
    path = table("Frage;Stand\nWhere is PX-1?;Leeds\n")
    asked = ("--format", "agentv", "--map", "Stand=answer", "--json")
    code, out = run(path, *asked, "--dry-run")
    assert (code, json.loads(out)["added"], Pack.objects.count()) == (0, 1, 0)
    code, out = run(path, *asked)
    assert (code, json.loads(out)["slug"], json.loads(out)["mapping"]["Stand"]) == (0, "parcel-desk", "answer")
    assert Pack.objects.get().cases.count() == 1


def test_bad_rows_are_named_and_the_command_ends_with_1(team, table):
    code, out = run(table("question,answer\na?,x\nb?,\n"), "--title", "New")
    assert code == 1
    assert "parcel desk.csv:3: error table.E001" in out
    assert not Pack.objects.exists()


def test_rows_go_into_a_draft(team, table):
    draft = grid_draft(team)
    path = table("id,question,accepted_answers\nnew,When?,now\n")
    assert run(path, "--into", "rows", "--dry-run")[0] == 0
    assert draft.cases.count() == 6
    assert run(path, "--into", "rows", "--input-set", draft.input_sets.get().key)[0] == 0
    assert draft.cases.count() == 7
    assert run(path, "--into", "rows", "--input-set", "none")[0] == 2
    assert run(path, "--into", "none")[0] == 2


def test_a_table_in_another_encoding_says_how_it_was_read(team, tmp_path):
    grid_draft(team)
    path = tmp_path / "parcels.csv"
    path.write_bytes("question,answer\nWo ist Jürgen?,Köln\n".encode("cp1252"))
    for asked in (("--title", "New"), ("--into", "rows")):
        assert json.loads(run(path, *asked, "--json", "--dry-run")[1])["note"] == OTHER_ENCODING
        assert OTHER_ENCODING in run(path, *asked)[1]


@pytest.mark.parametrize("asked", [("--map", "nonsense"), ("--map", "None=answer"), ("--map", "question=nothing")])
def test_words_that_say_nothing_are_wrong_usage(team, table, asked):
    assert run(table("question,answer\na?,x\n"), *asked)[0] == 2


def test_a_check_that_a_format_has_not_is_wrong_usage(team, table):
    assert run(table("question,answer\na?,x\n"), "--format", "benchmark_pack", "--check", "regex_match")[0] == 2


@pytest.mark.parametrize("asked", [("--check", "contains", "--into", "rows"), ("--adds-only",)])
def test_an_option_that_nothing_would_look_at_is_wrong_usage(team, table, asked):
    grid_draft(team)
    code, out = run(table("question,answer\na?,x\n"), *asked)
    assert (code, asked[0] in out) == (2, True)


def test_rows_for_a_draft_say_which_check_their_right_answers_get(team, table):
    grid_draft(team)
    out = run(table("question,answer\na?,x\n"), "--into", "rows", "--json")[1]
    assert json.loads(out)["check"] == "contains"


def test_a_table_that_cannot_be_read_is_not_said_to_have_a_wrong_line(team, tmp_path):
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 and no more")
    code, out = run(path)
    assert (code, "table.E003" in out, "line" in out) == (1, True, False)
