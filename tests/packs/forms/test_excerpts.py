import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats import FORMATS, adapter_of
from packs.formats.document import NodeKind
from packs.forms.excerpts import excerpt, outside, shown_section, with_excerpt
from packs.forms.sections import section_for, sections_of

SECTIONS = {name: sections_of(adapter_of(name).SCHEMA[NodeKind.PACK]) for name in FORMATS}
PACK = SECTIONS["challenge_pack"]
DOCUMENT = {
    "zeta": 1,
    "version": {
        "number": 1,
        "evaluation_spec": {"name": "s", "validators": [{"key": "v"}], "odd": [1]},
        "notes": "kept",
        "sandbox": {"network_access": False},
    },
    "pack": {"slug": "parcels"},
    "tools": {"custom": []},
}


def section(key, sections=PACK):
    return next(item for item in sections if item.key == key)


def test_an_excerpt_has_the_section_below_the_keys_that_lead_to_it():
    found = excerpt(DOCUMENT, section("version.evaluation_spec.validators"))
    assert found == {"version": {"evaluation_spec": {"validators": [{"key": "v"}]}}}


def test_an_excerpt_leaves_out_what_other_sections_edit():
    assert excerpt(DOCUMENT, section("version")) == {"version": {"number": 1, "notes": "kept"}}
    assert excerpt(DOCUMENT, section("other")) == {"zeta": 1}


def test_a_section_that_the_document_lacks_is_an_empty_excerpt():
    assert excerpt(DOCUMENT, section("security")) == {}


@pytest.mark.parametrize("name", FORMATS)
def test_a_group_shows_all_its_parts(name):
    for group in [item for item in SECTIONS[name] if item.is_group]:
        inside = {group.pointer.strip("/"): {"any": {"a": 1}}}
        assert excerpt(inside, shown_section(group, inside)) == inside


VALUES = st.recursive(st.integers() | st.text(max_size=3), lambda inner: st.dictionaries(st.text(max_size=3), inner))


@given(st.sampled_from(PACK), VALUES)
def test_an_excerpt_put_back_unchanged_changes_nothing(chosen, extra):
    document = {**DOCUMENT, "extra": extra}
    back = with_excerpt(document, chosen, excerpt(document, chosen))
    assert repr(back) == repr(document)


@given(st.sampled_from(PACK), st.sampled_from(PACK), VALUES)
def test_a_changed_excerpt_changes_its_own_section_only(chosen, other, value):
    part = excerpt(DOCUMENT, chosen)
    changed = with_excerpt(DOCUMENT, chosen, put(part, chosen.pointer, {"new": value}))
    if other != chosen:
        assert excerpt(changed, other) == excerpt(DOCUMENT, other) or other.pointer.startswith(chosen.pointer + "/")
    assert excerpt(changed, chosen) == put(part, chosen.pointer, {"new": value})


def put(part, pointer, value):
    for step in reversed(pointer.split("/")[1:]):
        value = {step: value}
    return value


def test_the_order_of_keys_around_the_excerpt_stays():
    part = {"version": {"notes": "kept", "number": 2, "seed": 3}}
    changed = with_excerpt(DOCUMENT, section("version"), part)
    assert list(changed) == list(DOCUMENT)
    assert list(changed["version"]) == ["number", "seed", "evaluation_spec", "notes", "sandbox"]


def test_an_empty_excerpt_removes_the_section_and_nothing_else():
    assert with_excerpt(DOCUMENT, section("tools"), {}) == {k: v for k, v in DOCUMENT.items() if k != "tools"}
    left = with_excerpt(DOCUMENT, section("version"), {})["version"]
    assert left == {key: DOCUMENT["version"][key] for key in ("evaluation_spec", "sandbox")}


def test_a_section_that_was_not_there_gets_its_way():
    chosen = section("version.evaluation_spec.pricing")
    found = with_excerpt({"pack": {}}, chosen, {"version": {"evaluation_spec": {"pricing": {"a": 1}}}})
    assert found == {"pack": {}, "version": {"evaluation_spec": {"pricing": {"a": 1}}}}


@pytest.mark.parametrize(
    ("key", "part", "paths"),
    [
        ("tools", {"tools": {}, "pack": {}}, [("pack",)]),
        ("version", {"version": {"number": 1, "sandbox": {}}}, [("version", "sandbox")]),
        ("version", {"version": 3}, [("version",)]),
        ("version.sandbox", {"version": 3}, [("version",)]),
        ("version.sandbox", {"version": {"number": 2}}, [("version", "number")]),
        ("other", {"zeta": 2, "tools": {}}, [("tools",)]),
        ("tools", {"tools": 5}, []),
    ],
)
def test_what_belongs_to_another_section_is_told(key, part, paths):
    assert outside(DOCUMENT, section(key), part) == paths


def test_a_document_in_which_no_way_leads_to_the_section_is_shown_whole():
    broken = {"version": 3, "pack": {}}
    whole = shown_section(section_for(PACK, "/version/sandbox/x"), broken)
    assert excerpt(broken, whole) == broken
    assert with_excerpt(broken, whole, {"pack": {}}) == {"pack": {}}
