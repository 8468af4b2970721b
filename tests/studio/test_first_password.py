import getpass
import io
import re
import stat
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from studio.first_start import ADMINISTRATOR
from tests.people import client_of

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


def prepared(out):
    call_command("prepare", stdout=out)
    return out.getvalue()


def test_a_log_says_where_the_password_lies_and_holds_none(folder):
    first = prepared(io.StringIO())
    path = Path(re.search(r"The password is in (\S+),", first)[1])
    password = path.read_text().strip()
    assert path.parent == folder
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert password not in first
    assert authenticate(username=ADMINISTRATOR, password=password) is not None


def test_the_first_sign_in_of_an_administrator_removes_the_file(client, folder, author):
    path = folder / "first-password"
    path.write_text("x")
    client_of(author)
    assert path.exists()
    author.delete()
    prepared(io.StringIO())
    sent = {"username": ADMINISTRATOR, "password": path.read_text().strip()}
    assert client.post("/sign-in/", sent).status_code == 302
    assert not path.exists()


def test_another_password_set_by_a_command_removes_the_file(folder, monkeypatch):
    prepared(io.StringIO())
    path = folder / "first-password"
    User.objects.create_superuser("second", password="correct battery staple")
    assert path.exists()
    monkeypatch.setattr(getpass, "getpass", lambda prompt: "correct battery staple")
    call_command("changepassword", ADMINISTRATOR, stdout=io.StringIO())
    assert not path.exists()


def test_somebody_at_a_terminal_reads_it_there_and_it_lies_nowhere(folder):
    password = re.search(r"Password:\s+(\S{12,})", prepared(Terminal()))[1]
    assert authenticate(username=ADMINISTRATOR, password=password) is not None
    assert not (folder / "first-password").exists()


def test_the_environment_can_give_it(settings, folder):
    settings.ADMIN_PASSWORD = "correct battery staple"
    said = prepared(io.StringIO())
    assert settings.ADMIN_PASSWORD not in said
    assert authenticate(username=ADMINISTRATOR, password=settings.ADMIN_PASSWORD) is not None
    assert not (folder / "first-password").exists()


def test_a_weak_one_of_the_environment_is_refused(settings):
    settings.ADMIN_PASSWORD = "password"
    with pytest.raises(CommandError, match=r"PACKWRIGHT_ADMIN_PASSWORD is too weak\. This password is too short"):
        prepared(io.StringIO())
    assert authenticate(username=ADMINISTRATOR, password="password") is None
