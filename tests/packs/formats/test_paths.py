import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.paths import MAX_PATH_DEPTH, doubtful_names, refused_name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "files.E001"),
        ("/etc/passwd", "files.E002"),
        ("C:/x", "files.E002"),
        ("../x", "files.E003"),
        ("a/../../x", "files.E003"),
        ("./x", "files.E003"),
        ("a//b", "files.E003"),
        ("a/", "files.E003"),
        ("a\\b", "files.E004"),
        ("a\0b", "files.E005"),
        ("a\nb", "files.E005"),
        ("a\udcff", "files.E005"),
        ("x" * 256, "files.E006"),
        ("x/" * MAX_PATH_DEPTH + "x", "files.E006"),
        ("é" * 128, "files.E006"),
    ],
)
def test_a_name_that_leads_outside_or_cannot_be_stored_is_refused(name, code):
    assert refused_name(name).code == code


@pytest.mark.parametrize("name", ["pack.yaml", "a/b c/é.txt", "..a", "a..", ".hidden", "x" * 255])
def test_ordinary_names_pass(name):
    assert refused_name(name) is None


def test_names_that_other_systems_cannot_keep_are_warned_of():
    found = [
        (finding.code, finding.file) for finding in doubtful_names(["a.txt", "A.txt", "con.txt", "x/what?", "fine"])
    ]
    assert sorted(found) == [("files.W001", "con.txt"), ("files.W001", "x/what?"), ("files.W002", "a.txt")]


@given(st.text())
def test_what_passes_stays_below_its_folder(name):
    if refused_name(name) is None:
        assert not name.startswith("/")
        assert ".." not in name.split("/")
        name.encode()
