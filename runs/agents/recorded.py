"""Outputs that were made elsewhere, to be graded without running anything."""

from collections.abc import Mapping
from typing import Any

from packs.formats.schema.pieces import block, free_map, items, strict, text
from runs.agents.contract import Config, NotTried, Purpose, Reply, Request, blamed
from runs.replay.causes import Group, cause
from runs.replay.trajectories.candidates import lacks_files, left_by
from runs.replay.trajectories.records import events_of, is_record

LABEL = "Recorded outputs"
HELP = "Grades uploaded outputs, and recorded events where there are any, instead of running an agent."
PURPOSE = Purpose.KNOWN
EXAMPLE = '`{"case_key": "case-one", "output": "Leeds hub"}`'
CONVERSES = True
NEEDS_WORKSPACE = False
RUNS_PROGRAMS = False

ROW = block(
    "Output",
    {
        "case_key": text("Case"),
        "challenge_key": text("Challenge"),
        "input_set": text("Input set"),
        "output": text("Output", widget="multiline"),
        "events": items("Events", {"type": "object"}),
        "trial": free_map(
            "Trial record or trace",
            "In place of output and events: a trial of task suites that took place elsewhere.",
        ),
    },
    required=["case_key"],
)
SCHEMA = strict(
    LABEL,
    {"outputs": items("Outputs", ROW, "One entry a case, as in the rows of `run grade --outputs`.")},
    required=["outputs"],
)


def respond(config: Config, request: Request) -> Reply:
    """The recorded output of the case. Raises NotTried where there is none."""
    task = request.task
    for row in config.get("outputs", []):
        if fits(row, task.input_set_key, task.challenge_key, task.case_key):
            return reply_of(row)
    raise NotTried(f"No output was recorded for case {task.case_key!r}.")


def reply_of(row: Mapping[str, Any]) -> Reply:
    """The reply that a row records. Raises Unreachable for a row without any, and where files are missing."""
    if is_record(row.get("trial")):
        output, events = events_of(row["trial"])
        is_bare = "candidate" in row["trial"]
        if is_bare and lacks_files(row["trial"]):
            message = "The workspace of this trial was not imported, so that it cannot be judged here."
            raise blamed(cause(Group.RECORDING, "no_workspace"), message)
        return Reply(output or "", tuple(events), is_bare, left_by(row["trial"]) if is_bare else None)
    if not isinstance(row.get("output"), str):
        message = f"The row of case {row.get('case_key')!r} holds neither an output nor a trial."
        raise blamed(cause(Group.RECORDING, "no_output"), message)
    return Reply(row["output"], tuple(row.get("events", [])))


def fits(row: Mapping[str, Any], input_set: str, challenge_key: str, case_key: str) -> bool:
    """Whether a row is about this case; a member that the row leaves out fits everything."""
    return (
        row.get("case_key") == case_key
        and row.get("challenge_key", challenge_key) == challenge_key
        and row.get("input_set", input_set) == input_set
    )
