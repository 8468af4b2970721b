"""Which files a reference or a pattern means."""

import pytest

from packs.formats.agentv.layout import candidates, inside, matches, recognises

NAMES = ["cases/a.yaml", "cases/deep/b.yaml", "cases/c.jsonl", "other.yaml"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("cases/*.yaml", ["cases/a.yaml"]),
        ("cases/**/*.yaml", ["cases/a.yaml", "cases/deep/b.yaml"]),
        ("cases/?.{yaml,jsonl}", ["cases/a.yaml", "cases/c.jsonl"]),
        ("*.yaml", ["other.yaml"]),
        ("none/*", []),
    ],
)
def test_a_pattern_means_the_files_that_it_fits_sorted(pattern, found):
    assert matches(NAMES, pattern) == found


def test_a_pattern_of_nothing_but_folders_ends():
    assert matches(["/".join("a" * 30)], "/".join(["**"] * 30 + ["b"])) == []


@pytest.mark.parametrize("path", ["../../x", "/etc/passwd", "a\\b", "C:/x", "~/x", "a\0b"])
def test_a_path_that_leaves_the_pack_means_no_file(path):
    assert inside("evals", path) is None


def test_a_file_is_looked_for_beside_the_suite_and_in_every_folder_above():
    assert list(candidates("a/b", "x.md")) == ["a/b/x.md", "a/x.md", "x.md"]


def test_rows_of_other_formats_are_not_taken_for_tests():
    assert not recognises({"rows.jsonl": b'{"id": "a", "input": {"question": "Q"}, "eval": {}}\n'})
    assert recognises({"rows.jsonl": b'{"id": "a", "input": "Hi", "criteria": "C"}\n'})
