"""A form that is sent back untouched gives the very same document, whatever the document holds."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.comparing import same
from packs.formats.document import NodeKind
from packs.forms.building import Request, build
from packs.forms.sections import sections_of, whole
from packs.forms.state import State
from tests.drawing import drawn
from tests.packs.formats.challenge_pack.generated import documents
from tests.packs.forms.pages import draw, submitted, through_browser

ODD = ["", "no", "1e3", "12:30", "~", "null", "true", " a ", "\n", "\nfirst", "last\n", "a\r\nb", "a\rb", "\t", "é😀"]
ODD += ["\x00", "\x1b[0m", "\x85", "\u2028", "</textarea>", '"&amp;<b>', "a" * 400, "x\n\n  y\n"]
texts = st.sampled_from(ODD) | st.text(max_size=12)
keys = st.sampled_from(["a", "", "a.b", "a/b", "a~b", "~1", "a b", "%2F", "k\n", "\x07", "é", "0"]) | st.text(
    max_size=6
)
# What rows can hold: whole numbers of 64 bits, and text without halves of characters.
numbers = (
    st.integers(-(2**63), 2**64 - 1)
    | st.sampled_from([2.0**70, -(2.0**64), 1e300, 5e-324, -0.0, 1.0, 0, 1])
    | st.floats(allow_nan=False)
)
finite = numbers.filter(lambda number: number not in (float("inf"), float("-inf")))
scalars = st.none() | st.booleans() | finite | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


def documents_of(schema, depth=0):
    """Documents near a schema: fields of the right shape, of any other shape, missing, and unknown ones."""
    if depth > 5 or not schema:
        return values
    if "oneOf" in schema:
        return st.one_of([documents_of(part, depth + 1) for part in schema["oneOf"]] + [scalars])
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | scalars
    if schema.get("type") == "object" and "properties" in schema:
        fields = {name: documents_of(part, depth + 1) for name, part in schema["properties"].items()}
        known = st.fixed_dictionaries({}, optional=fields)
        extra = st.just({}) | st.dictionaries(keys, values, max_size=2)
        whole = st.tuples(known, extra, st.randoms()).map(lambda parts: shuffled({**parts[1], **parts[0]}, parts[2]))
        return whole if depth == 0 else st.one_of(whole, whole, whole, scalars)
    if schema.get("type") == "array":
        return st.lists(documents_of(schema.get("items", {}), depth + 1), max_size=3) | scalars
    return {"string": texts, "boolean": st.booleans(), "object": st.dictionaries(keys, values, max_size=3)}.get(
        schema.get("type"), finite
    ) | scalars


def shuffled(document, random):
    names = list(document)
    random.shuffle(names)
    return {name: document[name] for name in names}


slow = settings(max_examples=drawn(40), suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("kind", [kind for kind in NodeKind if kind is not NodeKind.PACK])
@slow
@given(data=st.data())
def test_an_untouched_form_of_a_node_gives_the_document_back(kind, data):
    document = data.draw(documents_of(SCHEMA[kind]))
    assert same(through_browser(build(SCHEMA[kind], document, Request()), document), document)


@slow
@given(document=documents_of(SCHEMA[NodeKind.PACK]))
def test_an_untouched_section_leaves_the_whole_document_as_it_is(document):
    for section in sections_of(SCHEMA[NodeKind.PACK]):
        state = State(SCHEMA[NodeKind.PACK], document, section)
        after = state.read(submitted(draw(state.field(Request()))))
        assert same(after.document, document), section.key


@slow
@given(value=values)
def test_free_data_keeps_its_types_and_its_keys(value):
    document = {"payload": {"free": value}}
    assert same(through_browser(build(SCHEMA[NodeKind.CASE], document, Request()), document), document)


@pytest.mark.parametrize("kind", list(NodeKind))
@slow
@given(data=st.data())
def test_an_untouched_form_keeps_what_a_reader_of_files_gives(kind, data):
    document = data.draw(documents(kind))
    sections = sections_of(SCHEMA[kind]) if kind is NodeKind.PACK else (whole(SCHEMA[kind]),)
    for section in sections:
        state = State(SCHEMA[kind], document, section)
        assert same(state.read(submitted(draw(state.field(Request())))).document, document), section.key
