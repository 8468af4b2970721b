from hypothesis import given
from hypothesis import strategies as st

from packs.formats.comparing.values import Act, apply, compare, fields, same
from tests.packs.editing.test_pointers import values

named = st.lists(
    st.builds(
        lambda key, more: {"key": key, **more},
        st.text("abc", min_size=1, max_size=2),
        st.dictionaries(st.sampled_from("xyz"), st.integers(0, 3)),
    )
).map(lambda items: list({item["key"]: item for item in items}.values()))


def said(old, new):
    return [(field.act.value, field.label, field.old, field.new) for field in fields(compare(old, new))]


@given(values, values)
def test_the_difference_applied_to_the_old_value_gives_the_new_one(old, new):
    assert same(apply(compare(old, new), old), new)


@given(named, named)
def test_lists_of_named_things_too(old, new):
    assert same(apply(compare(old, new), old), new)


def test_elements_of_a_list_are_known_by_their_keys():
    old = [{"key": "a", "value": 1}, {"key": "b", "value": 2}]
    new = [{"key": "b", "value": 3}, {"key": "c", "value": 9}, {"key": "a", "value": 1}]
    assert said({"inputs": old}, {"inputs": new}) == [
        ("moved", "inputs[b]", 1, 0),
        ("changed", "inputs[b].value", 2, 3),
        ("added", "inputs[c]", None, new[1]),
    ]


def test_an_element_that_says_the_same_under_another_key_was_renamed():
    old = [{"key": "a", "text": "a long text that stays as it is"}]
    new = [{"key": "z", "text": "a long text that stays as it is"}]
    assert said(old, new) == [("changed", "[z].key", "a", "z")]
    assert [act for act, *_ in said(old, [{"key": "z", "text": "all other words"}])] == ["removed", "added"]


def test_of_plain_lists_only_what_came_and_went_is_told():
    assert said(["a", "b", "c", "d"], ["b", "x", "c"]) == [
        ("removed", "[0]", "a", None),
        ("removed", "[3]", "d", None),
        ("added", "[1]", None, "x"),
    ]
    assert said([1, 2], [1.0, 2]) == [("changed", "[0]", 1, 1.0)]


def test_the_path_of_a_field_leads_to_it_in_the_new_value():
    (field,) = fields(compare({"a": [{"id": "x", "v": 1}]}, {"a": [{"id": "x", "v": 2}]}))
    assert (field.act, field.path) == (Act.CHANGED, ("a", 0, "v"))


def test_another_order_of_keys_is_a_move():
    assert said({"a": 1, "b": 2}, {"b": 2, "a": 1}) == [("moved", "b", 1, 0)]
