import pytest

from packs.formats.media import is_meant, media_type, read_type

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a/Report.XLSX", SHEET),
        ("x.csv", "text/csv"),
        ("x", "application/octet-stream"),
        ("x.quux", "application/octet-stream"),
    ],
)
def test_a_file_has_the_kind_that_its_name_says(path, kind):
    assert media_type(path) == kind


@pytest.mark.parametrize(
    ("stated", "path"), [("xlsx", "a.xlsx"), (".XLSX", "a.xlsx"), (SHEET, "a.xlsx"), ("qx", "a.qx")]
)
def test_a_kind_is_meant_by_an_ending_and_by_its_own_name(stated, path):
    assert is_meant(stated, path)
    assert not is_meant(stated, "a.docx")


def test_both_words_for_a_kind_are_the_same_kind():
    assert read_type("xlsx") == read_type(SHEET) == SHEET
    assert read_type("quux") == "quux"
