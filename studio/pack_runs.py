"""The runs of packs, for the pages of packs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, Max, OuterRef, Subquery

from runs.models import Run, Tryout


class PackRuns:
    """See `packs.companion.Companion`."""

    PAGES = (
        ("trends", "Results over time", "activity", "runs:trends"),
        ("gates", "Gates", "shield-check", "runs:gates"),
    )

    def newest(self, packs: Iterable[int]) -> Mapping[int, Any]:
        runs = Run.objects.filter(version__pack__in=list(packs)).order_by()
        newest = runs.values("version__pack").annotate(newest=Max("pk")).values_list("newest", flat=True)
        rows = Run.objects.filter(pk__in=list(newest)).order_by().annotate(pack=F("version__pack"))
        return {run["pack"]: run for run in rows.values("pack", "id", "status", "counts")}

    def latest(self, pack: int, count: int) -> Sequence[Any]:
        rows = Run.objects.filter(version__pack=pack).order_by("-pk")
        columns = rows.values("id", "name", "status", "counts", "trial_count", "created_at")
        return list(columns.annotate(of_version=F("version__number"), of_set=F("input_set__key"))[:count])

    def is_tried(self) -> Exists:
        return Exists(Tryout.objects.filter(pack=OuterRef("pk")))

    def last_share(self) -> Subquery:
        return Subquery(_of_outer_pack().values("pass_share")[:1])

    def last_moment(self) -> Subquery:
        return Subquery(_of_outer_pack().values("created_at")[:1])


def _of_outer_pack() -> Any:
    return Run.objects.filter(version__pack=OuterRef("pk")).order_by("-pk")
