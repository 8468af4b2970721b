from dataclasses import replace
from random import Random

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.comparing import OtherFormatError
from packs.formats.comparing.merged import merge_packs
from packs.formats.document import NodeKind, Pack
from tests.packs.formats.comparing.edited import edited, said
from tests.packs.formats.comparing.test_trees import ADAPTER, PACKS, case, pack


def some_edits(adapter, random, found):
    for _ in range(random.choice([1, 1, 2, 4])):
        found = edited(adapter, random, found)
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_where_one_side_changed_nothing_the_other_comes_out(name):
    adapter, random = adapter_of(name), Random(name)
    for base in PACKS[name]:
        side = some_edits(adapter, random, base)
        for merged in (merge_packs(adapter, base, side, base), merge_packs(adapter, base, base, side)):
            assert (said(merged.pack), merged.conflicts) == (said(side), ())
        both = merge_packs(adapter, base, side, side)
        assert (said(both.pack), both.conflicts) == (said(side), ())


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_that_a_side_says_anew_is_lost(name):
    """Every text that only one side wrote stands in the merged pack or in a conflict."""
    adapter, random = adapter_of(name), Random(f"{name} again")
    count = 0
    for round_ in range(60):
        # Small packs rarely have a conflict.
        if count and round_ >= 6:
            break
        for base in PACKS[name]:
            ours, theirs = (marked(adapter, random, base, word) for word in (f"own-{round_}", f"other-{round_}"))
            merged = merge_packs(adapter, base, ours, theirs)
            everything = said(merged.pack) + repr(merged.conflicts)
            for side in (ours, theirs):
                words = {word for word in said(side).split("'") if word.startswith(("own-", "other-"))}
                assert all(word in everything for word in words)
            names = [conflict.name for conflict in merged.conflicts]
            assert len(set(names)) == len(names)
            count += len(names)
            other = merge_packs(adapter, base, ours, theirs, names)
            assert [conflict.name for conflict in other.conflicts] == names
    assert count


def marked(adapter, random, found: Pack, word: str) -> Pack:
    """A pack after edits, in which every text that is new says who wrote it."""
    before = set(said(found).split("'"))
    for step in range(random.choice([1, 2, 3])):
        found = edited(adapter, random, found)
        for place, value in enumerate(["a word", "two words more"]):
            if value not in before:
                found = _said_by(found, value, f"{word}-{step}-{place}")
    return found


def _said_by(found, value, word):
    if isinstance(found, dict):
        return {key: _said_by(item, value, word) for key, item in found.items()}
    if isinstance(found, list):
        return [_said_by(item, value, word) for item in found]
    if found == value and isinstance(found, str):
        return word
    if not hasattr(found, "document"):
        return found
    nested = {
        name: tuple(_said_by(node, value, word) for node in getattr(found, name))
        for name in ("challenges", "input_sets", "assets", "cases")
        if hasattr(found, name)
    }
    return replace(found, document=_said_by(found.document, value, word), **nested)


BASE = pack(("s", [case("a", q=1, r=1), case("b"), case("c")]), ("t", [case("d")]))


def keys(found: Pack):
    return {input_set.key: [each.key for each in input_set.cases] for input_set in found.input_sets}


def test_fields_of_one_case_that_two_people_changed_are_both_kept():
    ours, theirs = pack(("s", [case("a", q=2, r=1)])), pack(("s", [case("a", q=1, r=3), case("n")]))
    merged = merge_packs(ADAPTER, pack(("s", [case("a", q=1, r=1)])), ours, theirs)
    assert merged.conflicts == ()
    assert [each.document for each in merged.pack.input_sets[0].cases] == [
        case("a", q=2, r=3).document,
        case("n").document,
    ]


def test_a_case_that_one_side_removed_and_the_other_changed_is_a_conflict_about_the_whole():
    theirs = pack(("s", [case("a", q=5, r=1), case("b"), case("c")]), ("t", [case("d")]))
    merged = merge_packs(ADAPTER, BASE, pack(("t", [case("d")])), theirs)
    (found,) = merged.conflicts
    assert (found.name, found.kind, found.key, found.conflict.label) == ("case/s/a", NodeKind.CASE, "a", "")
    assert keys(merged.pack) == {"t": ["d"]}
    assert keys(merge_packs(ADAPTER, BASE, pack(("t", [case("d")])), theirs, {"case/s/a"}).pack) == {
        "s": ["a"],
        "t": ["d"],
    }


def test_cases_that_went_to_other_sets_and_other_places_stay_there():
    ours = pack(("s", [case("c"), case("a", q=1, r=1)]), ("t", [case("d"), case("b")]))
    theirs = pack(("s", [case("a", q=2, r=1), case("b"), case("n"), case("c")]), ("t", []))
    merged = merge_packs(ADAPTER, BASE, ours, theirs)
    assert merged.conflicts == ()
    assert keys(merged.pack) == {"s": ["c", "a", "n"], "t": ["b"]}
    assert merged.pack.input_sets[0].cases[1].document["q"] == 2


def test_a_renamed_challenge_is_the_same_one_on_the_other_side():
    ours = pack(("s", [case("a", "d", q=1)]), challenges=("d",))
    theirs = pack(("s", [case("a", q=2)]))
    merged = merge_packs(ADAPTER, pack(("s", [case("a", q=1)])), ours, theirs)
    assert merged.conflicts == ()
    (found,) = merged.pack.input_sets[0].cases
    assert (found.challenge_key, found.document["q"], merged.pack.challenges[0].key) == ("d", 2, "d")


def test_packs_of_two_formats_are_refused():
    other = Pack("agentv", "p", {})
    with pytest.raises(OtherFormatError):
        merge_packs(ADAPTER, BASE, BASE, other)
