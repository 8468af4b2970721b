"""A run as the result files of the benchmark format's own runner, in a ZIP (benchmark-pack 12).

Each agent, and of several trials each number, has a folder of its own with one record a case in `candidates.jsonl`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from packs.formats.abilities import CASE_COMPILERS, CompiledCase
from runs.engine.events import KEPT
from runs.models import Run, Trial, TrialStatus
from runs.replay.trajectories.candidates import FILE, TIMED_OUT, WORKSPACES, left_by, workspace_name
from runs.results.exporting.zipping import zipped

COMPILER = CASE_COMPILERS["benchmark_pack"]
BATCH = 100
# Longer files are gathered on the disk.
MOST_IN_MEMORY = 1 << 22
# What an agent of a family hands in; a text of all others.
PATCHES, FOLDERS = frozenset({"repo_patch"}), frozenset({"terminal_task"})
VERDICTS = {TrialStatus.PASSED: True, TrialStatus.FAILED: False}
TIMEOUT_CODE = 124
# What the verifiers tell of their streams stands beside their metadata.
STREAMS = ("stdout", "stderr")

Json = dict[str, Any]


def as_candidates(run: Run) -> Iterator[bytes]:
    """The ZIP in pieces, with every trial that has ended and the workspaces that are kept of them."""
    return zipped(files_of(run))


def files_of(run: Run) -> Iterator[tuple[str, bytes | IO[bytes]]]:
    """The files of all folders, one folder after the other."""
    for folder, trials in groupby(trials_of(run), key=folder_of):
        with SpooledTemporaryFile(MOST_IN_MEMORY) as lines:
            for trial in trials:
                record = candidate_of(trial)
                lines.write(json.dumps(record, sort_keys=True).encode() + b"\n")
                left = left_in(trial) if record.get("candidate_workspace") else {}
                for path, data in left.items():
                    yield f"{folder}/{WORKSPACES}/{workspace_name(trial.case_key)}/{path}", data
            lines.seek(0)
            yield f"{folder}/{FILE}", lines


def trials_of(run: Run) -> Iterator[Trial]:
    """The trials of a run that have ended, in the order of their cases; not those that people stopped."""
    rows = run.trials.filter(finished_at__isnull=False).exclude(status=TrialStatus.CANCELLED)
    ordered_rows = rows.order_by("run_agent__position", "number", "case_position").select_related("run_agent")
    for trial in ordered_rows.select_related("case", "record").iterator(chunk_size=BATCH):
        trial.run = run
        yield trial


def folder_of(trial: Trial) -> str:
    """Where the records of an agent stand; of its further trials in folders of their own."""
    agent = re.sub(r"[^A-Za-z0-9_.-]+", "-", trial.run_agent.name).strip("-.") or "agent"
    return f"run-{trial.run_id}/{trial.run_agent.position + 1}-{agent}" + (
        f"-{trial.number}" if trial.number > 1 else ""
    )


def left_in(trial: Trial) -> dict[str, bytes]:
    """The workspace that came with an imported trial, or that the engine took; empty where none is kept."""
    kept = getattr(trial, "record", None)
    if kept is not None:
        return left_by(kept.record) or {}
    taken = trial.events.filter(event_type=KEPT).order_by("-sequence").values_list("payload", flat=True).first()
    return left_by(taken or {}) or {}


def candidate_of(trial: Trial) -> Json:
    """One trial as a record; an imported one as it came, with the verdict that it has here."""
    kept = getattr(trial, "record", None)
    came: Mapping[str, Any] = kept.record.get("candidate", {}) if kept is not None else {}
    compiled = compiled_of(trial)
    if came:
        reported = {name: value for name, value in came.items() if name not in JUDGED}
        return reported | (judged(trial, compiled) if "failure_reason" not in came else failed_of(came))
    record = {**about(trial, compiled), **handed_in(trial, compiled)}
    return record | (failure(trial) if has_failed(trial) else judged(trial, compiled))


JUDGED = ("verification_status", "passed", "score", "verifier_stdout", "verifier_stderr", "verifier_metadata")


def failed_of(came: Mapping[str, Any]) -> Json:
    """What a record says of a producer that failed: nothing was verified, so nothing else can be said here."""
    return {name: came[name] for name in JUDGED if name in came}


def compiled_of(trial: Trial) -> CompiledCase:
    """The row of a trial in compiled form."""
    return COMPILER.compiled_case(trial.run.version.document, trial.case.document if trial.case else {})


def about(trial: Trial, compiled: CompiledCase) -> Json:
    return {
        "run_id": f"run-{trial.run_id}",
        "task_id": trial.case_key,
        "benchmark_id": compiled.benchmark_id,
        "task_type": compiled.task_type,
        "resource_summary": compiled.summary(),
        "hidden_values": COMPILER.REDACTED,
        "producer_stdout": trial.final_output,
        "producer_stderr": "",
        "producer_metadata": {
            **{"agent": trial.run_agent.name, "harness": trial.run_agent.kind, "trial": trial.number},
            **({"finish_reason": trial.finish_reason} if trial.finish_reason else {}),
        },
    }


def handed_in(trial: Trial, compiled: CompiledCase) -> Json:
    """The candidate: a text, a patch, or the name of a workspace."""
    family = compiled.task_type
    kind = "patch" if family in PATCHES else "workspace" if family in FOLDERS else "text"
    given: Json = {"candidate_text": None, "candidate_patch": None, "candidate_workspace": None}
    if has_failed(trial) or (kind == "workspace" and verifier_of(trial).get("field") == "candidate"):
        return given
    handed = f"{WORKSPACES}/{workspace_name(trial.case_key)}" if kind == "workspace" else trial.final_output
    return given | {f"candidate_{kind}": handed}


def verifier_of(trial: Trial) -> Mapping[str, Any]:
    """What the verifier tells of its verdict."""
    details = trial.scorecard.get("validator_details") or [{}]
    return details[0].get("evidence") or {}


def has_failed(trial: Trial) -> bool:
    """Whether the agent itself failed, so that there is no candidate."""
    return trial.status == TrialStatus.FAILED and trial.fault == "agent" and trial.stop_reason != "completed"


def failure(trial: Trial) -> Json:
    """A producer that failed or ran out of time."""
    is_late = trial.stop_reason == "timeout"
    reported = {"agent": trial.run_agent.name, "harness": trial.run_agent.kind, "trial": trial.number}
    late: Json = (
        {"timed_out": True, "timeout_seconds": round(trial.seconds or 0.0, 3), "exit_code": TIMEOUT_CODE}
        if is_late
        else {}
    )
    return {
        "verification_status": "failed",
        "passed": False,
        "score": 0.0,
        "failure_reason": TIMED_OUT if is_late else trial.stop_reason,
        "failure_phase": "producer",
        "failure_message": trial.error,
        "producer_metadata": {**reported, "command": None, "phase": "producer", **late},
    }


def judged(trial: Trial, compiled: CompiledCase) -> Json:
    """What the verifier said; a trial without a verdict is pending."""
    passed = VERDICTS.get(TrialStatus(trial.status))
    if passed is None:
        return {"verification_status": "pending"}
    evidence = verifier_of(trial)
    metadata = {name: value for name, value in evidence.items() if name not in STREAMS}
    return {
        "verification_status": "passed" if passed else "failed",
        "passed": passed,
        "score": 1.0 if passed else 0.0,
        **{f"verifier_{name}": str(evidence.get(name) or "") for name in STREAMS},
        "verifier_metadata": redacted(metadata, compiled.withheld()),
    }


def redacted(value: Any, secrets: list[Any], name: str = "") -> Any:
    """The value without what only graders may see, at any depth (benchmark-pack 12)."""
    if name == "expected_answer" or any(type(value) is type(secret) and value == secret for secret in secrets):
        return COMPILER.REDACTED
    if isinstance(value, dict):
        return {key: redacted(item, secrets, key) for key, item in value.items()}
    return [redacted(item, secrets) for item in value] if isinstance(value, list) else value
