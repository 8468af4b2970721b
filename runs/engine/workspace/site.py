"""Where a trial takes place, and how setting it up can fail."""

from collections.abc import Mapping
from dataclasses import dataclass

from runs.agents.contract import PackProblem


@dataclass(frozen=True, slots=True)
class Site:
    """`run_key` is how programs are told of the run, `agent` the name of who is tried; `sources` are the folders of
    the machine (absolute paths) and the beginnings of URLs that an administrator allows workspaces to be made from."""

    run_key: str = "run"
    sources: tuple[str, ...] = ()
    agent: str = ""


class SetupFailed(PackProblem):
    """The workspace could not be made as the task says. `reason` is a code of agentv H.2, such as script_error."""

    def __init__(self, message: str, reason: str, stage: str = "setup") -> None:
        super().__init__(message)
        self.facts: Mapping[str, str] = {"failure_stage": stage, "failure_reason_code": reason}
