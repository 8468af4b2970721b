"""What the command palette can do: `run refund smoke`, `publish refund`, `compare refund`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q

from packs.models import Pack
from packs.models.versions import VersionInputSet, VersionStatus
from runs.models import Run
from studio.rooms import address

# How many hits a group shows.
LIMIT = 7


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that can be opened."""

    title: str
    url: str
    icon: str
    detail: str = ""


_Words = list[str]


def act_hits(user: Any, text: str) -> list[Hit]:
    """The acts that a text begins to name: the first word is the act, the others are in the name of what it is for."""
    word, *others = text.split() or [""]
    found = (hit for name, act in ACTS.items() if word and name.startswith(word) for hit in act(user, others))
    return list(islice(found, LIMIT))


def _runs(user: Any, words: _Words) -> Iterator[Hit]:
    """A run of an input set of the newest version of a pack."""
    rows = VersionInputSet.objects.filter(
        version__pack__in=Pack.objects.runnable_by(user), version__status=VersionStatus.RUNNABLE
    )
    for word in words:
        named = Q(version__pack__slug__icontains=word) | Q(version__pack__title__icontains=word)
        rows = rows.filter(named | Q(key__icontains=word))
    seen: set[tuple[int, str]] = set()
    for row in rows.select_related("version__pack").order_by("-version__number", "version__pack__slug", "pk")[:100]:
        if (row.version.pack_id, row.key) not in seen:
            seen.add((row.version.pack_id, row.key))
            query = urlencode({"version": row.version_id, "set": row.key})
            yield Hit(f"Run {row.version.pack} · {row.key}", f"{address('runs:new')}?{query}", "play", str(row.version))


def _publishing(user: Any, words: _Words) -> Iterator[Hit]:
    """The page that publishes a draft."""
    for pack in _named(Pack.objects.editable_by(user), words):
        yield Hit(f"Publish {pack}", address("packs:publish", pack.team.slug, pack.slug), "rocket", pack.slug)


def _comparing(user: Any, words: _Words) -> Iterator[Hit]:
    """The last run of a pack beside the one before."""
    for pack in _named(Pack.objects.visible_to(user), words):
        runs = Run.objects.visible_to(user).filter(version__pack=pack).order_by("-pk")
        ids = list(runs.values_list("pk", flat=True)[:2])
        if len(ids) == 2:
            url = f"{address('runs:compare')}?{urlencode({'ids': f'{ids[1]},{ids[0]}'})}"
            yield Hit(f"Compare the last two runs of {pack}", url, "git-compare", f"#{ids[1]} and #{ids[0]}")


def _named(packs: Any, words: _Words) -> Any:
    for word in words:
        packs = packs.filter(Q(slug__icontains=word) | Q(title__icontains=word))
    return packs.select_related("team").order_by("-updated_at")[:LIMIT]


ACTS: Mapping[str, Callable[[Any, _Words], Iterator[Hit]]] = {
    "run": _runs,
    "publish": _publishing,
    "compare": _comparing,
}
