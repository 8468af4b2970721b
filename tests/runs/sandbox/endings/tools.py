"""Endings that leave what test tools read by themselves."""

import os

from tests.runs.sandbox.endings.tricks import FORGED, LIES, SHELL, attempt, ending, put

HOOKS = """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    report.outcome, report.longrepr = "passed", None

def pytest_sessionfinish(session, exitstatus):
    session.exitstatus = 0
"""


@ending
def a_conftest_that_ends_the_session():
    put("conftest.py", FORGED)
    put("tests/conftest.py", FORGED)


@ending
def a_conftest_with_hooks():
    put("conftest.py", HOOKS)
    put("tests/conftest.py", HOOKS)


@ending
def a_conftest_in_a_conftest_folder():
    put("tests/conftest/__init__.py", HOOKS)
    put("conftest/__init__.py", HOOKS)


@ending
def settings_of_pytest():
    put("evil.py", HOOKS)
    for name, section in (
        ("pytest.ini", "[pytest]"),
        (".pytest.ini", "[pytest]"),
        ("tox.ini", "[pytest]"),
        ("setup.cfg", "[tool:pytest]"),
    ):
        put(name, f"{section}\naddopts = -p evil --collect-only\npythonpath = .\n")
    put("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-p evil --collect-only"\npythonpath = "."\n')


@ending
def settings_among_others():
    put("evil.py", HOOKS)
    put("pyproject.toml", '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-p evil"\npythonpath = "."\n')


@ending
def settings_that_take_no_tests():
    put("pytest.ini", "[pytest]\npython_functions = nothing\npython_files = nothing.py\ntestpaths = nowhere\n")


@ending
def a_plugin_that_is_installed():
    put("evil-1.dist-info/entry_points.txt", "[pytest11]\nevil = evil\n")
    put("evil-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    put("evil.py", HOOKS)


@ending
def another_pytest():
    put("pytest.py", FORGED)
    put("_pytest/__init__.py", FORGED)


@ending
def another_unittest():
    put("unittest/__init__.py", FORGED)
    put("unittest/__main__.py", FORGED)


@ending
def files_of_builders():
    rule = "\n".join(["%:", *(f"\t@echo '{lie}'" for lie in LIES), ""])
    for name in ("GNUmakefile", "makefile", "Makefile"):
        put(name, rule)
    put("package.json", '{"scripts": {"test": "echo 5 passed", "pretest": "exit 0"}}')
    put(".npmrc", "script-shell=./evil.sh\n")
    for name in ("noxfile.py", "setup.py", "tasks.py", "dodo.py", "fabfile.py"):
        put(name, FORGED)


@ending
def hooks_of_git():
    if attempt(os.system, "git init -q . >/dev/null 2>&1") == 0:
        put("evil.sh", f"#!/bin/sh\n{SHELL}")
        with open(".git/config", "a") as opened:
            opened.write("[core]\n\tfsmonitor = ./evil.sh\n\thooksPath = hooks\n[alias]\n\tapply = !./evil.sh\n")
    for name in ("pre-commit", "post-checkout", "post-commit", "reference-transaction"):
        put(f"hooks/{name}", f"#!/bin/sh\n{SHELL}")
    put(".gitattributes", "* filter=evil diff=evil\n")
    put(".gitconfig", "[alias]\n\tapply = !echo 5 passed\n")
