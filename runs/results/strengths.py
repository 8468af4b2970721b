"""How strong the graders of a pack are, version by version: as a chart with its table."""

from django.db.models import Count, Sum

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


def strength_chart(pack: Pack) -> Chart | None:
    """The share of wrong answers that are refused, and of cases that are proven, in each version; None where no case of
    a version was tried."""
    known = StoredProof.objects.filter(pack=pack, version__isnull=False).order_by()
    sums = known.values_list("version").annotate(Sum("refused"), Sum("wrong"))
    refused = {pk: (right, all_) for pk, right, all_ in sums}
    proven = dict(known.filter(state=CaseState.PROVEN).values_list("version").annotate(Count("pk")))
    versions = pack.versions.filter(pk__in=refused).annotate(total=Count("cases")).order_by("-number")[:MOST_VERSIONS]
    rows = []
    for version in reversed(versions):
        at = version.published_at.isoformat()
        shares = {"Wrong answers refused": refused[version.pk]}
        shares["Cases proven"] = proven.get(version.pk, 0), version.total
        # Proofs of earlier releases did not count their answers.
        rows += [(name, at, str(version.number), at, n / of, n, of) for name, (n, of) in shares.items() if of]
    about = "Cheap and mutated answers that the graders of each version refuse, and its cases that are proven."
    return Chart("strength", "trend", "Strength over versions", about, COLUMNS, tuple(rows)) if rows else None
