"""Which hosts may be called."""

import ipaddress

import pytest

from runs.agents.endpoints.addresses import AllowList, Entry, is_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("168.63.129.16", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00:ec2::254", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2002:7f00:1::", False),
        ("64:ff9b::10.0.0.1", False),
        ("64:ff9b::8.8.8.8", True),
        ("::127.0.0.1", False),
        ("::8.8.8.8", False),
        ("fec0::1", False),
        ("64:ff9b:1::a00:1", False),
        ("::ffff:0:127.0.0.1", False),
        ("4000::1", False),
        ("192.0.0.8", False),
        ("192.88.99.1", False),
        ("64:ff9b::192.0.0.8", False),
        ("3fff::1", False),
    ],
)
def test_only_the_public_internet_is_public_also_when_wrapped(address, public):
    assert is_public(ipaddress.ip_address(address)) is public


@pytest.mark.parametrize(
    ("entry", "host", "port", "address", "fits"),
    [
        ("models.example.org", "models.example.org", 443, "10.0.0.1", True),
        ("models.example.org", "example.org", 443, "10.0.0.1", False),
        ("*.example.org", "a.b.example.org", 443, "10.0.0.1", True),
        ("*.example.org", "example.org", 443, "10.0.0.1", False),
        ("*.example.org", "badexample.org", 443, "10.0.0.1", False),
        ("localhost:11434", "localhost", 11434, "127.0.0.1", True),
        ("localhost:11434", "localhost", 22, "127.0.0.1", False),
        ("10.1.0.0/16", "anything.example.org", 80, "10.1.7.7", True),
        ("10.1.0.0/16", "anything.example.org", 80, "10.2.7.7", False),
        ("[fd00::1]:8080", "x", 8080, "fd00::1", True),
        ("[fd00::1]:8080", "x", 80, "fd00::1", False),
    ],
)
def test_an_entry_fits_what_it_names(entry, host, port, address, fits):
    assert Entry.read(entry).fits(host, port, ipaddress.ip_address(address)) is fits
    assert AllowList.read([entry]).allows(host.upper(), port, ipaddress.ip_address(address)) is fits


@pytest.mark.parametrize("text", ["", "two words", "a/b", "https://example.org", "-x", "10.0.0.0/99"])
def test_an_entry_that_means_nothing_is_refused(text):
    with pytest.raises(ValueError, match="neither"):
        Entry.read(text)


@pytest.mark.parametrize(
    ("entries", "url", "allowed"),
    [
        (["public"], "https://api.example.org/v1", True),
        (["public"], "http://api.example.org/v1", False),
        (["public"], "https://127.0.0.1/v1", False),
        (["public"], "https://[::1]/v1", False),
        (["public"], "https://169.254.169.254/", False),
        (["public", "localhost"], "http://localhost:11434/v1", True),
        (["public", "10.0.0.0/8"], "http://models.inner:8080/v1", True),
        (["public", "10.0.0.0/8"], "http://10.2.3.4/v1", True),
        (["models.example.org"], "https://models.example.org/v1", True),
        (["models.example.org"], "https://other.example.org/v1", False),
        (["public"], "ftp://api.example.org/", False),
        (["public"], "file:///etc/passwd", False),
        (["public"], "https:///v1", False),
        (["public"], "https://user:password@api.example.org/", False),
        (["public"], "https://api.example.org:port/", False),
        (["public"], "https://[broken/", False),
        (["public"], "just words", False),
        (["public"], "https://api.example .org/", False),
        (["public"], "https:// api.example.org/", False),
        (["public"], "https://api.example.org\n/v1", False),
        (["public"], "https://api.exa\r\nmple.org/", False),
        (["public"], "https://api.example.org/\tv1", False),
        (["public"], "https://api.example.org\\@127.0.0.1/", False),
        (["public"], "https://bücher.example/", True),
        (["public"], "", False),
    ],
)
def test_an_address_is_judged_as_it_is_written(entries, url, allowed):
    assert (AllowList.read(entries).problem(url) == "") is allowed
