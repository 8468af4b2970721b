import orjson
import pytest

from packs.formats import challenge_pack
from packs.formats.challenge_pack.withheld import SIGN, withheld_by

PACK = """\
pack: {slug: desk, name: Desk, family: support}
version:
  number: 1
  execution_mode: native
  assets:
    - {key: list, path: files/list.csv}
    - {key: gold, path: gold/one.txt}
    - {key: other, path: gold/two.txt}
    - {key: checked, path: gold/checked.txt}
    - {key: judged, path: gold/judged.txt}
  evaluation_spec:
    name: desk-v1
    version_number: 1
    judge_mode: hybrid
    validators:
      - {key: v, type: exact_match, target: final_output, expected_from: artifact.checked}
      - {key: ran, type: code_execution, target: "file:report", config: {test_command: diff report gold/one.txt}}
    llm_judges:
      - {key: j, mode: reference, model: gpt-4o-mini, rubric: Like it?, reference_from: artifact.judged.path}
    post_execution_checks: [{key: report, type: file_capture, path: report}]
    scorecard: {dimensions: [correctness]}
challenges:
  - {key: find, title: Find, category: c, difficulty: easy, instructions: Where?, REFS}
input_sets:
  - key: day
    name: Day
    cases:
      - challenge_key: find
        case_key: one
        inputs: [{key: list, kind: file, artifact_key: list}]
        expectations: [{key: answer, kind: file, artifact_key: gold}]
        artifacts: [{key: gold}, {key: checked}, {key: judged}]
      - challenge_key: find
        case_key: two
        inputs: [{key: hint, kind: file, artifact_key: gold}]
        expectations: [{key: answer, kind: file, source: "artifact: other"}]
"""
FILES = {
    "files/list.csv": b"list",
    **{f"gold/{name}.txt": b"gold" for name in ("one", "two", "checked", "judged")},
}


def loaded(refs="artifact_refs: []"):
    pack, findings = challenge_pack.load({"pack.yaml": PACK.replace("REFS", refs).encode(), **FILES})
    assert not [found for found in findings if found.is_error]
    return pack


def placed(task):
    return [file.path for file in task.environment.files]


def test_agents_get_no_asset_that_only_expectations_and_checks_of_any_case_name():
    one, two = challenge_pack.compile_tasks(loaded())
    assert placed(one) == ["files/list.csv"]
    assert placed(two) == ["files/list.csv", "gold/one.txt"]


def test_agents_are_not_told_the_paths_of_withheld_assets_which_are_what_they_stand_for_as_evidence():
    one, two = challenge_pack.compile_tasks(loaded())
    assert "gold" not in orjson.dumps(one.for_agent()).decode()
    listed = [asset["key"] for asset in two.visible["manifest"]["version"]["assets"]]
    assert listed == ["list", "gold"]
    assert {key: asset["path"] for key, asset in one.evidence.assets.items()}["gold"] == "gold/one.txt"


def test_a_reference_of_the_challenge_gives_an_asset_to_agents():
    one, _ = challenge_pack.compile_tasks(loaded("artifact_refs: [{key: checked}]"))
    assert placed(one) == ["files/list.csv", "gold/checked.txt"]


def test_programs_of_graders_find_what_agents_did_not_get():
    one, two = challenge_pack.compile_tasks(loaded())
    files = {grader.key: [file.path for file in grader.files] for grader in one.graders}
    assert files == {"v": [], "ran": ["gold/one.txt", "gold/two.txt", "gold/checked.txt", "gold/judged.txt"]}
    assert two.hidden["assets"] == ["gold/two.txt", "gold/checked.txt", "gold/judged.txt"]


def test_assets_of_challenge_and_case_are_withheld_where_a_check_expects_them():
    own = "assets: [{key: checked, path: own/checked.txt}, {key: free, path: own/free.txt}]"
    files = {**FILES, "own/checked.txt": b"gold", "own/free.txt": b"free"}
    pack, _ = challenge_pack.load({"pack.yaml": PACK.replace("REFS", own).encode(), **files})
    one, _ = challenge_pack.compile_tasks(pack)
    assert placed(one) == ["files/list.csv", "own/free.txt"]
    assert [asset["key"] for asset in one.visible["challenge"]["assets"]] == ["free"]


@pytest.mark.parametrize(
    "case",
    [
        {"expectations": [{"key": "a", "kind": "k", "artifact_key": " gold "}]},
        {"expectations": [{"key": "a", "kind": "k", "source": "artifact: gold"}]},
        {"user_simulator": {"phases": [{"turns": [{"expects": [{"artifact_key": "gold"}]}]}]}},
    ],
)
def test_each_way_of_naming_an_asset_in_an_expectation_withholds_it_and_has_the_sign(case):
    assert list(withheld_by(case)) == ["gold"]
    assert SIGN in orjson.dumps(case).decode()


@pytest.mark.parametrize("case", [{}, {"expectations": 5}, {"expectations": [{"source": "input:x"}]}])
def test_a_case_that_names_no_asset_withholds_none(case):
    assert list(withheld_by(case)) == []
