import types
from contextlib import contextmanager

import pytest

from runs.sandbox.choice import Choice, Policy
from runs.sandbox.contract import Isolation, Limits, Room, SandboxUnavailable


def kind(isolation, trouble=""):
    opened = []

    @contextmanager
    def open_workspace(room):
        opened.append(room)
        yield None

    return types.SimpleNamespace(
        LABEL="", HELP="", ISOLATION=isolation, obstacle=lambda: trouble, open_workspace=open_workspace, opened=opened
    )


def choice(trouble="", **policy):
    kinds = {
        "container": kind(Isolation.FULL),
        "best": kind(Isolation.FULL, trouble),
        "weaker": kind(Isolation.REDUCED, trouble),
        "local": kind(Isolation.NONE),
    }
    return Choice(kinds, Policy(**policy))


def test_the_best_kind_that_the_machine_can_have_is_taken():
    assert (choice().kind, choice().ISOLATION) == ("best", Isolation.FULL)
    found = choice()
    found.sandboxes["best"].obstacle = lambda: "missing"
    assert (found.kind, found.ISOLATION) == ("weaker", Isolation.REDUCED)


def test_no_isolation_is_only_had_by_permission():
    assert choice("missing").kind == ""
    assert choice("missing").obstacle() != ""
    assert choice("missing", allows_local=True).kind == "local"
    assert choice(allows_local=True).kind == "best"
    assert choice(kind="local").obstacle() != ""
    assert choice(kind="local", allows_local=True).kind == "local"


def test_a_kind_that_does_not_exist_is_told_and_not_replaced():
    assert choice(kind="cage", allows_local=True).kind == ""
    with pytest.raises(SandboxUnavailable):
        choice(kind="cage").open_workspace(Room())


def test_the_administrators_folders_are_seen_in_every_room():
    found = choice(shared_paths=("/opt/agents",))
    with found.open_workspace(Room(shared_paths=("/opt/mine",))):
        assert found.sandboxes["best"].opened[0].shared_paths == ("/opt/mine", "/opt/agents")


def test_the_network_is_shared_only_where_the_administrator_allows_it():
    with pytest.raises(SandboxUnavailable):
        choice().open_workspace(Room(network=True))
    with choice(allows_network=True).open_workspace(Room(network=True)):
        pass
    with choice(kind="local", allows_local=True).open_workspace(Room(network=True)):
        pass


def test_a_room_with_an_image_is_opened_by_containers_or_not_at_all():
    found = choice()
    with found.open_workspace(Room(image="python:3")):
        assert len(found.sandboxes["container"].opened) == 1
    for trouble in ("no engine", None):
        broken = choice()
        if trouble:
            broken.sandboxes["container"].obstacle = lambda: "no engine"
        else:
            del broken.sandboxes["container"]
        with pytest.raises(SandboxUnavailable):
            broken.open_workspace(Room(image="python:3"))


def test_an_image_that_is_optional_gives_way_to_a_plain_folder_where_there_are_no_containers():
    found = choice()
    room = Room(image="python:3", image_is_optional=True)
    with found.open_workspace(room):
        assert found.sandboxes["container"].opened == [room]
    without = choice()
    without.sandboxes["container"].obstacle = lambda: "no engine"
    with without.open_workspace(room):
        assert without.sandboxes["best"].opened[0].image == ""
    with pytest.raises(SandboxUnavailable):
        without.open_workspace(Room(image="python:3"))


def test_more_memory_than_the_site_gives_is_refused_with_what_would_allow_it():
    asked = Room(limits=Limits(memory_bytes=3 * 1024**3))
    with pytest.raises(SandboxUnavailable, match="PACKWRIGHT_SANDBOX_MEMORY=3072"):
        choice().open_workspace(asked)
    for found in (choice(memory_bytes=3 * 1024**3), choice(memory_bytes=4 * 1024**3)):
        with found.open_workspace(asked):
            assert found.sandboxes["best"].opened == [asked]
    with choice(memory_bytes=1).open_workspace(Room()):
        pass


def test_packages_that_the_machine_lacks_are_named_before_anything_is_run():
    lacked = Room(packages=("packwright-has-no-such-package",))
    with pytest.raises(SandboxUnavailable, match="packwright-has-no-such-package"):
        choice().open_workspace(lacked)
    in_image = choice()
    with in_image.open_workspace(Room(image="debian:12", packages=lacked.packages)):
        assert in_image.sandboxes["container"].opened[0].packages == lacked.packages
