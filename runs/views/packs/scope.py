"""What a page about the runs of a pack is of: the pack, one choice of cases, and perhaps one agent."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from packs.models import Pack
from packs.views.shared.lookup import Subject, find_pack
from runs.models import Run
from runs.models.runs import ALL_SETS
from runs.results.trends import NO_SET, ended_runs, set_name, sets_of
from runs.views.gates.gates import newest_of

SET_WORDS = {ALL_SETS: "All input sets", NO_SET: "The pack as a whole"}


@dataclass(frozen=True, slots=True)
class Scope:
    """`runs` are those that ended, the newest first, of `chosen`, one of `sets`."""

    subject: Subject
    sets: list[str]
    chosen: str
    runs: list[Run]

    @property
    def pack(self) -> Pack:
        return self.subject.pack

    @property
    def context(self) -> dict[str, Any]:
        """What every such page shows: the head of the pack, and the choice."""
        version = newest_of(self.pack)
        return {
            **self.subject.context,
            "versions": [version] if version else [],
            "sets": [(key, SET_WORDS.get(key, key)) for key in self.sets],
            "set": self.chosen,
            "runs": self.runs,
        }


def find_scope(request: HttpRequest, team: str, slug: str) -> Scope:
    """The runs of a pack that the user may see. Parameter: set. Raises Http404 for a pack that they may not see."""
    subject = find_pack(request.user, team, slug)
    return scope_of(
        subject,
        list(ended_runs(subject.pack).visible_to(request.user)),
        request.GET.get("set", "") or request.POST.get("set", ""),
    )


def scope_of(subject: Subject, ended: list[Run], wanted: str) -> Scope:
    """The runs of the input set that is wanted; of that of the newest run where there is no such."""
    sets = sets_of(ended)
    chosen = wanted if wanted in sets else next(iter(sets), "")
    return Scope(subject, sets, chosen, [run for run in ended if set_name(run) == chosen])
