"""What every format promises of any content: its functions give answers and findings, and raise nothing."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packs.formats import adapter_of, recognise
from packs.formats.adapter import Above, Node
from packs.formats.archives import read_path
from packs.formats.document import NodeKind
from packs.formats.findings import has_errors
from packs.formats.index import TreeIndex
from tests.drawing import drawn

SAMPLES = sorted((Path(__file__).resolve().parents[3] / "packs" / "samples").iterdir())
DIGITS = "9" * 5000
ODD = [
    *[None, True, False, 0, -1, 2**63 - 1, 2**64 - 1, -(2**63), 1.5, -0.0, 1e300],
    *["", " ", "a\nb", "\x00", "\u2028", "²", "..", "../../x", "/x", "{{ a..b }}", "${", "${{X}}", "(?<a>b", "{0}%s"],
    *["literal:", "case.payload.", f"transcript.last_n:{DIGITS}", f"case.payload.a.{DIGITS}", "file:", DIGITS],
    *[
        [],
        [[]],
        [{}],
        [None],
        ["a", "a"],
        {},
        {"": ""},
        {"a": {"b": [1, {"c": None}]}},
        {"type": []},
        {"type": "object"},
    ],
]
CHILDREN = {NodeKind.ASSET: "assets", NodeKind.CHALLENGE: "challenges", NodeKind.INPUT_SET: "input_sets"}


def loaded(path):
    files, _ = read_path(path)
    adapter = adapter_of(recognise(files))
    return adapter, adapter.load(files)[0]


PACKS = {path.stem: loaded(path) for path in SAMPLES}


def paths(value, path=()):
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield from paths(part, (*path, step))


def changed(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], new)
    return copy


def with_document(adapter, pack, address, document):
    """The pack in which the node at an address says what a document says."""
    key, challenge_key = adapter.identify(address.kind, document)
    if address.kind is NodeKind.PACK:
        return replace(pack, document=document, key=key)
    first, *rest = address.indices
    name = CHILDREN.get(address.kind, "input_sets")
    nodes = list(getattr(pack, name))
    if rest:
        cases = list(nodes[first].cases)
        cases[rest[0]] = replace(cases[rest[0]], document=document, key=key, challenge_key=challenge_key)
        nodes[first] = replace(nodes[first], cases=tuple(cases))
    else:
        nodes[first] = replace(nodes[first], document=document, key=key)
    return replace(pack, **{name: tuple(nodes)})


@pytest.mark.parametrize("name", PACKS)
@settings(max_examples=drawn(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_node_with_an_odd_value_is_checked_shown_and_written_without_an_exception(name, data):
    adapter, pack = PACKS[name]
    address, document = data.draw(st.sampled_from([node for node in pack.nodes() if node[1]]))
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(paths(document))))
        document = changed(document, path, data.draw(st.sampled_from(ODD)))
    odd = with_document(adapter, pack, address, document)
    found = list(adapter.check(odd))
    position, parent = address.indices[-1] if address.indices else 0, address.indices[0] if address.indices else 0
    if address.kind in adapter.SCHEMA:
        node = Node(address.kind, document, *adapter.identify(address.kind, document), parent, position)
        assert {finding.code for finding in adapter.check_node(TreeIndex(odd), node)} <= {f.code for f in found}
    assert adapter.load_node(address.kind, adapter.dump_node(address.kind, document))[0] is not None
    assert adapter.card(odd.document)
    assert isinstance(adapter.lineage(odd.document), dict)
    assert isinstance(adapter.title(odd.document), str)
    above = Above(odd.document, odd.input_sets[parent].document if parent < len(odd.input_sets) else {})
    for kind in adapter.REFERRERS:
        assert isinstance(adapter.renamed(address.kind, document, kind, {"a": "b"}, above), dict)
    assert all(finding.code for finding in adapter.check_artifacts(odd, ()))
    if not has_errors(found):
        files = adapter.dump(odd)
        assert adapter.dump(adapter.load(files)[0]) == files
        assert orjson.dumps([task.as_dict() for task in adapter.compile_tasks(odd)])
