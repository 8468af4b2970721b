"""The rooms of the studio: what the rail and the command palette lead to."""

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse


@dataclass(frozen=True, slots=True)
class Room:
    """A page to go to. `key` is its key sequence; `marks` are starts of view names that belong to it."""

    label: str
    icon: str
    url_name: str
    key: str = ""
    marks: tuple[str, ...] = ()


RAIL = (
    Room(
        "Packs",
        "package",
        "packs:catalogue",
        "g p",
        (
            "packs",
            "runs:pack-delete",
            "runs:try",
            "runs:gate",
            "runs:trends",
            "runs:badge",
            "runs:items",
            "runs:cause",
            "runs:judge",
            "runs:pro",
        ),
    ),
    Room("Runs", "circle-play", "runs:list", "g r", ("runs",)),
    Room("Reviews", "list-checks", "runs:reviews", "g v", ("runs:review", "runs:turn")),
    Room("Agents", "bot", "runs:agents", "g a", ("runs:agent", "runs:connection", "runs:secret")),
)
STAFF_RAIL = (
    Room("Curation", "shield-check", "admin:index", "g c", ("admin",)),
    Room("Ops", "activity", "studio:ops", "g o", ("studio:ops", "studio:workers")),
)
# Starts of view names that belong to no room of the rail.
ELSEWHERE = ("runs:notification", "runs:webhook", "runs:bin")
OTHER_PAGES = (
    Room("Home", "layout-list", "studio:home"),
    Room("Import a pack", "upload", "packs:import"),
    Room("New pack", "package-plus", "packs:new"),
    Room("Start a run", "play", "runs:new"),
    Room("Waiting for people", "user", "runs:turns"),
    Room("Connections", "link", "runs:connections"),
    Room("Account and keys", "key-round", "studio:account"),
    Room("Teams and members", "users", "studio:teams"),
    Room("Notifications", "bell", "runs:notifications"),
    Room("API reference", "braces", "api-reference"),
    Room("Workers", "server", "studio:workers"),
)


# Where pages of packs lead beyond themselves, by the names that they know.
PLACES = {
    "launch": "runs:new",
    "runs": "runs:list",
    "run": "runs:show",
    "gates": "runs:gates",
    "delete-pack": "runs:pack-delete",
    "trends": "runs:trends",
    "try": "runs:try",
    "try-check": "runs:try-check",
    "proof": "runs:proof",
    "prove-case": "runs:prove-case",
    "trial": "runs:trial",
    "replay": "runs:replay",
}


def address(url_name: str, *args: object) -> str:
    """The address of a page; empty when no such page is installed."""
    try:
        return reverse(url_name, args=args)
    except NoReverseMatch:
        return ""


def is_current(room: Room, view_name: str) -> bool:
    """Whether a page belongs to a room; the longest mark wins, so that agents are not runs."""
    marks = (*ELSEWHERE, *(mark for each in RAIL + STAFF_RAIL for mark in each.marks))
    marked = [mark for mark in marks if view_name.startswith(mark)]
    return bool(marked) and max(marked, key=len) in room.marks
