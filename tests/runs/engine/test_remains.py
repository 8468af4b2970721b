"""Files that an agent left elsewhere, and programs of AgentV evals that judge them (agentv F.7)."""

import io

import orjson
import pytest
import yaml

from runs.management import grading
from runs.sandbox import SANDBOXES

pytestmark = pytest.mark.skipif(
    all(sandbox.obstacle() for sandbox in SANDBOXES.values()), reason="no sandbox can be had here"
)
CHECK = b"""\
import json, os, sys
told = json.load(sys.stdin)
place = os.environ["AGENTV_WORKSPACE_PATH"]
found = os.path.join(place, "src", "answer.txt")
right = os.path.exists(found) and open(found).read() == "42\\n" and told["workspace_path"] == place
print(json.dumps({"score": float(right), "assertions": [{"text": told["file_changes"] or "none", "passed": right}]}))
"""
TEMPLATE = {"evals/start/src/answer.txt": b"41\n", "evals/start/README.md": b"Fix it.\n"}
LEFT = {"src/answer.txt": "42\n", "README.md": "Fix it.\n"}


@pytest.fixture
def grade(tmp_path):
    """Grade what was left against a pack with the given workspace; gives the verdict and the text of the check."""

    def act(files, **workspace):
        asked = [{"name": "check", "type": "code-grader", "command": ["python3", "../graders/check.py"]}]
        suite = {"workspace": workspace, "tests": [{"id": "a", "input": "Fix it.", "assertions": asked}]}
        written = {**TEMPLATE, "graders/check.py": CHECK, "evals/s.eval.yaml": yaml.safe_dump(suite).encode()}
        for name, content in written.items():
            path = tmp_path / "pack" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        row = {"case_key": "a", "output": "Done.", **({} if files is None else {"files": files})}
        outputs, out = tmp_path / "outputs.jsonl", io.StringIO()
        outputs.write_bytes(orjson.dumps(row))
        grading.main(["grade", str(tmp_path / "pack"), "--outputs", str(outputs), "--json"], out, io.StringIO())
        [entry] = orjson.loads(out.getvalue())["results"]
        return entry["verdict"], [check["text"] for check in entry["grades"][0]["evidence"]["row"]["checks"]]

    return act


def test_a_program_judges_the_files_that_were_left(grade):
    assert grade(LEFT, template="./start")[0] == "pass"
    assert grade({**LEFT, "src/answer.txt": "41\n"}, template="./start")[0] == "fail"
    assert grade({}, template="./start")[0] == "fail"


def test_a_program_is_told_what_became_of_the_template(grade):
    _, [told] = grade({"src/answer.txt": "42\n", "new.txt": "new\n"}, template="./start")
    assert "--- a/src/answer.txt\n+++ b/src/answer.txt\n@@ -1 +1 @@\n-41\n+42\n" in told
    assert "--- a/README.md\n+++ /dev/null\n" in told
    assert "+++ b/new.txt\n" in told


@pytest.mark.parametrize(
    "workspace",
    [
        {"repos": [{"path": "./r", "source": {"type": "git", "url": "https://example.org/r.git"}}]},
        {"hooks": {"before_each": {"command": ["python3", "../graders/check.py"]}}},
    ],
    ids=["repository", "hook"],
)
def test_no_changes_are_told_where_the_pack_does_not_hold_what_the_agent_began_with(grade, workspace):
    assert grade(LEFT, template="./start", **workspace) == ("pass", ["none"])
