"""What the command palette can do: `run refund smoke`, `publish refund`, `rename px-1`, `theme dark`.

The first word begins the name of an act, the others what it is about: they begin words of its name. `rs` is short for
`run s`. What the page is about comes first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.db.models import Max, QuerySet

from packs.formats.document import NodeKind
from packs.formats.findings import to_pointer
from packs.mirror import MODELS, format_of, restored
from packs.models import Pack, PackStatus, Team, VersionInputSet
from packs.views.workbench.addresses import node_url, ref_of, workbench_url
from packs.views.workbench.desk import KIND_NAMES
from packs.views.workbench.problems import nodes_with_problems
from packs.words import sought, words_of
from runs.models import Run
from runs.views.launches.launch import newest_versions
from studio.rooms import address
from studio.templatetags.ui import run_title
from studio.views.matches import LIMIT, Hit, Question
from studio.views.whereabouts import Whereabouts

# How many rows an act looks at for names that fit.
LOOKED_AT = 500
SHORT = 4
RENAMED = (NodeKind.PACK, NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.CASE)
SEVERITY_ICONS = {"error": "circle-alert", "warning": "triangle-alert"}
RAN = ("version__pack", "input_set__key")
# Columns of versions and their packs that are long and not needed here.
HEAVY = tuple(f"version__{name}" for name in ("document", "challenges", "assets", "files", "pack__document"))
THEMES = {"light": ("Light theme", "sun"), "dark": ("Dark theme", "moon"), "system": ("System theme", "monitor")}


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants an act, the words of what it is about, and where they are."""

    user: Any
    words: Sequence[str]
    here: Whereabouts

    def fits(self, *names: str) -> bool:
        """Whether every word begins one of the words of these names."""
        held = words_of(names)
        return all(any(part.startswith(word) for part in held) for word in self.words)

    def is_at(self, pack: Pack) -> bool:
        """Whether the page is about this pack."""
        return (pack.team.slug, pack.slug) == (self.here.team, self.here.pack)

    def packs(self, rows: QuerySet[Pack]) -> list[Pack]:
        """The packs that the words name: that of the page first, then those changed last."""
        rows = rows.exclude(status=PackStatus.ARCHIVED).select_related("team").defer("document", "findings")
        newest = rows.order_by("-updated_at", "pk")[:LOOKED_AT]
        found = [pack for pack in newest if self.fits(pack.title, pack.slug)]
        return sorted(found, key=lambda pack: not self.is_at(pack))[:LIMIT]


def act_hits(user: Any, text: str, here: Whereabouts | None = None) -> list[Hit]:
    """The acts that a text begins to name."""
    word, *others = text.split() or [""]
    here = here or Whereabouts()
    wish = Wish(user, sought(" ".join(others)), here)
    begun = [act for name, act in ACTS.items() if word and any(part.startswith(word) for part in name.split())]
    found = [hit for act in dict.fromkeys(begun) for hit in islice(act(wish), LIMIT)]
    if word[:1] == "r" and 1 < len(word) <= SHORT and not others:
        found += islice(_runs(Wish(user, list(word[1:]), here)), LIMIT)
    return list(dict.fromkeys(found))[:LIMIT]


def _runs(wish: Wish) -> Iterator[Hit]:
    """A run of an input set of the newest version of a pack; the sets that the user ran last come first."""
    newest = newest_versions(wish.user).order_by().values_list("newest", flat=True)  # type: ignore[misc]
    rows = VersionInputSet.objects.filter(version__in=newest)
    rows = (
        rows.select_related("version__pack__team").defer("document", *HEAVY).order_by("-version_id", "position", "pk")
    )
    mine = Run.objects.visible_to(wish.user).filter(created_by=wish.user.pk).order_by()
    last = {(pack, key): pk for pack, key, pk in mine.values_list(*RAN).annotate(last=Max("pk"))}
    named = [row for row in rows[:LOOKED_AT] if wish.fits(row.version.pack.title, row.version.pack.slug, row.key)]
    named.sort(key=lambda row: (not wish.is_at(row.version.pack), -last.get((row.version.pack_id, row.key), 0)))
    for row in named:
        query = urlencode({"version": row.version_id, "set": row.key})
        yield Hit(f"Run {row.version.pack} · {row.key}", f"{address('runs:new')}?{query}", "play", str(row.version))


def _publishing(wish: Wish) -> Iterator[Hit]:
    """The page that publishes a draft."""
    for pack in wish.packs(Pack.objects.editable_by(wish.user)):
        yield Hit(f"Publish {pack}", address("packs:publish", pack.team.slug, pack.slug), "rocket", pack.slug)


def _comparing(wish: Wish) -> Iterator[Hit]:
    """The run of the page beside the one before it; the last run of a pack beside the one before."""
    runs = Run.objects.visible_to(wish.user).order_by("-pk")
    run = runs.filter(pk=wish.here.run).first() if wish.here.run and not wish.words else None
    if run is not None:
        yield from _pair(f"Compare {run_title(run)} with the run before", runs, run.version.pack_id, run.pk)
    for pack in wish.packs(Pack.objects.visible_to(wish.user)):
        yield from _pair(f"Compare the last two runs of {pack}", runs, pack.pk)


def _pair(title: str, runs: QuerySet[Run], pack: int, last: int | None = None) -> Iterator[Hit]:
    rows = runs.filter(version__pack=pack)
    ids = list((rows.filter(pk__lte=last) if last else rows).values_list("pk", flat=True)[:2])
    if len(ids) == 2:
        url = f"{address('runs:compare')}?{urlencode({'ids': f'{ids[1]},{ids[0]}'})}"
        yield Hit(title, url, "git-compare", f"#{ids[1]} and #{ids[0]}")


def _renaming(wish: Wish) -> Iterator[Hit]:
    """The field that names a pack, challenge, input set or case; whatever refers to it follows."""
    packs = Pack.objects.editable_by(wish.user)
    question = Question(wish.user, " ".join(wish.words))
    refs = question.refs(*(kind.value for kind in RENAMED)) or [("pack", pack.pk) for pack in wish.packs(packs)]
    for kind, ref in refs:
        owner = "pk__in" if kind == NodeKind.PACK else "pack__in"
        row = MODELS[NodeKind(kind)].objects.filter(**{owner: packs}).filter(pk=ref).first()
        if row is not None:
            yield _naming(row)


def _naming(row: Any) -> Hit:
    pack, kind = (row if row.kind is NodeKind.PACK else row.pack), KIND_NAMES[row.kind].lower()
    adapter = format_of(pack)
    pointer = adapter.TITLE_POINTER if row.kind is NodeKind.PACK else adapter.KEY_POINTERS[row.kind]
    name = str(row) if row.kind is NodeKind.PACK else row.key
    return Hit(f"Rename the {kind} {name}", node_url(pack, ref_of(row), pointer), "pencil", pack.slug)


def _theme(wish: Wish) -> Iterator[Hit]:
    for theme, (label, icon) in THEMES.items():
        if wish.fits(label):
            yield Hit(label, address("studio:account"), icon, theme=theme)


def _one_theme(theme: str, wish: Wish) -> Iterator[Hit]:
    yield from _theme(replace(wish, words=(theme, *wish.words)))


def _teams(wish: Wish) -> Iterator[Hit]:
    """The packs of one team alone."""
    for team in Team.objects.visible_to(wish.user).order_by("name"):
        if wish.fits(team.name, team.slug):
            query = urlencode({"team": team.slug})
            yield Hit(f"Switch to {team}", f"{address('packs:catalogue')}?{query}", "users", team.slug)


def _findings(wish: Wish) -> Iterator[Hit]:
    """What is wrong in drafts, the errors first; each leads to its field."""
    broken = Pack.objects.visible_to(wish.user).exclude(problem_errors=0, problem_warnings=0)
    packs = replace(wish, words=()).packs(broken)
    for severity in SEVERITY_ICONS:
        for pack in packs:
            for row in nodes_with_problems(pack, severity, 0):
                yield from _found_in(wish, pack, row, severity)


def _found_in(wish: Wish, pack: Pack, row: Any, severity: str) -> Iterator[Hit]:
    name = str(pack) if row.kind is NodeKind.PACK else row.key
    for finding in (restored(item) for item in row.findings if item["severity"] == severity):
        if wish.fits(pack.title, pack.slug, name, finding.message, finding.code):
            url = workbench_url(pack, row, to_pointer(finding.path))
            yield Hit(finding.message, url, SEVERITY_ICONS[severity], f"{name} · {pack.slug}")


ACTS: Mapping[str, Callable[[Wish], Iterable[Hit]]] = {
    "run": _runs,
    "publish": _publishing,
    "compare": _comparing,
    "rename": _renaming,
    "findings problems": _findings,
    "theme": _theme,
    "light": partial(_one_theme, "light"),
    "dark": partial(_one_theme, "dark"),
    "switch team": _teams,
}
