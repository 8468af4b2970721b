"""What the command palette lists."""

from dataclasses import dataclass

# How many hits a group shows.
LIMIT = 7


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that can be opened."""

    title: str
    url: str
    icon: str
    detail: str = ""
