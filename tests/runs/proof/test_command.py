"""`pack prove`: what it prints, writes and ends with."""

import io
import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from packs.importing.samples import SAMPLES
from runs.proof.command import main
from tests.corpora import ROOT
from tests.runs.proof.makers import EXPECTED, TIDY, challenge


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def loose(tmp_path):
    return write(tmp_path / "loose", challenge({"v": ("contains", EXPECTED)}, ["Leeds", "York"]))


@pytest.fixture
def tight(tmp_path):
    return write(tmp_path / "tight", challenge({"v": TIDY}, ["the Leeds hub"], asked="Answer exactly with the name."))


def write(folder, files):
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def prove(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main(["prove", *map(str, arguments)], out, err)
    return code, out.getvalue(), err.getvalue()


def results(*arguments):
    code, out, _ = prove(*arguments, "--json")
    return code, json.loads(out)["results"]


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.stem)
def test_every_sample_is_proven(path):
    code, [result] = results(path)
    assert [case["reasons"] for case in result["cases"] if case["reasons"]] == []
    assert (code, result["state"]) == (0, "proven")


def test_refuted_cases_end_with_1_and_say_why(loose, tight):
    assert prove(tight)[0] == 0
    code, out, _ = prove(loose)
    assert code == 1
    assert "refuted" in out
    assert "    accepts_everything  It accepts all answers at once" in out
    assert out.endswith(f"{loose}: refuted (2 refuted)\n")


def test_json_has_a_result_for_each_path(loose, tight):
    code, found = results(loose, tight)
    assert code == 1
    assert [(result["path"], result["format"], result["state"]) for result in found] == [
        (str(loose), "challenge_pack", "refuted"),
        (str(tight), "challenge_pack", "proven"),
    ]
    [case] = found[1]["cases"]
    assert (case["input_set"], case["challenge_key"], case["case_key"]) == ("default", "one", "case-1")
    assert case["strength"] == 1.0
    assert {reason["code"] for case in found[0]["cases"] for reason in case["reasons"]} >= {"accepts_everything"}


def test_cases_can_be_chosen(loose):
    assert [case["case_key"] for case in results(loose, "--cases", 1)[1][0]["cases"]] == ["case-1"]
    assert len(results(loose, "--set", "default")[1][0]["cases"]) == 2
    code, _, err = prove(loose, "--set", "other")
    assert (code, "no input set 'other'; there are default" in err) == (2, True)


@pytest.mark.parametrize("arguments", [["--cases", "0"], ["--cases", "x"], []])
def test_wrong_usage_ends_with_2(tmp_path, arguments):
    code, out, err = prove(tmp_path / "missing.yaml", *arguments)
    assert (code, out) == (2, "")
    assert err


def test_a_pack_with_errors_has_findings_and_no_cases(tmp_path):
    path = write(tmp_path / "broken", {"pack.yaml": b"pack: {slug: x}\nversion: {}\nchallenges: []\n"})
    code, [result] = results(path)
    assert (code, result["state"], result["cases"]) == (1, "unproven", [])
    assert result["findings"]


def test_a_proof_yaml_beside_the_pack_is_read_and_its_mistakes_are_findings(loose):
    accepted = [{"code": code, "reason": "Only the name counts."} for code in ("accepts_everything", "accepts_mutant")]
    (loose / "proof.yaml").write_text(json.dumps({"accepts": accepted}))
    code, [result] = results(loose)
    assert (code, result["state"]) == (0, "proven")
    assert {reason["accepted"] for case in result["cases"] for reason in case["accepted"]} == {"Only the name counts."}
    (loose / "proof.yaml").write_text("cases:\n- {case_key: nobody}\n")
    code, [result] = results(loose)
    assert [finding["code"] for finding in result["findings"]] == ["proof.E004"]
    (loose / "proof.yaml").unlink()
    (loose / "pack.proof.yaml").write_text("accept: []\n")
    code, [result] = results(loose / "pack.yaml")
    assert [(finding["code"], finding["file"]) for finding in result["findings"]] == [("proof.E002", "pack.proof.yaml")]


def test_the_junit_report_has_failures_for_refuted_cases(loose, tight, tmp_path):
    report = tmp_path / "proof.xml"
    prove(loose, tight, "--junit", report)
    root = ElementTree.parse(report).getroot()
    assert {suite.get("name"): suite.get("failures") for suite in root} == {str(loose): "2", str(tight): "0"}
    assert root.get("tests") == "3"
    assert "accepts_everything" in root.find(".//failure").text


def test_cases_that_did_not_change_are_not_tried_again(loose, tmp_path):
    first = results(loose)
    [kept] = (tmp_path / "cache").rglob("*.json")
    marked = kept.read_text().replace("It accepts", "It still accepts")
    kept.write_text(marked)
    assert "It still accepts" in json.dumps(results(loose))
    assert results(loose, "--anew") == first
    (loose / "more.txt").write_text("beside")
    assert len(results(loose)[1][0]["cases"]) == 2


def test_the_command_starts_without_django(tight):
    code = (
        "import sys; from runs.proof.command import main; code = main(['prove', sys.argv[1]]);"
        "sys.exit(9 if 'django' in sys.modules else code)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tight)], cwd=ROOT, check=False).returncode == 0


def test_manage_py_knows_the_command():
    shown = subprocess.run(
        [sys.executable, "manage.py", "pack", "--help"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert "prove" in shown.stdout
