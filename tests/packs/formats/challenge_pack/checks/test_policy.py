import pytest

from tests.packs.formats.challenge_pack.samples import found_in


def fields(version):
    """The places of errors in these parts of a version."""
    return [place for name in version for _, place in found_in({"version": version}, f"version.{name}")]


@pytest.mark.parametrize("entry", ["10.0.0.0/8", "10.1.2.3/8", "0.0.0.0/0", "::/0", "2001:db8::/32", "1.2.3.4/32"])
def test_a_network_in_cidr_notation_is_accepted(entry):
    assert fields({"sandbox": {"network_allowlist": [entry]}}) == []


@pytest.mark.parametrize(
    "entry",
    [
        "10.0.0.1",
        "10.0.0.0/33",
        "10.0.0.0/255.0.0.0",
        "10.0.0/8",
        "10.0.0.0/",
        "/8",
        "a/8",
        "fe80::%1/64",
        " 10.0.0.0/8",
    ],
)
def test_anything_else_is_no_network(entry):
    found = fields({"sandbox": {"network_allowlist": [entry]}})
    assert found == ["version.sandbox.network_allowlist[0]"]


@pytest.mark.parametrize("name", ["jq", "g++", "libxml2-dev", "7z", "a."])
def test_a_debian_package_name_is_accepted(name):
    assert fields({"sandbox": {"additional_packages": [name]}}) == []


@pytest.mark.parametrize("name", ["x", "", "Jq", "-ab", "a_b", "a b", "jq\n"])
def test_anything_else_is_no_package_name(name):
    assert fields({"sandbox": {"additional_packages": [name]}}) == ["version.sandbox.additional_packages[0]"]


def test_a_tool_kind_is_compared_without_case_and_blanks():
    assert fields({"tool_policy": {"allowed_tool_kinds": [" Terminal ", "BUILD"]}}) == []


def test_deployment_defaults_may_be_empty_but_not_without_lineups():
    assert fields({"deployment_defaults": {"aliases": {}, "lineups": {}}}) == []
    assert fields({"deployment_defaults": {"aliases": {"a": "b"}}}) == ["version.deployment_defaults.lineups"]


def test_names_of_aliases_and_lineups_are_shown_trimmed_and_quoted():
    defaults = {"aliases": {' "a" ': ""}, "lineups": {" default ": ["x"], " ": ["y"]}}
    assert fields({"deployment_defaults": defaults}) == [
        'version.deployment_defaults.aliases["\\"a\\""]',
        'version.deployment_defaults.lineups[""]',
    ]
