"""Commands that load no pages."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.services import DATABASE, Studio
from tests.studio.test_celery import NAMES

PREPARE = """
import django; django.setup()
from packs.access import Role
from packs.models import Team
from runs.models import Agent
from tests.people import make_member
from tests.runs.studio_packs import pack_text, publish_text
team = Team.objects.create(slug="default", name="Default")
author = make_member(team, Role.AUTHOR)
Agent.objects.create(team=team, name="echo", kind="echo")
publish_text(team, author, pack_text({"default": 3}))
"""
PAGE = """
import django; django.setup()
from django.contrib.auth.models import User
from django.urls import reverse
from packs.models import PackVersion
from runs.models import Agent
from tests.people import client_of
browser = client_of(User.objects.get())
entered = {"version": PackVersion.objects.get().pk, "agent": Agent.objects.get().pk, "trials": "2"}
assert browser.post(reverse("runs:new"), entered, headers={"host": "localhost"}).status_code == 302
"""
# What is different in every run, and what signing in writes.
OF_EACH = {"id", "ref", "name", "created_at", "enqueued_at", "run_id", "run_agent_id", "trial_id", "user_id"}
OF_SESSIONS = ("auth_user", "django_session", "packs_auditevent", "studio_signin")


@pytest.fixture
def studio(tmp_path):
    studio = Studio(tmp_path)
    studio.python("-c", PREPARE)
    return studio


def rows_of(studio):
    """All rows of the database by table, without what no two runs share."""
    with closing(sqlite3.connect(studio.folder / DATABASE)) as database:
        database.row_factory = sqlite3.Row
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in tables if not name.startswith(("sqlite_", "packs_searchwords", *OF_SESSIONS))]
        return {name: [dict(row) for row in database.execute(f'SELECT * FROM "{name}"')] for name in names}


def added(before, after):
    """The rows of a table that were not there before, as texts without what no two runs share."""
    found = {}
    for name, rows in after.items():
        known = [json.dumps(row, sort_keys=True, default=str) for row in before[name]]
        new = [row for row in rows if json.dumps(row, sort_keys=True, default=str) not in known]
        if new:
            found[name] = [{key: value for key, value in row.items() if key not in OF_EACH} for row in new]
    return found


def messages(studio):
    """The jobs for which messages wait where workers take them."""
    found = [json.loads(path.read_text()) for path in sorted((studio.folder / "queue").glob("*.celery.msg"))]
    return [message["headers"]["task"] for message in found]


def test_a_command_starts_a_run_with_the_same_rows_and_messages_as_the_page(studio):
    before = rows_of(studio)
    studio.python("-c", PAGE)
    between, sent = rows_of(studio), messages(studio)
    studio.manage("run", "start", "parcels", "--agent", "echo", "--trials", "2", "--user", "author-default")
    by_page, by_command = added(before, between), added(between, rows_of(studio))
    assert len(by_command["runs_trial"]) == 6
    assert by_command == by_page
    assert set(sent) <= set(NAMES)
    assert messages(studio) == sent * 2
    # What renders templates does without the apps of pages as well.
    assert "parcels" in studio.manage("run", "export", "--as", "html", "2").lower()
