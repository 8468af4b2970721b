"""The runs of packs, for the pages of packs."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from django.db.models import Exists, F, Max, OuterRef, QuerySet, Subquery, Sum

from packs.notices import VERSION_PUBLISHED, Notice, those
from runs.jobs.notices.noting import note
from runs.models import Run, Tryout
from runs.models.proofs import StoredProof, carry_over, summaries_of, summaries_of_versions, with_proofs


class PackRuns:
    """See `packs.companion.Companion`."""

    PAGES = (
        ("trends", "Results over time", "activity", "runs:trends"),
        ("gates", "Gates", "shield-check", "runs:gates"),
        ("proof", "Proof of cases", "badge-check", "runs:proof"),
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

    def prove(self, job: Any, progress: Any) -> Mapping[str, Any]:
        outcome: Mapping[str, Any] = import_module("runs.jobs.judging").prove_job(job, progress)
        return outcome

    def suggest(self, job: Any, progress: Any) -> Mapping[str, Any]:
        outcome: Mapping[str, Any] = import_module("runs.jobs.suggesting").suggest_job(job, progress)
        return outcome

    def unproven(self, pack: Any) -> str:
        sentence: str = _proofs().unproven(pack)
        return sentence

    def is_proof_known(self, pack: Any) -> bool:
        return StoredProof.objects.filter(pack=pack, version=None).exists()

    def with_proofs(self, pack: Any, cases: QuerySet[Any]) -> QuerySet[Any]:
        return with_proofs(pack, cases)

    def proofs_of(self, packs: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
        return {pk: found.as_dict() for pk, found in summaries_of(packs).items()}

    def proofs_of_versions(self, versions: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
        return {pk: found.as_dict() for pk, found in summaries_of_versions(versions).items()}

    def recorded_bytes(self, team: int) -> int:
        return Run._base_manager.filter(team=team).aggregate(total=Sum("recorded_bytes"))["total"] or 0

    def published(self, pack: Any, version: Any) -> None:
        carry_over(pack, version)
        note(
            Notice(
                VERSION_PUBLISHED,
                pack.team_id,
                f"Version {version.number} of {pack} was published.",
                "packs:version",
                (pack.team.slug, pack.slug, version.number),
                those(pack.created_by_id),
                version.published_by_id,
                {"pack": pack.slug, "version": version.number},
            )
        )

    def noticed(self, notice: Notice) -> None:
        note(notice)


def _proofs() -> Any:
    """What proves cases, with all graders: most processes never need it."""
    return import_module("runs.jobs.proofs")


def _of_outer_pack() -> Any:
    return Run.objects.filter(version__pack=OuterRef("pk")).order_by("-pk")
