"""code_completion: the candidate's names pass the tests, which run to their end (benchmark-pack 9.5).

The tests and the candidate go through the standard input of a supervisor, so that neither stands in the workspace. The
supervisor starts a runner; only a runner that came to the end of the tests can write the supervisor's token.
"""

import json
from collections.abc import Mapping
from typing import Any

from packs.formats.task import GraderSpec, Task
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import NOTHING, finish
from runs.grading.graders.contract import Grade, Judgement
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.executions import judge_execution
from runs.grading.graders.unusable import no_candidate, unusable

SECONDS = 30.0
FILES = {"candidate_file": "candidate.py", "test_file": "runner", "supervisor_file": "supervisor"}

RUNNER = """
import builtins, importlib.util, json, os, sys
given = json.load(sys.stdin)
own = vars(builtins)
kept = dict(own), list(sys.meta_path), list(sys.path), list(sys.path_hooks), os._exit

def refuse(code):
    raise RuntimeError("os._exit was called while the candidate was imported")

os._exit = refuse
spec = importlib.util.spec_from_file_location("candidate", given["candidate"])
module = importlib.util.module_from_spec(spec)
sys.modules["candidate"] = module
try:
    spec.loader.exec_module(module)
except SystemExit as stop:
    raise RuntimeError("the candidate ended the program while it was imported") from stop
finally:
    own.clear()
    own.update(kept[0])
    sys.meta_path[:], sys.path[:], sys.path_hooks[:], os._exit = kept[1], kept[2], kept[3], kept[4]
names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
exec(compile(given["tests"], "tests", "exec"), {**names, "__name__": "tests", "__builtins__": builtins})
with open(given["marker"], "w") as marker:
    marker.write(given["token"])
"""
SUPERVISOR = """
import json, os, secrets, subprocess, sys, tempfile
given = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as folder:
    candidate, marker, token = os.path.join(folder, "candidate.py"), os.path.join(folder, "marker"), secrets.token_hex()
    with open(candidate, "w", encoding="utf-8") as file:
        file.write(given["candidate"])
    told = {"candidate": candidate, "tests": given["tests"], "marker": marker, "token": token}
    done = subprocess.run([sys.executable, "-I", "-c", given["runner"]], input=json.dumps(told).encode())
    try:
        with open(marker, encoding="utf-8") as file:
            is_whole = file.read() == token
    except OSError:
        is_whole = False
if done.returncode == 0 and not is_whole:
    sys.exit("the tests did not come to their end")
sys.exit(done.returncode if 0 <= done.returncode < 126 else 1)
"""


def trouble(config: Mapping[str, Any], text: str) -> Judgement | None:
    """Why nothing can be verified, in the order in which the format asks; None when it can."""
    if config.get("language", "python") != "python":
        return unusable("input.language", "must be python")
    image = (config.get("environment") or {}).get("image")
    if not isinstance(image, str) or not image.strip():
        return unusable("environment.image", "is needed to verify code")
    if not text.strip():
        return no_candidate("the candidate is empty")
    tests = config.get("tests")
    code = tests.get("code") if isinstance(tests, dict) and tests.get("source") == "inline" else None
    if not isinstance(code, str) or not code.strip():
        return unusable("tests", "need the source inline and code that is not blank")
    return None


def command(spec: GraderSpec, task: Task, output: str) -> GraderCommand | None:
    """The supervisor with all that it needs; None where nothing can be verified."""
    config = spec.config or {}
    if trouble(config, output):
        return None
    given = {"candidate": output.rstrip("\n") + "\n", "tests": config["tests"]["code"], "runner": RUNNER}
    return GraderCommand(
        key=spec.key,
        arguments=("python3", "-I", "-c", SUPERVISOR),
        seconds=SECONDS,
        target=spec.target,
        stdin=json.dumps(given).encode(),
        is_fresh=True,
        facts={"image": config["environment"]["image"], "language": "python", **FILES},
    )


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    actual = evidence.resolve(spec.target)
    found = trouble(spec.config or {}, actual.text or "")
    if found:
        return finish(spec, found, actual)
    execution = evidence.recording.executions.get(spec.key)
    judgement = judge_execution(execution.payload if execution else None, "code_completion", "tests")
    return finish(spec, judgement, NOTHING, NOTHING, execution.source if execution else None)
