"""Which repositories workspaces may be made from."""

import pytest

from packs.formats.repositories import allowed_address, allowed_folder, normalised, refused
from packs.formats.task import Repository

SOURCES = ["https://host.example/team/", "https://example.com/one.git", "git@host.example:team", "acme/open"]


@pytest.mark.parametrize(
    ("location", "address"),
    [
        ("https://host.example/team/widget.git", "https://host.example/team/widget.git"),
        ("https://HOST.example:443/team//./widget.git/", "https://host.example/team/widget.git"),
        ("https://host.example/other/%2e%2e/team/widget", "https://host.example/team/widget"),
        ("https://host.example/team/a b", "https://host.example/team/a%20b"),
        ("https://host.example/team/a%20b", "https://host.example/team/a%20b"),
        ("https://example.com/one.git", "https://example.com/one.git"),
        ("git@host.example:team/widget.git", "git@host.example:team/widget.git"),
        ("acme/open", "https://github.com/acme/open"),
        ("https://github.com/acme/open/", "https://github.com/acme/open"),
    ],
)
def test_an_allowed_address_is_given_to_git_as_it_was_compared(location, address):
    assert allowed_address(SOURCES, location) == address


@pytest.mark.parametrize(
    "location",
    [
        "https://host.example/team/../secret/repo.git",
        "https://host.example/team/%2e%2e/secret/repo.git",
        "https://host.example/team%2f..%2fsecret/repo.git",
        "https://host.example/team/%252e%252e/secret/repo.git",
        "https://host.example/team/..%5csecret",
        "https://host.example/team/repo.git?x=/../../secret",
        "https://host.example/team/repo.git#fragment",
        "https://host.example/teammates/widget.git",
        "https://example.com/one.github",
        "https://user:password@host.example/team/repo.git",
        "https://host.example@elsewhere.example/team/repo.git",
        "https://host.example\\@elsewhere.example/team/repo.git",
        "http://host.example/team/repo.git",
        "https://host.example:8443/team/repo.git",
        "https://host.example/team/re\npo.git",
        "git@host.example:team/../secret",
        "git@host.example:../team/x",
        "other@host.example:team/widget.git",
        "acme/../secret/open",
        "acme/closed",
        "ext::sh -c true",
        "file:///srv/secret",
        "-u",
        "",
    ],
)
def test_an_address_that_leaves_the_list_is_refused(location):
    assert allowed_address(SOURCES, location) is None


def test_comparing_a_normalised_address_changes_it_no_more():
    for location in ("https://H/a/../b%20c", "git@H:a//b", "a/b", "ssh://git@h:22/x/"):
        once = normalised(location)
        assert once
        assert normalised(once) == once


def test_a_folder_is_the_real_one_and_lies_in_an_allowed_one(tmp_path):
    allowed, secret = tmp_path / "allowed", tmp_path / "secret"
    (allowed / "inner").mkdir(parents=True)
    secret.mkdir()
    (allowed / "link").symlink_to(secret)
    sources = [str(allowed)]
    assert allowed_folder(sources, f"{allowed}/inner") == str(allowed / "inner")
    for path in (allowed / "link", allowed / "inner" / ".." / ".." / "secret", tmp_path / "allowed-too", "inner"):
        assert allowed_folder(sources, str(path)) is None


def test_what_may_not_be_fetched_is_a_warning_at_its_workspace():
    stated = [
        (("a",), Repository("x", "git", "https://host.example/team/widget.git")),
        (("b",), Repository("x", "git", "https://host.example/team/../secret")),
        (("c",), Repository("x", "local", "./in-the-pack")),
        (("d",), Repository("x", "local", "/srv/nobody-allows-it")),
    ]
    assert [(found.code, found.path) for found in refused(SOURCES, stated)] == [
        ("pack.W010", ("b",)),
        ("pack.W010", ("d",)),
    ]
