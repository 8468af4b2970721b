import pytest
from hypothesis import given

from packs.formats import challenge_pack
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding, Severity
from tests.packs.formats.challenge_pack import generated


def finding_at(*path, code="challenge_pack.E999"):
    return Finding(code, Severity.ERROR, path, "")


@given(generated.packs())
def test_every_node_is_found_again_by_its_path(pack):
    for address, _ in pack.nodes():
        path = challenge_pack.path_of(address)
        assert challenge_pack.locate(finding_at(*path, "key")) == (address, ("key",))


@pytest.mark.parametrize(
    ("path", "address", "inside"),
    [
        (("pack", "slug"), Address(NodeKind.PACK), ("pack", "slug")),
        (("version", "assets"), Address(NodeKind.PACK), ("version", "assets")),
        (("version", "assets", 1, "path"), Address(NodeKind.ASSET, (1,)), ("path",)),
        (("challenges",), Address(NodeKind.PACK), ("challenges",)),
        (("input_sets", 2, "cases"), Address(NodeKind.INPUT_SET, (2,)), ("cases",)),
        (("input_sets", 2, "cases", 3, "inputs", 0), Address(NodeKind.CASE, (2, 3)), ("inputs", 0)),
        ((), Address(NodeKind.PACK), ()),
    ],
)
def test_a_finding_belongs_to_the_innermost_node(path, address, inside):
    assert challenge_pack.locate(finding_at(*path)) == (address, inside)


TEXT = b"""pack: {slug: s}
challenges: []
input_sets:
- key: a
  cases:
  - case_key: one
- key: b
  items:
  - item_key: two
  - item_key: three
- key: c
  cases: []
  items:
  - item_key: four
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("input_sets", 0, "cases", 0, "case_key"), 6),
        (("input_sets", 1, "cases", 1), 10),
        (("input_sets", 2, "cases", 0), 14),
        (("input_sets", 1, "cases", 1, "challenge_key"), 10),
        (("pack", "name"), 1),
    ],
)
def test_findings_get_the_line_where_the_file_says_it_even_in_old_items(path, line):
    (placed,) = challenge_pack.place({"p.yaml": TEXT}, [finding_at(*path)])
    assert (placed.file, placed.line) == ("p.yaml", line)


def test_a_finding_that_has_its_place_keeps_it():
    _, findings = challenge_pack.load({"p.yaml": b"pack: {slug: s}\npack: {slug: t}\n"})
    assert challenge_pack.place({"p.yaml": b"pack: {slug: s}\npack: {slug: t}\n"}, findings) == findings
