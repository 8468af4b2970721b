import subprocess
import sys

import pytest
from django.core.management import call_command

from studio.first_start import ADMINISTRATOR
from tests.services import ROOT, Studio, free_port


@pytest.mark.django_db
def test_the_administrator_is_named_only_the_first_time(capsys, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    call_command("prepare")
    first = capsys.readouterr().out
    call_command("prepare")
    assert ADMINISTRATOR in first
    assert capsys.readouterr().out == ""


@pytest.mark.services
@pytest.mark.parametrize("command", [["prepare"], ["up", "--no-worker", "--port"]])
def test_a_weak_password_ends_a_first_start_with_a_sentence(tmp_path, command):
    studio = Studio(tmp_path, PACKWRIGHT_ADMIN_PASSWORD="password")
    started = [sys.executable, "manage.py", *command, *([str(free_port())] if command[0] == "up" else [])]
    done = subprocess.run(started, cwd=ROOT, env=studio.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    [said] = [line for line in done.stderr.splitlines() if "PACKWRIGHT_ADMIN_PASSWORD" in line]
    assert said.endswith("Set another, or none to get one.")
    assert "Traceback" not in done.stderr


@pytest.mark.services
@pytest.mark.parametrize("command", [["prepare"], ["up", "--no-worker", "--port"]])
def test_a_wrong_setting_ends_a_start_with_a_sentence(tmp_path, command):
    studio = Studio(tmp_path, PACKWRIGHT_PROXIES="proxy.example")
    started = [sys.executable, "manage.py", *command, *([str(free_port())] if command[0] == "up" else [])]
    done = subprocess.run(started, cwd=ROOT, env=studio.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "(studio.E001) PACKWRIGHT_PROXIES: " in done.stderr
    assert "Traceback" not in done.stderr
