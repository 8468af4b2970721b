import re

from packs.formats.names import Asked, followed, in_template

EVIDENCE = {"type": "string", "x-picks": ["final_output", "case.inputs.{inputs}", "file:{captures}"]}
LISTED = {"type": "array", "x-declares": "inputs", "items": {"type": "object", "properties": {"from": EVIDENCE}}}
NAMES = {"q": "query"}


def test_texts_follow_by_their_patterns_and_keep_what_is_around_the_name():
    for before, after in {
        "case.inputs.q": "case.inputs.query",
        " case.inputs. q .deep ": " case.inputs. query .deep ",
        "case.inputs.q.q": "case.inputs.query.q",
        "case.inputs.queue": "case.inputs.queue",
        "case.expectations.q": "case.expectations.q",
        "file:q": "file:q",
        "q": "q",
    }.items():
        assert followed(EVIDENCE, before, "inputs", NAMES) == after
    assert followed(EVIDENCE, "case.inputs.a.b.c", "inputs", {"a.b": "d", "a": "e"}) == "case.inputs.d.c"
    assert followed(EVIDENCE, "file:q.txt", "captures", {"q": "r", "q.txt": "r.txt"}) == "file:r.txt"


def test_lists_and_mappings_that_declare_names_have_the_new_ones_in_their_places():
    listed = [{"key": "a"}, {"key": " q ", "from": "case.inputs.q"}, 7]
    assert followed(LISTED, listed, "inputs", NAMES) == [
        {"key": "a"},
        {"key": " query ", "from": "case.inputs.query"},
        7,
    ]
    mapped = {"type": "object", "x-declares": "inputs"}
    assert list(followed(mapped, {"a": 1, "q": 2, "z": 3}, "inputs", NAMES).items()) == [
        ("a", 1),
        ("query", 2),
        ("z", 3),
    ]
    assert followed(mapped, {"q": 1, "query": 2}, "inputs", NAMES) == {"q": 1, "query": 2}


def test_the_keys_of_a_mapping_may_be_names():
    weights = {"type": "object", "propertyNames": {"x-picks": "inputs"}}
    assert followed(weights, {"q": 1, "a": 2}, "inputs", NAMES) == {"query": 1, "a": 2}


def test_what_does_not_change_is_the_same_object():
    listed = [{"key": "a", "from": "final_output"}]
    assert followed(LISTED, listed, "inputs", NAMES) is listed


def test_places_are_counted_and_those_that_declare_the_name_apart():
    asked = Asked(NAMES)
    followed(LISTED, [{"key": "q", "from": "case.inputs.q"}, {"key": "a", "from": "case.inputs.q.x"}], "inputs", asked)
    assert (asked.places, asked.homes["q"]) == (3, 1)


def test_placeholders_of_a_template_follow():
    pattern = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
    assert in_template(pattern, "{{q}} {{ q.deep }} {{queue}} q", NAMES) == "{{query}} {{ query.deep }} {{queue}} q"
