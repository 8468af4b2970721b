import inspect
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.adapter import Adapter, Node
from packs.formats.document import Case, Challenge, NodeKind
from packs.formats.findings import has_errors
from packs.formats.index import TreeIndex

FUNCTIONS = [name for name, value in vars(Adapter).items() if inspect.isfunction(value) and not name.startswith("_")]
VALUES = [name for name in Adapter.__annotations__ if name.isupper()]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_every_name_of_the_contract_with_its_parameters(name):
    adapter = adapter_of(name)
    assert [value for value in VALUES if not hasattr(adapter, value)] == []
    for function in FUNCTIONS:
        promised = list(inspect.signature(getattr(Adapter, function)).parameters)[1:]
        assert list(inspect.signature(getattr(adapter, function)).parameters) == promised, function


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_listed_under_its_own_name_and_describes_the_kinds_of_node_that_it_has(name):
    adapter = adapter_of(name)
    assert name == adapter.NAME
    assert set(adapter.SCHEMA) <= set(NodeKind)
    assert {NodeKind.PACK, NodeKind.INPUT_SET, NodeKind.CASE} <= set(adapter.SCHEMA)
    assert set(adapter.KEY_POINTERS) == set(adapter.SCHEMA) - {NodeKind.PACK}


def test_the_import_contract_of_formats_forbids_the_inside_of_each():
    project = tomllib.loads((Path(__file__).resolve().parents[3] / "pyproject.toml").read_text())
    contracts = {contract["name"]: contract for contract in project["tool"]["importlinter"]["contracts"]}
    contract = contracts["Formats are reached through their adapter and abilities"]
    assert set(contract["forbidden_modules"]) == set(FORMATS.values())


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("left", ["challenges", "assets", "document", ""])
def test_a_pack_without_input_sets_is_said_to_be_wrong_or_can_be_read_again(name, left):
    adapter = adapter_of(name)
    start = adapter.starter("p", "P")
    pack = replace(start, document={}, **dict.fromkeys(("challenges", "input_sets", "assets", "files"), ()))
    pack = replace(pack, **({left: getattr(start, left)} if left else {}))
    assert has_errors(adapter.check(pack)) or not has_errors(adapter.load(adapter.dump(pack))[1])


def with_new(adapter, kind, pack):
    """The pack with a new node at the end of its kind, and the path of the node."""
    document = adapter.new_document(kind, TreeIndex(pack))
    key, challenge_key = adapter.identify(kind, document)
    if kind is NodeKind.CHALLENGE:
        return replace(pack, challenges=(*pack.challenges, Challenge(key, document)))
    (cases,) = pack.input_sets
    return replace(pack, input_sets=(replace(cases, cases=(*cases.cases, Case(key, challenge_key, document))),))


NEW = [(name, NodeKind.CASE) for name in FORMATS] + [("challenge_pack", NodeKind.CHALLENGE)]


@pytest.mark.parametrize(("name", "kind"), NEW)
def test_the_check_says_what_a_new_node_lacks_and_publishing_refuses_it(name, kind):
    adapter = adapter_of(name)
    start = adapter.starter("p", "P")
    pack = with_new(adapter, kind, start)
    added = [address for address, _ in pack.nodes() if address.kind is kind][-1]
    found = [finding for finding in adapter.check(pack) if finding.severity != "note"]
    assert adapter.locate(found[0])[0] == added
    assert has_errors([*found, *adapter.check_artifacts(pack, set())])
    assert not has_errors([*adapter.check(start), *adapter.check_artifacts(start, set())])


def test_an_unknown_format_has_no_adapter():
    with pytest.raises(KeyError):
        adapter_of("no_such_format")


def test_a_node_stands_alone_when_nothing_is_said_about_its_place():
    node = Node(NodeKind.PACK, {})
    assert (node.key, node.parent, node.position) == ("", 0, 0)
