"""Who has a draft open, in files and in Redis alike."""

import os
import shutil
import time
from pathlib import Path

import pytest

from packs import editing
from packs.editing import Change
from packs.editing.presence import LIFE, come, is_quiet, leave, others
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of
from tests.services import redis, wait_until

DRAFT, MINE, THEIRS = 7, "1-aaaaaaaa", "2-bbbbbbbb"


@pytest.fixture(scope="module")
def redis_address():
    if shutil.which("redis-server") is None:
        pytest.skip("Redis is not installed")
    with redis() as server:
        yield server.address


@pytest.fixture(params=["files", "redis"])
def place(request, settings, tmp_path):
    """Where presence is kept."""
    settings.VAR_DIR = tmp_path
    settings.REDIS_URL = request.getfixturevalue("redis_address") if request.param == "redis" else ""
    yield request.param
    for visit in (MINE, THEIRS):
        leave(DRAFT, visit)


def settled(visit, said):
    """Come, and wait until the page may hear that nothing is new."""
    wait_until(lambda: come(DRAFT, visit, said), "a turn")
    return come(DRAFT, visit, said)


def test_others_hear_what_a_visit_said_last_until_it_leaves(place):
    come(DRAFT, MINE, {"name": "ann"})
    come(DRAFT, THEIRS, {"name": "ben", "at": "~key"})
    come(DRAFT, THEIRS, {"name": "ben", "at": "~name"})
    assert others(DRAFT, MINE) == [{"name": "ben", "at": "~name"}]
    assert others(DRAFT + 1, MINE) == []
    leave(DRAFT, THEIRS)
    assert others(DRAFT, MINE) == []


def test_nothing_is_new_until_somebody_comes_moves_or_goes(place):
    for act in (
        lambda: come(DRAFT, THEIRS, {"at": "~key"}),
        lambda: come(DRAFT, THEIRS, {"at": "~name"}),
        lambda: leave(DRAFT, THEIRS),
    ):
        token = settled(MINE, {"name": "ann"})
        assert is_quiet(token)
        assert come(DRAFT, MINE, {"name": "ann"}), "saying the same is nothing new"
        assert is_quiet(token)
        act()
        assert not is_quiet(token)


def test_an_edit_is_new(place, transactional_db, team, author):
    draft = draft_of(team)
    wait_until(lambda: come(draft.pk, MINE, {}), "a turn")
    token = come(draft.pk, MINE, {})
    assert is_quiet(token)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "Other")], author)
    assert not is_quiet(token)
    leave(draft.pk, MINE)


def test_what_nobody_signed_is_not_quiet(place):
    token = settled(MINE, {})
    assert not is_quiet(f"{token}x")
    assert not is_quiet("")
    leave(DRAFT, MINE)
    assert not is_quiet(token)


def test_who_gives_no_sign_of_life_is_gone(settings, tmp_path):
    settings.VAR_DIR, settings.REDIS_URL = tmp_path, ""
    come(DRAFT, MINE, {"name": "ann"})
    silent = time.time() - LIFE - 1
    os.utime(Path(tmp_path, "presence", str(DRAFT), MINE), (silent, silent))
    assert others(DRAFT, THEIRS) == []


def test_a_store_that_is_down_stops_nobody(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert come(DRAFT, MINE, {}) == ""
    assert others(DRAFT, MINE) == []
    leave(DRAFT, MINE)
