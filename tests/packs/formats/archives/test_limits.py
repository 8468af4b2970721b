import pytest

from packs.formats.archives.limits import MAX_TOTAL_BYTES, Collector, is_litter


@pytest.mark.parametrize(
    ("name", "expected"), [(".git/config", True), ("a/.DS_Store", True), (".github/x", False), ("git", False)]
)
def test_only_leftovers_of_systems_count_as_litter(name, expected):
    assert is_litter(name) is expected


def test_nothing_is_admitted_after_the_total_is_reached():
    collector = Collector()
    collector.admits("a", 1)
    collector._total = MAX_TOTAL_BYTES
    assert not collector.admits("b", 1)
    assert not collector.admits("c", 0)
    assert [finding.code for finding in collector.findings] == ["files.E012"]
