"""Where a trial takes place, and how setting it up can fail."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from runs.agents.contract import PackProblem


@dataclass(frozen=True, slots=True)
class Site:
    """`run_key` is how programs are told of the run, `agent` the name of who is tried; `sources` are the folders of
    the machine (absolute paths) and the beginnings of URLs that an administrator allows workspaces to be made from."""

    run_key: str = "run"
    sources: tuple[str, ...] = ()
    agent: str = ""

    def allows_folder(self, path: str) -> bool:
        """Whether a folder of the machine may be read for a workspace."""
        pure = PurePosixPath(path)
        if not pure.is_absolute() or ".." in pure.parts:
            return False
        return any(pure.is_relative_to(source) for source in self.sources if source.startswith("/"))

    def allows_address(self, url: str) -> bool:
        """Whether a repository may be fetched: its URL is an allowed one, or begins with one up to a slash."""
        allowed = [source.rstrip("/") for source in self.sources if not source.startswith("/")]
        return any(url.rstrip("/") == source or url.startswith(f"{source}/") for source in allowed)


class SetupFailed(PackProblem):
    """The workspace could not be made as the task says. `reason` is a code of agentv H.2, such as script_error."""

    def __init__(self, message: str, reason: str, stage: str = "setup") -> None:
        super().__init__(message)
        self.facts: Mapping[str, str] = {"failure_stage": stage, "failure_reason_code": reason}
