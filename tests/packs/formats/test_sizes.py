import pytest

from packs.formats.sizes import bytes_of


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("2g", 2 * 1024**3),
        ("512m", 512 * 1024**2),
        ("1.5G", 1536 * 1024**2),
        ("64MiB", 64 * 1024**2),
        ("10 kb", 10240),
        ("1048576", 1024**2),
        ("7b", 7),
    ],
)
def test_sizes_are_read_as_container_engines_read_them(text, count):
    assert bytes_of(text) == count


@pytest.mark.parametrize("value", ["", "lots", "-1g", "0", "0m", "2gg", "1x", 2, None, ["2g"]])
def test_what_is_no_size_is_none(value):
    assert bytes_of(value) is None
