"""The address that a request counts as coming from."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from studio.proxies import ClientAddress, check_proxies, counted_address

PROXIES = ["192.0.2.0/24", "2001:db8::1"]


@pytest.mark.parametrize(
    ("remote", "forwarded", "client"),
    [
        ("192.0.2.1", "203.0.113.7", "203.0.113.7"),
        ("192.0.2.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("192.0.2.1", "203.0.113.7, 192.0.2.9", "203.0.113.7"),
        ("2001:db8::1", "203.0.113.7", "203.0.113.7"),
        ("::ffff:192.0.2.1", "203.0.113.7", "203.0.113.7"),
        ("198.51.100.9", "203.0.113.7", "198.51.100.9"),
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "nonsense", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.5", "192.0.2.5"),
    ],
)
def test_only_our_own_proxies_are_believed(settings, remote, forwarded, client):
    settings.PROXIES = PROXIES
    request = RequestFactory().get("/", REMOTE_ADDR=remote, HTTP_X_FORWARDED_FOR=forwarded)
    ClientAddress(lambda request: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == client


def test_an_entry_that_is_no_address_stops_the_start(settings):
    settings.PROXIES = PROXIES
    assert check_proxies(None) == []
    settings.PROXIES = ["proxy.example"]
    assert [found.id for found in check_proxies(None)] == ["studio.E001"]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:a:b:c:d", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nonsense" * 10, ("nonsense" * 10)[:64]),
    ],
)
def test_limits_count_a_network_of_ipv6_as_one_client(address, counted):
    assert counted_address(address) == counted
