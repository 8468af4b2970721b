"""Ways out of a sandbox, tried for real in every kind that claims to confine."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from runs.sandbox import SANDBOXES
from runs.sandbox.attacks import ATTACKS, attack, open_scene
from runs.sandbox.bubblewrap.etc import open_for_all
from runs.sandbox.contract import Isolation

# `container` has tests of its own: it starts in a second, not in a hundredth.
CONFINING = [name for name, kind in SANDBOXES.items() if kind.ISOLATION is not Isolation.NONE and name != "container"]
# A user that owns nothing.
STRANGER = 57_999
ALL_BY_A_STRANGER = """
import json, sys
from importlib import import_module
from runs.sandbox.attacks import run_attacks
kind = import_module(f"runs.sandbox.{sys.argv[1]}")
trouble = kind.obstacle()
print(json.dumps({"obstacle": trouble, "got": {} if trouble else {r.attack.key: r.got for r in run_attacks(kind)}}))
"""


@pytest.fixture(scope="module")
def scene():
    real = [settings.DATABASES["default"]["NAME"], Path(settings.BASE_DIR, "studio", "settings.py")]
    with open_scene(tuple(map(str, real))) as opened:
        yield opened


@pytest.fixture(params=CONFINING)
def confining(request):
    kind = SANDBOXES[request.param]
    if kind.obstacle():
        pytest.skip(f"{request.param}: {kind.obstacle()}")
    return kind


@pytest.mark.parametrize("key", ATTACKS)
def test_it_gets_nothing(confining, scene, key):
    assert attack(confining, ATTACKS[key], scene) == ""


@pytest.mark.parametrize("key", ["read_files", "read_environments", "use_network", "signal_others", "share_by_number"])
def test_the_same_attack_gets_what_it_wants_where_nothing_confines_it(scene, key):
    assert attack(SANDBOXES["local"], ATTACKS[key], scene) != ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user; without root this is the normal case")
@pytest.mark.parametrize("name", CONFINING)
def test_a_worker_that_is_an_ordinary_user_confines_as_well(name, passable):
    python = Path("/usr/bin/python3")
    if not python.exists():
        pytest.skip("there is no Python that an ordinary user may run")
    home = Path(passable)
    (home / "runs").mkdir()
    (home / "runs" / "__init__.py").touch()
    shutil.copytree(Path(settings.BASE_DIR, "runs", "sandbox"), home / "runs" / "sandbox")
    # The system's Python has none of the libraries that other kinds need.
    (home / "runs" / "sandbox" / "__init__.py").write_text("")
    open_for_all(home)
    told = subprocess.run(
        ["setpriv", "--reuid", str(STRANGER), "--regid", str(STRANGER), "--clear-groups", "--"]
        + [str(python), "-c", ALL_BY_A_STRANGER, name],
        cwd=home, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    if found["obstacle"]:
        pytest.skip(f"{name}: {found['obstacle']}")
    assert {key: got for key, got in found["got"].items() if got} == {}
