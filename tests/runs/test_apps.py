"""Settings that are wrong are told at start."""

import pytest

from runs.apps import check_endpoint_hosts, check_shared_paths


@pytest.mark.parametrize(
    ("hosts", "codes"),
    [(["public", "10.0.0.0/8", "*.example.org:8080"], []), ([], []), (["https://example.org"], ["runs.E001"])],
)
def test_a_host_that_means_nothing_is_named(settings, hosts, codes):
    settings.ENDPOINT_HOSTS = hosts
    assert [each.id for each in check_endpoint_hosts(None)] == codes


@pytest.mark.parametrize(
    ("path", "codes"),
    [("/opt/agents", []), ("agents", ["runs.E002"]), ("/", ["runs.E002"]), ("{var}/..", ["runs.E002"])],
)
def test_folders_that_programs_may_read_are_named_in_full_and_hold_no_data(settings, path, codes):
    settings.SANDBOX_READ_ONLY_PATHS = [path.format(var=settings.VAR_DIR)]
    assert [each.id for each in check_shared_paths(None)] == codes
