"""How far the verdicts of a run can be relied on: how many come from cases whose graders are proven."""

from runs.models import Run, StoredProof, Trial
from runs.models.trials import JUDGED
from runs.proof.document import CaseState


def proven_verdicts(run: Run) -> int | None:
    """How many trials passed or failed at cases that are proven; None where no case of the version was ever tried."""
    known = StoredProof.objects.filter(version=run.version_id)
    if not known.exists():
        return None
    proven = known.filter(state=CaseState.PROVEN).values("node")
    return Trial.objects.filter(run=run, status__in=JUDGED, case__in=proven).count()
