import json
from dataclasses import replace

from packs.formats import adapter_of
from packs.formats.comparing import as_dict, as_lines, compare_packs, notes, summary
from packs.formats.document import NodeKind
from tests.packs.formats.comparing.test_trees import LONG, case, pack

ADAPTER = adapter_of("challenge_pack")
OLD = pack(("s", [case("a", q=1), case("b", q=2), case("c", q=LONG)]))
NEW = pack(("s", [case("a", q=2), case("z", q=LONG), case("n"), case("o")]))


def test_a_summary_counts_what_happened():
    assert summary(compare_packs(ADAPTER, OLD, NEW).nodes) == "2 cases added, 1 removed, 1 renamed, 1 changed."
    assert summary(()) == "Nothing is different."


def test_notes_name_what_happened():
    assert notes(compare_packs(ADAPTER, OLD, NEW).nodes) == (
        "- 2 cases added: n, o\n- 1 case removed: b\n- 1 case renamed: c to z\n- 1 case changed: a"
    )


def test_notes_of_many_changes_stay_short():
    many = pack(("s", [case(f"k{number}") for number in range(1200)]))
    said = notes(compare_packs(ADAPTER, pack(("s", [])), many).nodes)
    assert said == "- 1,200 cases added: k0, k1, k2, k3, k4, k5, k6, k7 and 1,192 more"


def test_of_the_pack_itself_the_fields_are_named():
    nodes = compare_packs(ADAPTER, OLD, replace(OLD, document={"name": "Q", "tags": ["x"]})).nodes
    assert summary(nodes) == "Settings of the pack changed."
    assert notes(nodes) == "- Settings of the pack changed: name, tags"


def test_the_json_of_a_difference_holds_every_field():
    found = json.loads(json.dumps(as_dict(compare_packs(ADAPTER, OLD, NEW).nodes)))
    assert found["summary"].startswith("2 cases added")
    changed = next(node for node in found["nodes"] if node["changes"] == ["changed"])
    assert (changed["kind"], changed["key"], changed["input_set"], changed["challenge"]) == (
        NodeKind.CASE,
        "a",
        "s",
        "c",
    )
    assert changed["fields"] == [{"pointer": "/q", "field": "q", "change": "changed", "before": 1, "after": 2}]
    added = next(node for node in found["nodes"] if node["changes"] == ["added"])
    assert added["after"] == {"challenge_key": "c", "case_key": "n"}


def test_a_terminal_gets_a_line_for_each_node_and_field():
    old = pack(("s", [case("a", q="one two"), case("b", n=1)]))
    new = replace(pack(("s", [case("a", q="one three"), case("b", n=2, l=["x"])])), document={"name": "P", "x": None})
    assert list(as_lines(compare_packs(ADAPTER, old, new))) == [
        "settings of the pack: changed",
        "  x: {+null+}",
        "case s/a: changed",
        "  q: one [-two-]{+three+}",
        "case s/b: changed",
        "  n: [-1-] {+2+}",
        '  l: {+["x"]+}',
        "Settings of the pack changed; 2 cases changed.",
    ]
