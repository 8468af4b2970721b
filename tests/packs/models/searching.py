"""What the index of words has to find, and that it equals the rows; a process of its own asks on PostgreSQL."""

import json
import random
import sys

from django.db import connection

from packs import editing
from packs.access import Role
from packs.formats.document import NodeKind
from packs.models import Asset, Case, Pack, SearchEntry, Team
from packs.models.fulltext import is_whole
from packs.models.reindexing import comparisons, searched_models
from packs.words import sought
from tests.packs.drafts import draft_of, random_edit
from tests.people import make_member

KINDS = [model.searched.kind for model in searched_models()]
TEXTS = {
    "quotes": "He said \"stop the presses\" and O'Brien didn't.",
    "paths": r"C:\new\table -> https://example.org/a?b=c#d; x_y-z.tar.gz 50% (AND OR NOT NEAR)",
    "accents": "Der Straße folgt ein Café in Łódź, Ελλάδα и Ёлка",
    "east": "これは日本語のテストです。中文也可以搜索。한국어도 된다",
    "numbers": "Invoice 4711 costs 12.50 EUR on 2024-05-06",
    "escapes": "tab\tline\nend\u0001 half \ud800 emoji 🙂 smile",
    "long": " ".join(f"w{number}" for number in range(3000)),
    "wide": "界" * 3000 + "x" * 3000,
}
# A question, and the cases that it finds.
ASKED = {
    "stop pres": {"quotes"},
    '"the presses"': {"quotes"},
    "o'brien": {"quotes"},
    "didn": {"quotes"},
    "c:\\new\\tab": {"paths"},
    "x_y-z.tar": {"paths"},
    "AND OR": {"paths"},
    "NOT near*": {"paths"},
    "strasse CAFE": {"accents"},
    "ελλαδα елка": {"accents"},
    "日本語": {"east"},
    "検索": set(),
    "搜索": {"east"},
    "文也": {"east"},
    "語": {"east"},
    "한국": {"east"},
    "4711 12.5": {"numbers"},
    "2024-05": {"numbers"},
    "tab line end": {"escapes"},
    "half smil": {"escapes"},
    "w2999": {"long"},
    "w299": {"long"},
    "界界": {"wide"},
    "x" * 3000: {"wide"},
    "presses missing": set(),
    "resses": set(),
    "' OR 1=1 --": set(),
    '"*" ( ) : ^ & | ! <->': set(),
    "%": set(),
    "": set(),
}


def found(question):
    """The kinds and ids of the rows that have the words, the best first."""
    words = sought(question)
    return list(SearchEntry.objects.having(words, KINDS).values_list("kind", "ref")) if words else []


def cases_found(question):
    keys = dict(Case.objects.values_list("pk", "key"))
    return {keys[ref] for kind, ref in found(question) if kind == "case"}


def troubles():
    """Where index and rows differ, kind by kind."""
    wrong = [str(compared) for compared in comparisons() if not compared.is_right]
    return wrong if is_whole(connection) else [*wrong, "the index is not whole"]


def unfound():
    """The questions whose answer is another one."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    wrong = [f"nothing has {question!r}, and it is found" for question in ASKED if found(question)]
    pack = Pack.objects.create(team=team, slug="asked", format="challenge_pack")
    owner = {"pack": pack, "input_set": pack.input_sets.create(position=0)}
    rows = [
        Case(**owner, position=at, key=key, document={"text": [text]}) for at, (key, text) in enumerate(TEXTS.items())
    ]
    Case.objects.bulk_create(rows)
    for question, keys in ASKED.items():
        if cases_found(question) != keys:
            wrong.append(f"{question!r} finds {cases_found(question)}")
    return [*wrong, *badly_ordered(owner)]


def badly_ordered(owner):
    """A name before the rest, a whole word before a beginning, a short text before a long one, then the new."""
    texts = [
        ("filler", "zebra " + " ".join(f"other{number}" for number in range(80))),
        ("begun", "zebrafish"),
        ("brief", "zebra"),
        ("zebra", "named"),
        ("newer", "zebra"),
    ]
    keys = {}
    for key, text in texts:
        keys[Case.objects.create(**owner, position=0, key=key, document={"text": text}).pk] = key
    order = [keys[ref] for kind, ref in found("zebra") if ref in keys and kind == "case"]
    return [] if order[:3] == ["zebra", "newer", "brief"] and len(order) == 5 else [f"zebra is found as {order}"]


def drifted(seed, count):
    """Where the index differs from the rows after random edits, undone and redone, and at the end without the pack."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    author = make_member(team, Role.AUTHOR)
    pack = draft_of(team, slug=f"drift-{seed}")
    chance = random.Random(seed)
    wrong = []
    for number in range(count):
        random_edit(pack, author, chance, number)
        if number % 5 == 4:
            editing.undo(pack, author)
        if number % 10 == 9:
            editing.redo(pack, author)
            wrong += troubles()
    added = editing.add_node(pack, NodeKind.ASSET, author, document={"key": "manual", "path": "papers/handbook.pdf"})
    wrong += [] if found("handb") == [("asset", added.node)] else ["the asset is not found"]
    Asset.objects.filter(pack=pack).update(path="papers/guide.pdf")
    wrong += [] if found("guide") == [("asset", added.node)] and not found("handb") else ["the old path is found"]
    pack.delete()
    return [*wrong, *troubles()]


def tell():
    json.dump([*unfound(), *drifted(1, 60)], sys.stdout)
