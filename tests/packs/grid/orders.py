"""Cases with every kind of value, and how databases sort them; a process of its own does so on PostgreSQL."""

import json
import sys
from itertools import product

from packs.editing.values import ABSENT
from packs.grid.columns import value_in
from packs.grid.sorting import ordered, sorted_ids
from packs.models import SPACING, Case, Pack, Team

TEXTS = [
    "",
    " ",
    "a",
    "A",
    "b",
    "B",
    "Ä",
    "ä",
    "a b",
    "a\tb",
    'a"b',
    "a\\b",
    "a{b",
    "10",
    "9",
    "é",
    "🙂",
    "\u007f",
    "_",
]
NUMBERS = [0, 1, 1.0, -1, 10, 9, 0.1, 1e300, -1e300, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
OTHERS = [True, False, None, [], [1, "a"], ["A"], {}, {"b": 1, "a": [None, True]}, [[]]]
POINTERS = ["/value", "/a.b/c d", "/naïve/x", "/nobody"]


def document_of(value):
    """A document with the value at each of the pointers but the last."""
    return {"id": "row", "value": value, "a.b": {"c d": value}, "naïve": {"x": value, "value": 1}}


def rows_of(documents):
    """The rows of such cases, in their order."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    pack = Pack.objects.create(team=team, slug=f"orders-{Pack.objects.count()}", format="benchmark_pack")
    owner = {"pack": pack, "input_set": pack.input_sets.create(position=0)}
    found = enumerate(documents)
    Case.objects.bulk_create([Case(**owner, position=at * SPACING, document=document) for at, document in found])
    return Case.objects.filter(pack=pack)


def expected(rows, pointer, inherited, descending):
    found = rows.order_by("position").values_list("document", "pk")
    values = ((value_in(document, pointer), pk) for document, pk in found)
    own = ((inherited if value is ABSENT or value is None else value, pk) for value, pk in values)
    return ordered(own, descending=descending)


def differences():
    """Where the database sorts all kinds of values in another way than `ordered`: pointer, inherited, direction."""
    rows = rows_of([*map(document_of, [*TEXTS, *NUMBERS, *OTHERS]), {}, {"value": "z", "a.b": []}, {"a.b": "c d"}])
    found = []
    for pointer, inherited, descending in product(POINTERS, [ABSENT, "aa", 5, ["a"]], [False, True]):
        right = expected(rows, pointer, inherited, descending)
        for limit in (None, 3):
            if sorted_ids(rows, pointer, inherited, descending=descending, limit=limit) != right[:limit]:
                found.append([pointer, str(inherited), descending, limit])
    return found


def tell():
    sys.stdout.write(json.dumps(differences()))
