from packs.formats.structure.ordering import arranged, each, each_value


def test_named_keys_come_first_or_last_and_the_rest_stays_between_them():
    order = arranged(("a", "b"), last=("z",))
    assert list(order({"z": 1, "x": 2, "b": 3, "c": 4})) == ["b", "x", "c", "z"]
    assert order("text") == "text"


def test_parts_are_put_into_their_own_order():
    order = arranged(("a",), {"list": each(arranged(("k",))), "map": each_value(arranged(("k",)))})
    found = order({"list": [{"x": 1, "k": 2}, 5], "map": {"m": {"x": 1, "k": 2}}})
    assert [list(found["list"][0]), found["list"][1], list(found["map"]["m"])] == [["k", "x"], 5, ["k", "x"]]
