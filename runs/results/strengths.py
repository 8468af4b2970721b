"""How strong the graders of a pack are, version by version: as a chart with its table."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, Sum

from packs.models import Pack
from runs.models import StoredProof
from runs.proof.document import CaseState
from runs.results.charts import Chart, Column

# The newest versions with a proof that are drawn.
MOST_VERSIONS = 30
COLUMNS = (
    Column("label", "Share", "text"),
    Column("at", "Published", "time"),
    Column("version", "Version", "text"),
    Column("published", "Version published", "time"),
    Column("value", "Share", "share"),
    Column("count", "Count", "count"),
    Column("of", "Of", "count"),
)


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong the graders of a version are: of `wrong` answers they refuse `refused`, of `cases` `proven` are."""

    version: int
    published_at: datetime
    wrong: int
    refused: int
    cases: int
    proven: int


def strengths_of(pack: Pack) -> list[Strength]:
    """The newest versions of which some case was tried, oldest first. Proofs of earlier releases did not count their
    answers: `wrong` is 0 there."""
    known = StoredProof.objects.filter(pack=pack, version__isnull=False).order_by()
    is_proven = Q(state=CaseState.PROVEN)
    names = ("version__number", "version__published_at", "version__case_count")
    sums = known.values_list(*names).annotate(Sum("wrong"), Sum("refused"), proven=Count("pk", filter=is_proven))
    rows = sums.order_by("-version__number")[:MOST_VERSIONS]
    found = [Strength(number, at, wrong, refused, cases, proven) for number, at, cases, wrong, refused, proven in rows]
    return found[::-1]


def strength_chart(pack: Pack) -> Chart | None:
    """The share of wrong answers that are refused, and of cases that are proven, in each version; None where no case of
    a version was tried."""
    rows = []
    for each in strengths_of(pack):
        at = each.published_at.isoformat()
        shares = {"Wrong answers refused": (each.refused, each.wrong), "Cases proven": (each.proven, each.cases)}
        rows += [(name, at, str(each.version), at, n / of, n, of) for name, (n, of) in shares.items() if of]
    about = "Cheap and mutated answers that the graders of each version refuse, and its cases that are proven."
    return Chart("strength", "trend", "Strength over versions", about, COLUMNS, tuple(rows)) if rows else None
