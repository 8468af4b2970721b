"""What the Helm chart promises: the environment and the commands of docker-compose.yml (docs/deployment.md)."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
CHART = ROOT / "deploy/helm/packwright"
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
ENVIRONMENT = yaml.safe_load((CHART / "environment.yaml").read_text())
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
PROCESSES = ENVIRONMENT["processes"]


def variables(process):
    return [name for group in PROCESSES[process] for name in ENVIRONMENT["groups"][group]]


@pytest.mark.parametrize("process", PROCESSES)
def test_a_process_gets_the_variables_that_compose_gives_it(process):
    assert sorted(variables(process)) == sorted(SERVICES[process]["environment"])


def test_all_processes_of_compose_are_there():
    servers = {"postgres", "redis"}
    assert set(PROCESSES) == set(SERVICES) - servers


def test_what_is_secret_comes_from_a_secret_alone():
    known = {name for process in PROCESSES for name in variables(process)}
    assert set(ENVIRONMENT["secret"]) <= known
    telling = {name for name in known if re.search(r"KEY|PASSWORD|_URL|SMTP|SECRET", name)}
    assert telling == set(ENVIRONMENT["secret"])
    assert not set(VALUES["settings"]) & telling
    assert set(VALUES["settings"]) <= known


@pytest.mark.parametrize("process", ["worker", "beat"])
def test_a_process_runs_the_command_that_compose_runs(process):
    command = SERVICES[process]["command"].replace("${SLOTS:-2}", "{{ .Values.worker.slots }}")
    assert f"exec {command}\n" in (CHART / f"templates/{process}.yaml").read_text()


def test_workers_are_scaled_by_a_figure_that_there_is():
    assert "packwright_queue_age_seconds" in (CHART / "templates/worker.yaml").read_text()
    assert '"queue_age_seconds"' in (ROOT / "studio/metrics/rows.py").read_text()
