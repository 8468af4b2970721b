"""The words of a replay: which event opens, closes or is a step of which kind (challenge-pack h.4)."""

SCHEMA_VERSION = "2026-03-16"

# Kind of step -> the letter that stands for it in an index.
KINDS = {
    "run": "r",
    "agent_step": "a",
    "model_call": "m",
    "tool_call": "t",
    "sandbox_command": "c",
    "sandbox_file": "f",
    "output": "o",
    "scoring": "s",
    "scoring_metric": "k",
    "event": "e",
}
LETTERS = {letter: kind for kind, letter in KINDS.items()}

STARTS = {
    "system.run.started": "run",
    "system.step.started": "agent_step",
    "model.call.started": "model_call",
    "tool.call.started": "tool_call",
    "sandbox.command.started": "sandbox_command",
    "scoring.started": "scoring",
}
ENDS = {
    "system.run.completed": ("run", "completed"),
    "system.run.failed": ("run", "failed"),
    "system.step.completed": ("agent_step", "completed"),
    "model.call.completed": ("model_call", "completed"),
    "tool.call.completed": ("tool_call", "completed"),
    "tool.call.failed": ("tool_call", "failed"),
    "sandbox.command.completed": ("sandbox_command", "completed"),
    "sandbox.command.failed": ("sandbox_command", "failed"),
    "scoring.completed": ("scoring", "completed"),
    "scoring.failed": ("scoring", "failed"),
}
MOMENTS = {
    "sandbox.file.read": "sandbox_file",
    "sandbox.file.written": "sandbox_file",
    "sandbox.file.listed": "sandbox_file",
    "system.output.finalized": "output",
    "scoring.metric.recorded": "scoring_metric",
}
TERMINAL = {
    "system.run.completed": "completed",
    "system.run.failed": "failed",
    "scoring.completed": "completed",
    "scoring.failed": "failed",
}

HEADLINES = {
    "system.run.started": "Run started",
    "system.run.completed": "Run completed",
    "system.run.failed": "Run failed",
    "sandbox.command.started": "Sandbox command",
    "sandbox.command.completed": "Sandbox command",
    "sandbox.command.failed": "Sandbox command",
    "sandbox.file.read": "Sandbox file read",
    "sandbox.file.written": "Sandbox file write",
    "sandbox.file.listed": "Sandbox file listing",
    "system.output.finalized": "Final output finalized",
    "workspace.reset": "Workspace reset",
    "workspace.changed": "Changes of the workspace",
    "workspace.captured": "Files that the agent left",
    "grader.verification.files_restored": "Files of graders put back",
    "scoring.started": "Scoring started",
    "scoring.completed": "Scoring completed",
    "scoring.failed": "Scoring failed",
}
INTERRUPTED = {
    "run": "Run",
    "model_call": "Model call",
    "tool_call": "Tool call",
    "sandbox_command": "Sandbox command",
    "scoring": "Scoring",
}

# Counter of a summary -> the kinds of step that it counts.
COUNTERS = {
    "agent_steps": ("a",),
    "model_calls": ("m",),
    "tool_calls": ("t",),
    "sandbox_commands": ("c",),
    "sandbox_file_events": ("f",),
    "outputs": ("o",),
    "scoring_events": ("s", "k"),
}

# Letters of the states of a step: open, completed, failed, and a moment (one event that neither opens nor closes).
OPEN, COMPLETED, FAILED, MOMENT = "r", "c", "f", "p"
STATE_LETTERS = {"completed": COMPLETED, "failed": FAILED}
