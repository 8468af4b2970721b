"""Settings that are wrong are told at start."""

import pytest

from runs.apps import check_endpoint_hosts


@pytest.mark.parametrize(
    ("hosts", "codes"),
    [(["public", "10.0.0.0/8", "*.example.org:8080"], []), ([], []), (["https://example.org"], ["runs.E001"])],
)
def test_a_host_that_means_nothing_is_named(settings, hosts, codes):
    settings.ENDPOINT_HOSTS = hosts
    assert [each.id for each in check_endpoint_hosts(None)] == codes
