"""What commands import: each in an interpreter of its own, since nothing that was imported goes away again."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packs.drafts import pack_text

ROOT = Path(__file__).resolve().parents[3]
NOT_DJANGO = ("django", "celery", "rest_framework")
HEAVY = (
    "docker",
    "requests",
    "structlog",
    "psycopg",
    "sympy",
    "numpy",
    # What only pages, the API and the timetable need.
    "unfold",
    "django.contrib.admin",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "django_celery_beat",
    # Texts are sealed and opened by few.
    "cryptography",
)
# Rooms of pages and workers.
UNUSED = ("runs.views", "runs.api", "runs.admin", "packs.admin", "packs.views", "packs.jobs", "runs.jobs.tasks")
SHOWING = (
    "celery",
    "httpcore",
    "packs.formats.task",
    "runs.engine.trial",
    "runs.launch",
    "runs.results",
    "packs.formats.agentv",
    "packs.mirror",
    "packs.words",
    "jsonschema_rs",
)
# What works a run off, and what is made of it.
ELSEWHERE = ("httpcore", "runs.engine.trial", "runs.grading.graders", "runs.results", "packs.formats.yamlio")
# What only few runs need when they are started: those of programs, with checkers, or under a quota of money.
SELDOM = ("jsonschema_rs", "runs.sandbox", "runs.launch.casting", "runs.launch.estimating", "packs.formats.testers")


def imported(code, *, database="sqlite:///:memory:"):
    """The names of all modules that some Python code leaves imported."""
    code += "\nimport sys\nprint('\\n' + '\\n'.join(sys.modules), file=sys.__stdout__)"
    settings = {"DJANGO_SETTINGS_MODULE": "studio.settings", "DATABASE_URL": database, "PACKWRIGHT_SECRET_KEY": "-"}
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=settings, capture_output=True, text=True, check=True
    )
    return set(answer.stdout.splitlines())


def running(*arguments):
    """Code that runs a command of `manage.py`, whatever it ends with."""
    return f"""
import contextlib, sys
import manage
sys.argv = ["manage.py", *{arguments!r}]
with contextlib.suppress(SystemExit):
    manage.main()
"""


@pytest.mark.parametrize(
    ("command", "unused"),
    [
        (("run", "show", "1"), (*HEAVY, *UNUSED, *SHOWING)),
        (("run", "start", "parcels"), (*HEAVY, *UNUSED, *ELSEWHERE, *SELDOM, "celery")),
        (("run", "cancel", "1"), (*HEAVY, *UNUSED, *ELSEWHERE, "celery")),
    ],
    ids=lambda value: " ".join(value[:2]),
)
def test_a_command_imports_nothing_that_it_does_not_use(command, unused):
    modules = imported(running(*command))
    assert "runs.models" in modules
    assert sorted(modules & set(unused)) == []


@pytest.mark.parametrize(
    ("module", "unused"),
    [
        ("runs.grading.graders.exact_match", ("runs.grading.graders.agentv.judging", "packs.formats.benchmark_pack")),
        ("runs.agents", ("runs.agents.chat", "httpcore")),
        ("runs.sandbox", ("docker", "runs.sandbox.bubblewrap")),
        ("runs.proof.command", ("docker", "httpcore")),
    ],
)
def test_a_plug_in_is_imported_when_it_is_used(module, unused):
    modules = imported(f"import {module}")
    assert sorted(modules & {*unused, *NOT_DJANGO}) == []


def test_reading_a_trial_loads_no_engine_and_no_client():
    code = "import django; django.setup()\nfrom runs.models import Trial; str(Trial.objects.all().query)"
    modules = imported(code)
    assert (
        sorted(modules & {"docker", "httpcore", "runs.engine", "runs.sandbox.container", "runs.grading.graders"}) == []
    )


def test_checking_a_pack_imports_nothing_that_its_files_do_not_need(tmp_path):
    path = tmp_path / "pack.yaml"
    path.write_bytes(pack_text())
    modules = imported(running("pack", "check", str(path)))
    assert "packs.formats.challenge_pack.checks" in modules
    unused = {"zipfile", "tarfile", "hashlib", "difflib", "re2", "packs.formats.agentv"}
    unused |= {f"packs.formats.{name}" for name in ("task", "comparing", "fixing", "looks", "yamlio.writing", "card")}
    unused |= {f"packs.formats.challenge_pack.{name}" for name in ("compiler", "starters", "failures", "writer")}
    assert sorted(modules & {*NOT_DJANGO, *unused}) == []
