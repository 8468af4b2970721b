import pytest

from packs.formats.comparing import follow

OLD = {"checks": [{"key": "a", "n": 1}, {"key": "b", "n": 2}], "plain": ["x", "y"], "title": "T"}


@pytest.mark.parametrize(
    ("new", "path", "found"),
    [
        (OLD, ("checks", 1, "n"), ("checks", 1, "n")),
        ({**OLD, "checks": OLD["checks"][::-1]}, ("checks", 1, "n"), ("checks", 0, "n")),
        ({**OLD, "checks": [{"key": "c", "n": 2}, OLD["checks"][0]]}, ("checks", 1, "n"), ("checks", 0, "n")),
        ({**OLD, "plain": ["new", "x", "y"]}, ("plain", 1), ("plain", 2)),
        ({**OLD, "checks": OLD["checks"][:1]}, ("checks", 1, "n"), None),
        ({"plain": []}, ("title",), None),
        ({**OLD, "checks": "none"}, ("checks", 0), None),
        ({}, (), ()),
    ],
    ids=["same", "moved", "renamed", "moved value", "gone element", "gone key", "other type", "whole"],
)
def test_a_part_is_found_where_it_is_now(new, path, found):
    assert follow(OLD, new, path) == found
