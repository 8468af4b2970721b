"""Who has a draft open, and at which field; and whether anything happened to it.

This is kept beside the database, in Redis where there is one and else in files: it is worth neither a row nor a lock,
and what is lost is said again within seconds. It is stored as JSON, so that reading it runs nothing. Each draft has a
turn, another one after every edit and whenever somebody comes, goes or moves; pages that ask again and again hear
"nothing new" while it is the same, and the database is not asked.
"""

import json
import os
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from django.conf import settings
from django.core import signing
from django.db import transaction

from packs.formats.later import Later

if TYPE_CHECKING:
    import redis
else:
    # Most studios have none; it would take a tenth of a second of every start.
    redis = Later("redis")

# Who gave no sign of life for so many seconds has gone.
LIFE = 10
# So many seconds a page may hear "nothing new"; then the rights of its user are looked at again.
QUIET = 30
# More people than this are not shown.
MOST = 100
# Folders note their times this coarsely, in nanoseconds: a second change within them might leave the same time.
COARSE = 50_000_000
# Seconds that Redis has to answer, and for which it keeps what nobody asks for.
PATIENCE, KEPT = 0.5, 3600
SALT = "packs.presence"

Said = dict[str, Any]


class Store(Protocol):
    """Where presence is kept; a visit is one page that somebody has open."""

    def come(self, draft: int, visit: str, said: Said) -> None:
        """Note where a visit is."""

    def stay(self, draft: int, visit: str) -> str:
        """Note a sign of life. Gives the turn of the draft; empty where the visit or the turn is not known."""

    def leave(self, draft: int, visit: str) -> None:
        """A visit is over."""

    def here(self, draft: int) -> dict[str, Said]:
        """What the visits of a draft said last."""

    def stir(self, draft: int) -> None:
        """Give the draft another turn."""


class Files:
    """A folder for each draft with a file for each visit, whose time is its last sign of life. The time of the folder
    is the turn."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def come(self, draft: int, visit: str, said: Said) -> None:
        place = self.folder / str(draft)
        place.mkdir(parents=True, exist_ok=True)
        text, known = json.dumps(said), place / visit
        if known.exists() and known.read_text() == text:
            os.utime(known)
            return
        fresh = place / f"{visit}.new"
        fresh.write_text(text)
        fresh.replace(known)

    def stay(self, draft: int, visit: str) -> str:
        place = self.folder / str(draft)
        os.utime(place / visit)
        turn = place.stat().st_mtime_ns
        return str(turn) if time.time_ns() - turn > COARSE else ""

    def leave(self, draft: int, visit: str) -> None:
        (self.folder / str(draft) / visit).unlink(missing_ok=True)

    def here(self, draft: int) -> dict[str, Said]:
        found: dict[str, Said] = {}
        for known in sorted((self.folder / str(draft)).iterdir()):
            # Others come and go meanwhile.
            with suppress(FileNotFoundError):
                if time.time() - known.stat().st_mtime > LIFE:
                    known.unlink()
                elif not known.suffix:
                    found[known.name] = json.loads(known.read_text())
        return found

    def stir(self, draft: int) -> None:
        # Where nobody has the draft open there is no folder.
        with suppress(FileNotFoundError):
            os.utime(self.folder / str(draft))


class Server:
    """Redis: a set of the visits of a draft, a text for each, which ends by itself, and a count of turns."""

    def __init__(self, address: str) -> None:
        self.redis = redis.Redis.from_url(
            address, decode_responses=True, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        )

    def come(self, draft: int, visit: str, said: Said) -> None:
        text, key = json.dumps(said), _key(draft)
        before = self.redis.set(f"{key}:{visit}", text, ex=LIFE, get=True)
        with self.redis.pipeline() as steps:
            steps.sadd(key, visit)
            steps.expire(key, KEPT)
            steps.expire(f"{key}:turn", KEPT)
            if before != text:
                steps.incr(f"{key}:turn")
            steps.execute()

    def stay(self, draft: int, visit: str) -> str:
        with self.redis.pipeline() as steps:
            steps.expire(f"{_key(draft)}:{visit}", LIFE)
            steps.get(f"{_key(draft)}:turn")
            is_known, turn = steps.execute()
        return str(turn or "") if is_known else ""

    def leave(self, draft: int, visit: str) -> None:
        key = _key(draft)
        with self.redis.pipeline() as steps:
            steps.delete(f"{key}:{visit}")
            steps.srem(key, visit)
            steps.incr(f"{key}:turn")
            steps.execute()

    def here(self, draft: int) -> dict[str, Said]:
        key = _key(draft)
        visits = sorted(map(str, self.redis.smembers(key)))
        if not visits:
            return {}
        said = dict(zip(visits, self.redis.mget([f"{key}:{visit}" for visit in visits]), strict=True))
        gone = [visit for visit, text in said.items() if text is None]
        if gone:
            self.redis.srem(key, *gone)
        return {visit: json.loads(text) for visit, text in said.items() if text is not None}

    def stir(self, draft: int) -> None:
        key = f"{_key(draft)}:turn"
        with self.redis.pipeline() as steps:
            steps.incr(key)
            steps.expire(key, KEPT)
            steps.execute()


def _key(draft: int) -> str:
    return f"packwright:presence:{draft}"


def store() -> Store:
    """The store of this studio."""
    return _server(settings.REDIS_URL) if settings.REDIS_URL else Files(settings.VAR_DIR / "presence")


@lru_cache
def _server(address: str) -> Server:
    return Server(address)


def unimportant() -> suppress:
    """Nothing else fails because presence cannot be kept."""
    return suppress(OSError, ValueError, *([redis.RedisError] if settings.REDIS_URL else ()))


def come(draft: int, visit: str, said: Said) -> str:
    """Note where a visit is. Gives what `is_quiet` takes, for as long as nothing is new; empty where that is not known.

    What the page shows is to be read after this.
    """
    turn = ""
    with unimportant():
        store().come(draft, visit, said)
        turn = store().stay(draft, visit)
    return signing.dumps([draft, visit, turn], salt=SALT) if turn else ""


def is_quiet(token: str) -> bool:
    """Whether nothing is new since `come` gave this; also a sign of life of the visit."""
    try:
        draft, visit, turn = signing.loads(token, salt=SALT, max_age=QUIET)
    except signing.BadSignature:
        return False
    with unimportant():
        return bool(store().stay(draft, visit) == turn)
    return False


def leave(draft: int, visit: str) -> None:
    """A visit is over."""
    with unimportant():
        store().leave(draft, visit)


def others(draft: int, visit: str) -> list[Said]:
    """What the other visits of a draft said last."""
    with unimportant():
        return [said for each, said in store().here(draft).items() if each != visit][:MOST]
    return []


def stir(draft: int) -> None:
    """Tell the pages of a draft, once the transaction is over, that it was edited."""

    def tell() -> None:
        with unimportant():
            store().stir(draft)

    transaction.on_commit(tell)
