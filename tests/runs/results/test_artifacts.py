from base64 import b64encode

import pytest

from runs.models import Event, Trial
from runs.results.artifacts import Artifact, artifacts_of
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n\0rest"
DIFF = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n"
DIFF += "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n"


@pytest.fixture
def trial(team, author, version):
    return Trial.objects.filter(run=run_with(team, author, version, {"bot": ["p", "f", "p"]})).first()


def leave(trial, number, kind, **payload):
    at = trial.run.created_at
    Event.objects.create(
        trial=trial, sequence=900 + number, event_type=kind, source="x", occurred_at=at, payload=payload
    )


def test_files_are_put_together_from_all_that_was_kept_of_them(trial):
    leave(trial, 1, "workspace.changed", diff=DIFF, added=["plot.png"], changed=["a.txt"], removed=["gone.txt"])
    leave(
        trial, 2, "grader.verification.file_captured", path="a.txt", exists=True, content="ne", size=3, truncated=True
    )
    leave(trial, 3, "workspace.captured", files={"a.txt": "new", "plot.png": {"base64": b64encode(PNG).decode()}})
    found = {each.path: each for each in artifacts_of(trial)}
    assert list(found) == ["a.txt", "gone.txt", "plot.png"]
    assert (found["a.txt"].text, found["a.txt"].size, found["a.txt"].is_cut) == ("new", 3, False)
    assert found["a.txt"].diff.endswith("+new")
    assert "gone" not in found["a.txt"].diff
    assert (found["gone.txt"].state, found["gone.txt"].content) == ("removed", None)
    assert (found["plot.png"].media, found["plot.png"].text, found["plot.png"].state) == ("image/png", None, "new")


def test_nothing_kept_is_nothing_left(trial):
    leave(trial, 1, "grader.verification.file_captured", path="a.txt", exists=False, content="")
    assert artifacts_of(trial) == []


def test_a_file_is_held_against_what_was_given():
    changed = Artifact("a.txt", b"one\ntwo\n", 8, given=b"one\n")
    assert changed.state == "changed"
    assert changed.diff.splitlines()[-1] == "+two"
    same = Artifact("a.txt", b"one\n", 4, given=b"one\n")
    assert (same.state, same.diff) == ("same", "")
    assert Artifact("b", b"\0", 1, given=b"x").diff == ""


@pytest.mark.parametrize("content", [b"<svg onload='alert(1)'/>", b"<html>", b"GIF", b""])
def test_what_may_run_something_is_no_picture(content):
    assert Artifact("x.png", content).media == ""
