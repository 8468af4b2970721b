"""What docker-compose.yml promises about the containers of a studio (docs/deployment.md)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
FILE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = FILE["services"]
STUDIO = {"prepare", "web", "worker", "beat"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_capabilities_and_has_limits(name):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert service["cpus"]
    assert service["pids_limit"]
    # Workspaces lie in the worker's own file system.
    assert service["read_only"] is (name != "worker")


def test_only_those_who_need_a_server_are_in_its_network():
    inside = {net: {name for name, one in SERVICES.items() if net in one["networks"]} for net in FILE["networks"]}
    assert inside["broker"] == {"web", "worker", "beat", "redis"}
    assert inside["database"] == STUDIO | {"postgres"}
    assert all(FILE["networks"][net]["internal"] for net in ("broker", "database"))
    assert "ports" not in SERVICES["redis"]
    assert "ports" not in SERVICES["postgres"]


def test_redis_asks_for_the_password_that_others_bring():
    needed = "${REDIS_PASSWORD:?set it in .env}"
    assert SERVICES["redis"]["environment"] == {"REDIS_PASSWORD": needed}
    assert '--requirepass "$$REDIS_PASSWORD"' in SERVICES["redis"]["command"]
    assert all(SERVICES[name]["environment"]["REDIS_URL"].startswith(f"redis://:{needed}@") for name in ("web", "beat"))


def test_programs_do_not_get_the_network_of_the_worker():
    assert SERVICES["worker"]["environment"]["PACKWRIGHT_SANDBOX_NETWORK"] == "false"


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"prepare"}))
def test_what_runs_on_has_a_health_check(name):
    assert SERVICES[name]["healthcheck"]["test"]


def test_images_have_exact_versions():
    named = [one["image"] for name, one in SERVICES.items() if name not in STUDIO]
    named += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.M)
    assert [image for image in named if not re.search(r":\d+\.\d+(\.\d+)?-", image)] == []


def test_the_images_are_of_the_lines_that_the_studio_is_kept_on():
    lines = re.findall(r"^FROM (\w+:\d+)", (ROOT / "Dockerfile").read_text(), re.M)
    lines += [SERVICES[name]["image"].split(".")[0] for name in ("postgres", "redis")]
    assert lines == ["node:22", "python:3", "postgres:17", "redis:8"]


def test_each_service_gets_only_its_own_variables():
    assert [name for name in SERVICES if "env_file" in SERVICES[name]] == []
    given = {name: set(SERVICES[name]["environment"]) for name in SERVICES}
    secrets = {"PACKWRIGHT_ENCRYPTION_KEY", "AWS_SECRET_ACCESS_KEY"}
    assert not given["beat"] & secrets
    assert "REDIS_URL" not in given["prepare"]
    passwords = {(name, variable) for name in STUDIO for variable in given[name] if "PASSWORD" in variable}
    assert passwords == {("prepare", "PACKWRIGHT_ADMIN_PASSWORD")}


def test_every_setting_reaches_some_process():
    table = (ROOT / "docs/settings.md").read_text()
    listed = set(re.findall(r"^\| `((?:PACKWRIGHT_|DATABASE|REDIS)\w*)`", table, re.M))
    given = {variable for name in STUDIO for variable in SERVICES[name]["environment"]}
    # The image says where static files are; Django's debug mode is not for teams.
    assert listed - given == {"PACKWRIGHT_STATIC", "PACKWRIGHT_DEBUG"}


def filled(value: str) -> str:
    """A value with what .env gives: a long text for each variable that must be set, the default of any other."""
    value = re.sub(r"\$\{\w+:\?[^}]*\}", "0123456789abcdef" * 4, value)
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


@pytest.mark.parametrize("name", sorted(STUDIO))
def test_the_settings_of_a_service_have_no_warning(name, tmp_path):
    given = {key: filled(value) for key, value in SERVICES[name]["environment"].items() if value is not None}
    variables = {**given, "PATH": os.environ["PATH"], "PACKWRIGHT_VAR": str(tmp_path)}
    if name != "web":
        # These answer no browser, so that nobody says how one reaches them.
        variables["PACKWRIGHT_HTTPS"] = "true"
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, "no issues" in done.stdout) == (0, True), done.stderr


def test_the_file_for_bubblewrap_loosens_the_filters_of_the_worker_and_nothing_else():
    more = yaml.safe_load((ROOT / "docker-compose.bubblewrap.yml").read_text())
    assert list(more) == ["services"]
    assert list(more["services"]) == ["worker"]
    assert more["services"]["worker"] == {
        "security_opt": ["seccomp=unconfined", "apparmor=unconfined", "systempaths=unconfined"],
        "environment": {"PACKWRIGHT_SANDBOX": "bubblewrap"},
    }
