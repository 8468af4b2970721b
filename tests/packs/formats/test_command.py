import io
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from packs.formats import command
from packs.formats.archives import write_zip
from tests.packs.formats.test_checking import PACK

ROOT = Path(__file__).parents[3]


def run(*argv):
    out, err = io.StringIO(), io.StringIO()
    code = command.main([str(part) for part in argv], out, err)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.yaml"
    path.write_bytes(PACK)
    return path


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_bytes(PACK.replace(b"slug: parcels", b"slug: ''"))
    return path


def test_check_says_where_each_finding_is_and_exits_with_one(good, bad):
    assert run("check", good)[0] == command.FINE
    code, out, err = run("check", good, bad)
    assert (code, err) == (command.FINDINGS, "")
    assert any(line.startswith("bad.yaml:1:") and "(pack.slug)" in line for line in out.splitlines())


def test_check_prints_one_json_document_with_a_result_for_each_path(good, bad):
    code, out, _ = run("check", good, bad, "--json")
    assert code == command.FINDINGS
    first, second = orjson.loads(out)["results"]
    assert (first["path"], first["format"], first["valid"]) == (str(good), "challenge_pack", True)
    assert not second["valid"]
    errors = [finding for finding in second["findings"] if finding["severity"] == "error"]
    assert [(finding["path"], finding["rule"], finding["line"]) for finding in errors] == [("pack.slug", "B1", 1)]
    assert set(errors[0]) == {"file", "line", "column", "severity", "code", "rule", "path", "message", "hint"}


@pytest.mark.parametrize(
    "argv",
    [[], ["nonsense"], ["check"], ["check", "/no/such/file"], ["fmt", "a", "b"], ["check", "x", "--format", "zzz"]],
)
def test_wrong_usage_exits_with_two_and_prints_nothing_on_standard_output(argv):
    code, out, err = run(*argv)
    assert (code, out) == (command.USAGE, "")
    assert err


def test_our_own_failure_exits_with_three(good, monkeypatch):
    monkeypatch.setitem(command.FORMATS, "challenge_pack", "packs.formats.no_such_module")
    assert run("check", good)[0] == command.MACHINERY


def test_fmt_writes_in_place_and_a_second_time_changes_nothing(good):
    assert run("fmt", good, "--check")[0] == command.FINDINGS
    assert good.read_bytes() == PACK
    assert run("fmt", good)[0] == command.FINE
    assert good.read_bytes() != PACK
    assert [path.name for path in good.parent.iterdir()] == ["good.yaml"]
    assert run("fmt", good, "--check") == (command.FINE, "", "")


def test_fmt_writes_an_archive_to_a_folder_and_keeps_other_files(tmp_path):
    archive = tmp_path / "p.zip"
    archive.write_bytes(write_zip({"pack.yaml": PACK, "notes/readme.txt": b"hello"}))
    assert run("fmt", archive)[0] == command.USAGE
    assert run("fmt", archive, "-o", tmp_path / "out")[0] == command.FINE
    assert (tmp_path / "out/notes/readme.txt").read_bytes() == b"hello"
    assert run("check", tmp_path / "out")[0] == command.FINE


def test_fmt_writes_no_yaml_into_a_file_of_json(tmp_path):
    path, text = tmp_path / "pack.json", b'{"pack": {"slug": "s", "name": "N", "family": "f"}, "challenges": []}'
    path.write_bytes(text)
    for given in (path, tmp_path):
        assert run("fmt", given)[0] == command.USAGE
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"pack.json": text}
    assert run("fmt", path, "--check")[0] == command.FINDINGS
    assert run("fmt", path, "-o", tmp_path / "out")[0] == command.FINE
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["pack.yaml"]


def test_fmt_as_json_prints_the_files_and_writes_nothing(good):
    code, out, _ = run("fmt", good, "--json")
    assert code == command.FINE
    (text,) = orjson.loads(out)["files"].values()
    assert text.startswith("pack:\n  slug: parcels\n")
    assert good.read_bytes() == PACK


def test_fmt_refuses_a_file_of_which_a_part_would_be_lost(tmp_path):
    path = tmp_path / "pack.yaml"
    text = PACK + b"challenges: []\n"
    path.write_bytes(text)
    assert run("fmt", path)[0] == command.FINDINGS
    assert path.read_bytes() == text
    assert orjson.loads(run("fmt", path, "--json")[1])["files"] == {}


def test_compile_keeps_apart_what_each_side_may_see(good):
    code, out, _ = run("compile", good, "--json")
    (task,) = orjson.loads(out)["tasks"]
    assert code == command.FINE
    assert "Leeds" not in str(task["agent"])
    assert "Leeds" in str(task["graders"])
    assert run("compile", good)[0] == command.FINE


def test_compile_of_an_unknown_input_set_lists_the_choices(good):
    code, _, err = run("compile", good, "--input-set", "other")
    assert code == command.USAGE
    assert "default" in err


@pytest.mark.parametrize(("name", "key"), [("compile", "tasks"), ("stored", "cases")])
def test_a_pack_with_errors_is_not_compiled_and_the_findings_say_why(name, key, bad):
    code, out, _ = run(name, bad, "--json")
    assert code == command.FINDINGS
    answer = orjson.loads(out)
    assert answer[key] == []
    assert [finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"] == ["B1"]


def test_stored_gives_the_document_of_every_case(good):
    code, out, _ = run("stored", good, "--json")
    (case,) = orjson.loads(out)["cases"]
    assert code == command.FINE
    assert (case["input_set"], case["case_key"], case["document"]["schema_version"]) == ("default", "hub", 1)
    assert run("stored", good)[0] == command.FINE


def test_the_commands_load_no_django_and_pass_on_their_exit_code(bad):
    script = (
        "import sys; from packs.formats.command import main; code = main(sys.argv[1:]);"
        "assert not {'django', 'celery'} & set(sys.modules); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "check", bad, "--json"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (command.FINDINGS, b"")
    assert orjson.loads(done.stdout)["results"]


def test_wrong_usage_is_one_document_too_where_json_is_wanted(tmp_path):
    code, out, err = run("check", tmp_path / "nothing.yaml", "--json")
    assert (code, orjson.loads(out)["error"]["code"], err) == (command.USAGE, "usage", "")


FAKE = "a\x1b[31mred\x1b[0m\nfake.yaml:1:1: error\x07\x9b.txt"


def test_no_name_in_an_archive_reaches_the_terminal_as_it_is(tmp_path):
    path = tmp_path / "hostile.zip"
    path.write_bytes(write_zip({"pack.yaml": PACK, FAKE: b"x"}))
    _, out, err = run("check", path)
    assert "a\\x1b[31mred\\x1b[0m\\nfake.yaml:1:1: error\\x07\\x9b.txt: error files.E005" in out
    assert all(character.isprintable() or character == "\n" for character in out + err)
    _, out, _ = run("check", path, "--json")
    assert all(character.isprintable() or character == "\n" for character in out)
    assert orjson.loads(out)["results"][0]["findings"][0]["file"] == FAKE


def test_no_content_of_a_pack_reaches_the_terminal_as_it_is(tmp_path):
    path = tmp_path / "pack.yaml"
    path.write_bytes(PACK.replace(b"case_key: hub", b'case_key: "hub\\e[2J\\u009b\\u202e"'))
    for argv in (("compile", path), ("stored", path), ("stored", path, "--json"), ("check", tmp_path / FAKE)):
        code, out, err = run(*argv)
        assert all(character.isprintable() or character == "\n" for character in out + err)
        assert "\\x1b[2J\\x9b\\u202e" in out or "--json" in argv or code == command.USAGE


def test_what_publishing_would_refuse_is_not_called_fine(tmp_path):
    path = tmp_path / "s.eval.yaml"
    path.write_text("tests:\n  - {id: a, criteria: ok, input: Hi, assertions: [{type: contains}]}\n")
    code, out, _ = run("check", path)
    assert (code, out.splitlines()[-1]) == (
        command.FINDINGS,
        f"{path}: valid, but cannot be published (agentv, 2 other findings)",
    )
    (result,) = orjson.loads(run("check", path, "--json")[1])["results"]
    assert (result["valid"], result["fine"]) == (True, False)
    path.write_text(path.read_text().replace("{type: contains}", "{type: contains, value: a}"))
    assert run("check", path)[0] == command.FINE


def test_diff_shows_what_is_different_and_exits_with_one_where_something_is(good, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(good.read_text() + "# only a comment\n")
    assert run("diff", good, other) == (command.FINE, "Nothing is different.\n", "")
    other.write_text(good.read_text().replace("name: ", "name: New ", 1))
    code, out, _ = run("diff", good, other)
    assert (code, out.splitlines()[-1]) == (command.FINDINGS, "Settings of the pack changed.")
    code, out, _ = run("diff", good, other, "--json")
    (node,) = orjson.loads(out)["nodes"]
    assert (code, node["changes"], node["fields"][0]["change"]) == (command.FINDINGS, ["changed"], "changed")
    assert run("diff", good, tmp_path / "none.yaml")[0] == command.USAGE


def test_one_pack_of_several_is_read_by_its_name(tmp_path):
    path = tmp_path / "both.zip"
    path.write_bytes(write_zip({"one/pack.yaml": PACK, "two/pack.yaml": PACK}))
    code, out, _ = run("check", path)
    assert code == command.FINDINGS
    assert "There are 2 packs here: one, two." in out
    assert run("check", path, "--pack", "two")[0] == command.FINE
    assert run("stored", path, "--pack", "two")[0] == command.FINE
    assert run("compile", path, "--pack", "three")[0] == command.FINDINGS


def test_a_pack_of_several_is_never_written_over_the_others(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yaml").write_bytes(PACK)
    for act in (["fmt"], ["check", "--fix"]):
        assert run(*act, tmp_path, "--pack", "two")[0] == command.USAGE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]
