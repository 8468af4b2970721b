"""A small benchmark pack as a draft, for the tests of grids."""

import json

from packs.importing import import_pack

MANIFEST = b"id: parcels\nversion: 1\ndefaults:\n  family: short_answer\n  environment:\n    image: python:3.12-slim\n"


def row(number, **more):
    return {
        "id": f"row-{number}",
        "input": {"question": f"How many parcels are in van {number}?"},
        "eval": {"accepted_answers": [f"{number} parcels"]},
        "metadata": {"level": "hard" if number % 2 else "easy", "weight": number},
        **more,
    }


def rows_of(count):
    return [row(number) for number in range(count)]


def grid_draft(team, rows=None, slug="rows"):
    """A draft of these rows, 6 where none are given."""
    lines = b"".join(json.dumps(item).encode() + b"\n" for item in (rows_of(6) if rows is None else rows))
    return import_pack(team, None, {"manifest.yaml": MANIFEST, "tasks.jsonl": lines}, "rows", slug=slug)
