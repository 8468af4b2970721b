import pytest

from tests.runs.grading.graders.grading import file_captured, graded_on, outcome

ENTRIES = [{"path": "/w/src", "size": 0, "is_dir": True}, {"path": "/w/src/a.py", "size": 9}]
LISTED = ("grader.verification.directory_listed", {"key": "d", "path": "/w/", "entries": ENTRIES})


@pytest.mark.parametrize(
    ("config", "verdict"),
    [
        ({"required_files": ["src/a.py"], "required_directories": ["src/"], "forbidden_files": [".env"]}, "pass"),
        ({"required_files": ["/w/src/a.py"]}, "pass"),
        ({"required_files": ["src/b.py"]}, "fail"),
        ({"forbidden_files": ["src/a.py"]}, "fail"),
        ({"required_directories": ["tests"]}, "fail"),
        ({}, "pass"),
        (None, "pack_error"),
        ({"required_files": "src/a.py"}, "pack_error"),
    ],
)
def test_entries_are_required_and_forbidden_by_name(config, verdict):
    assert outcome(graded_on("directory_structure", [LISTED], "file:d", config=config)) == verdict


def test_a_file_is_no_listing():
    config = {"required_files": ["x"]}
    assert outcome(graded_on("directory_structure", [file_captured("x")], config=config)) == "evaluator_error"
    assert outcome(graded_on("directory_structure", [], config=config)) == "unavailable"
