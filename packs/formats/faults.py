"""Faults that a task wants in the tools of its agent, in words that no format owns."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolFault:
    """A tool of the studio whose first `count` calls fail in a mode: timeout, error, malformed or denied."""

    tool: str
    mode: str
    count: int
