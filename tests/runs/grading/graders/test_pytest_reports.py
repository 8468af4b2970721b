import os
import subprocess
import sys

import pytest

from runs.grading.graders.pytest_reports import CUT_SHORT, VARIABLE, asking, doubt, is_awaited, read_report

TESTS = """
import unittest
import pytest

@pytest.fixture
def broken():
    yield
    raise ValueError

def test_ok(): pass
def test_bad(): assert 0
def test_end(broken): pass
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.parametrize("x", ["a b::c"])
def test_many(x): pass
class TestOne:
    class TestTwo:
        def test_in(self): pass
class Old(unittest.TestCase):
    def test_old(self): pass
"""


@pytest.fixture
def session(tmp_path):
    """A real session in a folder with these tests, by a shell that asks for a report; its report and its output."""

    def act(text, command="-m pytest -q -p no:cacheprovider tests"):
        (tmp_path / "tests").mkdir()
        (tmp_path / "tests" / "test_it.py").write_text(text)
        environment = {
            "PATH": os.environ["PATH"],
            VARIABLE: f"{tmp_path}/a report",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        line = f"{asking(3)}\n{sys.executable} {command}"
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
        written = tmp_path / "a report.3"
        return (read_report(written.read_bytes()) if written.exists() else None), done

    return act


def test_a_report_has_every_test_by_its_node_id(session):
    report, _ = session(TESTS)
    assert report.tests == {
        "tests/test_it.py::test_ok": "passed",
        "tests/test_it.py::test_bad": "failed",
        "tests/test_it.py::test_end": "error",
        "tests/test_it.py::test_skipped": "skipped",
        "tests/test_it.py::test_many[a b::c]": "passed",
        "tests/test_it.py::TestOne::TestTwo::test_in": "passed",
        "tests/test_it.py::Old::test_old": "passed",
    }
    told = report.as_dict({"tests/test_it.py::test_ok"})
    assert told == {
        "passed": 4,
        "failed": 1,
        "error": 1,
        "skipped": 1,
        "tests": [["tests/test_it.py::test_ok", "passed"]],
    }


def test_a_session_that_was_cut_short_leaves_none(session):
    report, done = session("import os\nos._exit(0)\ndef test_it(): pass")
    assert (report, done.returncode) == (None, 0)


@pytest.mark.parametrize(
    "text",
    [
        "pytest",
        "python -m pytest -q tests",
        "cd a && PYTHONPATH=src python3.12 -m pytest",
        "cd a\n/opt/venv/bin/pytest -x",
        "timeout 60 uv run pytest --cov=src",
        "coverage run -m pytest",
        "(pytest a; pytest b)",
    ],
)
def test_a_line_that_starts_pytest_has_its_report_awaited(text):
    assert is_awaited(text)


@pytest.mark.parametrize(
    "text",
    [
        "sh tests/run.sh",
        "grep -q pytest requirements.txt",
        "pip install pytest",
        "echo 'a; pytest'",
        "python -c 'import pytest; print(pytest.__version__)'",
        "pytest --collect-only",
        "pytest --junitxml=own.xml",
        "pytest || true",
        "! pytest",
        "it's pytest",
        "",
    ],
)
def test_a_line_that_need_not_leave_one_has_not(text):
    assert not is_awaited(text)


@pytest.mark.parametrize("content", [b"", b"<testsuite", b"5 passed", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
def test_what_is_no_report_is_none(content):
    assert read_report(content) is None


@pytest.mark.parametrize(
    ("report", "why"),
    [
        ({}, ""),
        ({"awaited": False, "written": False}, ""),
        ({"awaited": False, "written": True, "failed": 1}, ""),
        ({"awaited": True, "written": True, "passed": 1, "failed": 0, "error": 0}, ""),
        ({"awaited": True, "written": False}, CUT_SHORT),
        ({"awaited": True, "written": True, "passed": 0, "failed": 0, "error": 0}, "pytest ran no tests"),
        (
            {"awaited": True, "written": True, "passed": 1, "failed": 2, "error": 1},
            "ended with code 0, although pytest reports 2 failed and 1 error",
        ),
    ],
)
def test_a_code_of_0_is_believed_where_the_report_says_the_same(report, why):
    assert doubt(report) == why
