"""What the index of words finds: rows that a user may see, the best first."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from packs.formats.document import NodeKind
from packs.mirror import MODELS
from packs.models import Pack, SearchEntry
from packs.views.workbench.addresses import workbench_url
from packs.views.workbench.desk import KIND_NAMES
from packs.words import sought
from runs.models import Agent, Run, Trial
from studio.rooms import address
from studio.templatetags.ui import run_title

# How many hits a group shows.
LIMIT = 7


NODE_ICONS = {
    NodeKind.CHALLENGE: "target",
    NodeKind.INPUT_SET: "list-tree",
    NodeKind.CASE: "file-text",
    NodeKind.ASSET: "paperclip",
}
Refs = list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that can be opened; where `theme` is given, choosing it changes the theme instead."""

    title: str
    url: str
    icon: str
    detail: str = ""
    theme: str = ""


class Question:
    """The words that somebody looks for.

    Some of them may name a pack, and the others what is in it: `refund px-1` finds the case PX-1 of the refund pack,
    though the case does not say `refund`.
    """

    def __init__(self, user: Any, text: str) -> None:
        self.user, self.words, self.is_blank = user, sought(text), not text.strip()
        self.entries = SearchEntry.objects.visible_to(user)
        self.scopes = dict(self._scopes()) if self.words else {}

    def _scopes(self) -> Iterator[tuple[tuple[str, ...], list[int]]]:
        """The words that are left where the others name packs, with these packs; the fewest words first."""
        found: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for pack, name in self.entries.filter(kind="pack").values_list("ref", "name"):
            held = name.split()
            rest = tuple(word for word in self.words if not any(part.startswith(word) for part in held))
            if len(rest) < len(self.words):
                found[rest].append(pack)
        yield from sorted(found.items(), key=lambda scope: len(scope[0]))

    def refs(self, *kinds: str, whole_packs: bool = False) -> Refs:
        """The rows of these kinds that have the words; with `whole_packs` also those of packs that have all of them."""
        if not self.words:
            return []
        found = dict.fromkeys(_first(self.entries.having(self.words, kinds)))
        for rest, packs in self.scopes.items():
            within = self.entries.filter(pack__in=packs)
            if len(found) < LIMIT and rest:
                found.update(dict.fromkeys(_first(within.having(rest, kinds))))
            elif len(found) < LIMIT and whole_packs:
                found.update(dict.fromkeys(_first(within.filter(kind__in=kinds).order_by("-ref"))))
        return list(found)[:LIMIT]

    def rows(self, refs: Refs, kind: str, rows: QuerySet[Any]) -> dict[int, Any]:
        """The rows of a kind among these that the user may see; the index alone decides nothing."""
        keys = [ref for each, ref in refs if each == kind]
        return {row.pk: row for row in rows.filter(pk__in=keys)} if keys else {}


def _first(entries: Any) -> Refs:
    return list(entries.values_list("kind", "ref")[:LIMIT])


def pack_hits(question: Question) -> list[Hit]:
    """Packs by their words; without any, those that were changed last."""
    rows = Pack.objects.visible_to(question.user).select_related("team").defer("document", "findings")
    if not question.is_blank:
        refs = question.refs("pack")
        found = question.rows(refs, "pack", rows)
        packs = [found[ref] for _, ref in refs if ref in found]
    else:
        packs = list(rows.order_by("-updated_at")[:LIMIT])
    return [Hit(str(row), address("packs:overview", row.team.slug, row.slug), "package", row.slug) for row in packs]


def node_hits(question: Question) -> list[Hit]:
    """Challenges, input sets, cases and assets of drafts."""
    refs = question.refs(*(kind.value for kind in NODE_ICONS))
    found: dict[tuple[str, int], Hit] = {}
    for kind, icon in NODE_ICONS.items():
        rows = MODELS[kind].objects.visible_to(question.user).select_related("pack__team").defer("document", "findings")
        for pk, row in question.rows(refs, kind.value, rows).items():
            found[kind.value, pk] = Hit(
                row.key or KIND_NAMES[kind], workbench_url(row.pack, row), icon, f"{KIND_NAMES[kind]} · {row.pack.slug}"
            )
    return [found[ref] for ref in refs if ref in found]


def run_hits(question: Question) -> list[Hit]:
    """Runs by name, number, metadata or pack; without words, the newest."""
    rows = Run.objects.visible_to(question.user).select_related("version__pack").defer("scorecard")
    if not question.is_blank:
        refs = question.refs("run", whole_packs=True)
        found = question.rows(refs, "run", rows)
        runs = [found[ref] for _, ref in refs if ref in found]
    else:
        runs = list(rows.order_by("-id")[:LIMIT])
    return [
        Hit(run_title(row), address("runs:show", row.pk), "circle-play", f"#{row.pk} · {row.version}") for row in runs
    ]


def trial_hits(question: Question) -> list[Hit]:
    """Trials that ended, by case, agent, answer or error."""
    refs = question.refs("trial")
    rows = Trial.objects.visible_to(question.user).select_related("run", "run_agent")
    found = question.rows(refs, "trial", rows.defer("scorecard", "final_output", "run__scorecard", "run_agent__config"))
    trials = [found[ref] for _, ref in refs if ref in found]
    return [
        Hit(
            f"{row.case_key or row.run_agent.name} · {row.get_status_display().lower()}",
            address("runs:trial", row.pk),
            "flag",
            f"#{row.run_id} · {row.run_agent.name}",
        )
        for row in trials
    ]


def agent_hits(question: Question) -> list[Hit]:
    refs = question.refs("agent")
    found = question.rows(refs, "agent", Agent.objects.visible_to(question.user).defer("config"))
    agents = [found[ref] for _, ref in refs if ref in found]
    return [Hit(row.name, address("runs:agent", row.pk), "bot", row.kind) for row in agents]
