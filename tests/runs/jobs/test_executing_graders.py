"""Every grader that looks at a workspace, in a run with a real program, from the launch to the rows."""

import pytest

from runs.launch.launching import launch
from runs.models import Agent, Grade
from runs.sandbox import bubblewrap
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined"),
]

PACK = """\
pack: {slug: parcels, name: Parcels, family: support}
version:
  number: 1
  tool_policy: {allow_shell: true}
  evaluation_spec:
    name: parcels
    version_number: 1
    judge_mode: deterministic
    post_execution_checks:
      - {key: report, type: file_capture, path: /workspace/out/report.json}
      - {key: draft, type: file_capture, path: draft.txt}
      - {key: tree, type: directory_listing, path: out, recursive: true}
    validators:
      - {key: there, type: file_exists, target: "file:report"}
      - {key: gone, type: file_exists, target: "file:draft", config: {must_exist: false}}
      - {key: holds, type: file_content_match, target: "file:report", expected_from: case.inputs.parcel}
      - {key: shape, type: file_json_schema, target: "file:report", config: {schema: {required: [parcel]}}}
      - {key: tidy, type: directory_structure, target: "file:tree", config: {required_files: [report.json]}}
      - {key: holds_so, type: postcondition, target: "file:report",
         config: {condition: json_path_match, json_path: $.parcel, value: PX-1}}
      - {key: removed, type: postcondition, target: "file:draft", config: {condition: not_exists}}
      - {key: by_text, type: code_execution, target: "file:report",
         config: {test_command: "grep -q {{parcel}} out/report.json && echo 3 passed, 1 failed", pass_threshold: 0.7}}
      - {key: by_json, type: code_execution, target: "file:report",
         config: {test_command: 'echo "{\\"passed\\": 1, \\"failed\\": 1}"'}}
      - {key: by_junit, type: code_execution, target: "file:report",
         config: {test_command: 'echo "<testsuite tests=\\"2\\" failures=\\"0\\" errors=\\"0\\"/>" >&2'}}
      - {key: by_code, type: code_execution, target: "file:report", config: {test_command: "exit 4"}}
      - {key: too_slow, type: code_execution, target: "file:report", config: {test_command: sleep 60, timeout_ms: 200}}
    scorecard: {dimensions: [correctness]}
challenges:
  - {key: locate, title: Locate, category: support, difficulty: easy, instructions: "Report on {{parcel}}."}
input_sets:
  - key: default
    name: Default
    cases:
      - challenge_key: locate
        case_key: one
        inputs: [{key: parcel, kind: text, value: PX-1}]
        payload: {workspace_files: [{path: draft.txt, content: PX-1}]}
"""
DOES_IT = 'mkdir out && printf \'{"parcel": "%s"}\' $(cat draft.txt) > out/report.json && rm draft.txt'


@pytest.fixture
def grades(team, author):
    """The outcome and score of every grader of a trial that a shell line does."""

    def act(line):
        version = publish_text(team, author, PACK)
        agent = Agent.objects.create(team=team, name="shell", kind="command", config={"arguments": ["sh", "-c", line]})
        [trial] = work_off(launch(author, version, [agent])).trials.all()
        assert trial.fault == ""
        return {grade.key: (grade.outcome, grade.score) for grade in Grade.objects.filter(trial=trial)}

    return act


def test_all_of_them_judge_what_a_program_left(grades):
    passed, failed = ("pass", 1.0), ("fail", 0.0)
    assert grades(DOES_IT) == {
        **dict.fromkeys(("there", "gone", "holds", "shape", "tidy", "holds_so", "removed", "by_junit"), passed),
        "by_text": ("pass", 0.75),
        "by_json": ("fail", 0.5),
        "by_code": failed,
        "too_slow": failed,
    }


def test_a_program_that_left_nothing_fails_what_asks_for_files(grades):
    found = grades("true")
    assert {key: found[key][0] for key in ("there", "gone", "tidy", "removed", "by_text")} == dict.fromkeys(
        ("there", "gone", "tidy", "removed", "by_text"), "fail"
    )
    assert found["holds"][0] == "unavailable"
