from packs.formats.schema.picks import patterns_of, sorts_of


def test_a_field_picks_names_of_one_sort_or_patterns_with_several():
    assert patterns_of({"x-picks": "assets"}) == ("{assets}",)
    assert patterns_of({"x-picks": ["input:{inputs}", "literal:"]}) == ("input:{inputs}", "literal:")
    assert sorts_of({"x-picks": ["input:{inputs}", "artifact:{assets}", "literal:"]}) == {"inputs", "assets"}
    assert sorts_of({}) == frozenset()
