import pytest

from runs.engine.custody import put_back
from runs.grading.graders.runners import runners_of
from runs.sandbox import local
from runs.sandbox.contract import Command, Limits, Room, WorkspaceFull

GIVEN = {"tests/test_a.py": b"assert 0\n", "tests/run.sh": b"exit 1\n", "app.py": b"x = 1\n"}
TEXTS = ("python -m pytest -q",)


@pytest.fixture
def left():
    """What is told after an agent ran this shell line in the workspace, and the workspace."""
    with local.open_workspace(Room(files=GIVEN)) as workspace:

        def act(line, texts=TEXTS):
            assert workspace.run(Command(["sh", "-c", line])).exit_code == 0
            return put_back(workspace, runners_of(GIVEN, texts)), workspace

        yield act


def text_of(workspace, path):
    found = workspace.read_file(path, 100)
    return None if found is None else found.content


def test_an_agent_that_touched_nothing_of_the_graders_is_not_spoken_of(left):
    told, workspace = left("echo 'x = 2' > app.py; echo > more.py")
    assert told == {}
    assert text_of(workspace, "app.py") == b"x = 2\n"


def test_what_was_changed_removed_and_added_is_told_with_what_became_of_it(left):
    told, workspace = left("echo exit 0 > tests/run.sh; rm tests/test_a.py; echo import os > conftest.py")
    assert (sorted(told["changed"]), told["added"]) == (["tests/run.sh", "tests/test_a.py"], ["conftest.py"])
    for line in ("-exit 1\n+exit 0\n", "deleted file mode 100644", "+import os\n"):
        assert line in told["diff"]
    assert {path: text_of(workspace, path) for path in GIVEN} == GIVEN
    assert text_of(workspace, "conftest.py") is None


def test_what_stands_in_a_folders_place_is_told_as_gone(left):
    told, workspace = left("rm -r tests; ln -s /etc tests")
    assert "deleted file mode" in told["diff"]
    assert text_of(workspace, "tests/run.sh") == b"exit 1\n"


def test_a_second_time_there_is_nothing_to_tell(left):
    _, workspace = left("echo exit 0 > tests/run.sh")
    assert put_back(workspace, runners_of(GIVEN, TEXTS)) == {}


def test_long_changes_are_cut(left):
    told, _ = left("head -c 900000 /dev/zero | tr '\\0' 'x' > tests/test_a.py")
    assert told["is_cut"]


def test_an_agent_that_leaves_no_place_for_the_tests_hears_of_it():
    limits = Limits(disk_bytes=64 * 1024)
    given = {"tests/test_a.py": b"x" * 32 * 1024}
    with local.open_workspace(Room(files=given, limits=limits)) as workspace:
        workspace.run(Command(["sh", "-c", "rm tests/*; head -c 60000 /dev/zero > full"]))
        with pytest.raises(WorkspaceFull):
            put_back(workspace, runners_of(given, TEXTS))
