import pytest

from packs.access import Role
from studio.oidc.groups import Grants, check_oidc, claimed, granted, read_mapping

ADMINS = "CN=Admins,OU=Packs,DC=example"


def test_groups_grant_the_highest_role_in_each_team():
    mapped = read_mapping(f"{ADMINS}=checkout:administrator; staff = checkout:viewer;staff=search:author")
    assert granted(mapped, {ADMINS, "staff", "unknown"}).roles == {
        "checkout": Role.ADMINISTRATOR,
        "search": Role.AUTHOR,
    }
    assert granted(mapped, {"staff"}).roles["checkout"] == Role.VIEWER
    assert granted(mapped, ()) == Grants()


def test_superusers_are_staff():
    mapped = read_mapping("ops=superuser;desk=staff")
    assert granted(mapped, {"ops"}) == Grants({}, is_staff=True, is_superuser=True)
    assert granted(mapped, {"desk"}) == Grants({}, is_staff=True)


@pytest.mark.parametrize("text", ["staff", "=checkout:viewer", "staff=checkout:king", "staff=:viewer", "staff=root"])
def test_a_mapping_that_grants_nothing_there_is_is_named(text):
    with pytest.raises(ValueError, match="must be GROUP=TEAM:ROLE"):
        read_mapping(text)


@pytest.mark.parametrize(
    ("claims", "name", "found"),
    [
        ({"groups": ["a", 1, "b"]}, "groups", {"a", "b"}),
        ({"groups": "a"}, "groups", {"a"}),
        ({"realm_access": {"roles": ["a"]}}, "realm_access.roles", {"a"}),
        ({"https://example.org/groups": ["a"]}, "https://example.org/groups", {"a"}),
        ({"groups": {"a": 1}}, "groups", set()),
        ({}, "groups", set()),
        ({"groups": None}, "groups.more", set()),
    ],
)
def test_groups_are_read_from_whatever_a_directory_says(claims, name, found):
    assert claimed(claims, name) == found


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"OIDC_ISSUER": "http://sso.example.org", "OIDC_CLIENT_ID": "a"}, "https://"),
        ({"OIDC_ISSUER": "https://sso.example.org"}, "CLIENT_ID"),
        ({"OIDC_ONLY": True}, "nobody could sign in"),
        ({"OIDC_GROUPS": "staff"}, "OIDC_GROUPS"),
    ],
)
def test_settings_that_cannot_be_right_stop_the_start(settings, given, word):
    assert check_oidc(None) == []
    for name, value in given.items():
        setattr(settings, name, value)
    (found,) = check_oidc(None)
    assert word in found.msg
