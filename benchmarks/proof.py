"""How long the proof of many cases takes, and how long where nothing changed since.

`python -m benchmarks proof`. The pack has 1,000 cases with short answers, and a `proof.yaml` with some wrong ones of
each, so that 20 answers beside the reference are tried; `pack prove` takes as many processes as there are cores. The
goals, 20 seconds and then 1, hold for two quiet ones. Exits with 1 when what is known already costs more than a fifth
of what it cost before, or when fewer answers are tried.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from benchmarks.packs import simple_pack

CASES = 1000
# Answers that are tried beside the reference, and how many of them are stated.
PROBES, STATED = 20, 6
GOALS = {"first": 20, "again": 1}
KNOWN = 0.2


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder, "pack.yaml")
        pack.write_bytes(strict(simple_pack(CASES)))
        Path(folder, "pack.proof.yaml").write_bytes(stated(pack))
        settings = os.environ | {"XDG_CACHE_HOME": folder}
        spent, answers = {}, 0
        print(f"{CASES} cases{'seconds':>12}{'goal':>8}{'answers a case':>16}")
        for name, goal in GOALS.items():
            begun = time.perf_counter()
            found = prove(pack, settings)
            spent[name] = time.perf_counter() - begun
            answers = sum(case["tried"] for case in found["cases"])
            print(f"{name:10}{spent[name]:12.2f}{goal:8}{answers / CASES:16.1f}")
    return int(spent["again"] > KNOWN * spent["first"] or answers < (PROBES + 1) * CASES)


def strict(text: bytes) -> bytes:
    """The pack with a check of the whole answer, which mutants and equal answers are tried on."""
    pack = yaml.safe_load(text)
    for validator in pack["version"]["evaluation_spec"]["validators"]:
        validator["type"] = "normalized_match"
    return yaml.safe_dump(pack, sort_keys=False).encode()


def stated(pack: Path) -> bytes:
    """What is wrong at each case of the pack, as a `proof.yaml`."""
    sets = yaml.safe_load(pack.read_bytes())["input_sets"]
    keys = [case["case_key"] for each in sets for case in each["cases"]]
    wrong = [f"None of the {number} hubs" for number in range(STATED)]
    return yaml.safe_dump({"cases": [{"case_key": key, "wrong": wrong} for key in keys]}).encode()


def prove(pack: Path, settings: dict[str, str]) -> dict:
    command = [sys.executable, "manage.py", "pack", "prove", str(pack), "--json"]
    answer = subprocess.run(command, env=settings, stdout=subprocess.PIPE, check=False).stdout
    return json.loads(answer)["results"][0]
