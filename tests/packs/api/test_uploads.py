import pytest

from packs.api.uploads import attachment, safe


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a b.txt", "a b.txt"),
        ('a"b\\c', "a_b_c"),
        ("a\r\nSet-Cookie: x", "a__Set-Cookie: x"),
        ("é🙂", "__"),
        ("", "file"),
    ],
)
def test_a_file_name_cannot_break_out_of_its_header(name, kept):
    assert safe(name) == kept


def test_bytes_are_offered_for_saving_and_never_for_running():
    response = attachment(b"<script>", "x.html", "application/octet-stream", '"e"')
    assert response["Content-Disposition"].startswith("attachment;")
    assert response["X-Content-Type-Options"] == "nosniff"
