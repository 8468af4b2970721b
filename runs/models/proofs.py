"""What was found out about the cases of drafts and versions (docs/proof.md)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Case as If
from django.db.models import Count, Max, OuterRef, Q, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from packs.access import InPackQuerySet
from packs.columns import DocumentField
from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.models import Case, Edit, Pack, PackVersion, VersionCase
from packs.models.searched import BATCH
from runs.proof.document import CaseState, mean_strength, worst


class StoredProof(models.Model):
    """The proof of a case of a draft, or of a version where that is stated; `node` is the id of the case's row.

    `digest` is of all that it depends on, `document` what `pack prove --json` says of the case. `wrong` counts the
    answers that must be refused, `refused` those of them that are. `revision` is the draft's, and `row_revision` that
    of the case's row, for which it was made.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="proofs")
    version = models.ForeignKey(PackVersion, models.CASCADE, null=True, related_name="proofs")
    node = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    state = models.CharField(max_length=20)
    strength = models.FloatField(null=True)
    wrong = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    document = DocumentField(default=dict)
    revision = models.PositiveIntegerField()
    row_revision = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(auto_now=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pack", "node"], condition=Q(version=None), name="one_proof_per_draft_case"
            ),
            models.UniqueConstraint(fields=["version", "node"], name="one_proof_per_version_case"),
        ]

    def __str__(self) -> str:
        return f"{self.state} case {self.node} of {self.pack_id}"


@dataclass(frozen=True)
class Summary:
    """What is known of all cases of a draft or a version together: how many are in each state, and the mean of the
    strengths of those that have one."""

    counts: Counter[CaseState]
    strength: float | None = None

    @property
    def state(self) -> CaseState:
        """The worst state of a case."""
        return worst(self.counts)

    def as_dict(self) -> dict[str, Any]:
        counts = {state.value: self.counts[state] for state in CaseState}
        return {"state": self.state.value, "strength": self.strength, "counts": counts}


@dataclass(frozen=True)
class Standing:
    """What is known of all cases of a draft or a version: the state of each by the id of its row, in their order, and
    the strengths of those that have one."""

    states: Mapping[int, CaseState]
    strengths: Mapping[int, float]

    @cached_property
    def counts(self) -> Counter[CaseState]:
        """How many cases are in each state."""
        return Counter(self.states.values())

    @property
    def summary(self) -> Summary:
        return Summary(self.counts, self.strength)

    @property
    def state(self) -> CaseState:
        """The worst state of a case."""
        return self.summary.state

    @property
    def proven(self) -> int:
        return self.counts[CaseState.PROVEN]

    @property
    def strength(self) -> float | None:
        """The mean of the cases that have one."""
        return mean_strength(self.strengths.values())


def in_order(pack: Pack) -> models.QuerySet[Case]:
    """The cases of a draft in the order in which they are compiled."""
    return Case.objects.filter(pack=pack).order_by("input_set__position", "input_set__pk", "position", "pk")


def with_proofs(pack: Pack, cases: models.QuerySet[Case]) -> models.QuerySet[Any]:
    """Cases of a draft with `proof`, the state of each as it is now, and `proof_strength`, None where nothing is known.

    A proof is stale once its case changed, or anything that the cases share.
    """
    return _with_proofs(cases, Value(shared_revisions({pack.pk: pack.format}).get(pack.pk, 0)))


def _with_proofs(cases: models.QuerySet[Case], shared: Any) -> models.QuerySet[Any]:
    """See `with_proofs`; `shared` is the revision at which something was last changed that the cases share."""
    known = StoredProof.objects.filter(pack=OuterRef("pack"), version=None, node=OuterRef("pk")).order_by()
    is_old = ~Q(row_revision=OuterRef("revision")) | Q(revision__lt=shared)
    now = known.annotate(now=If(When(is_old, then=Value(CaseState.STALE.value)), default="state")).values("now")
    return cases.annotate(
        proof=Coalesce(Subquery(now[:1]), Value(CaseState.UNPROVEN.value)),
        proof_strength=Subquery(known.values("strength")[:1]),
    )


def standing_of(pack: Pack) -> Standing:
    """What is known of the cases of a draft as they are now."""
    found: Any = with_proofs(pack, in_order(pack)).values_list("pk", "proof", "proof_strength")
    rows = list(found.iterator())
    strengths = {pk: strength for pk, _, strength in rows if strength is not None}
    return Standing({pk: CaseState(state) for pk, state, _ in rows}, strengths)


def shared_revisions(packs: Mapping[int, str]) -> dict[int, int]:
    """The revision of each draft at which something was last changed that its cases share; its version number is not.

    `packs` are the formats of drafts by their ids; a draft in which nothing else was changed yet is left out.
    """
    edits = Edit.objects.filter(pack__in=packs).exclude(kind=NodeKind.CASE).order_by()
    for name in set(packs.values()):
        if pointer := adapter_of(name).VERSION_POINTER:
            edits = edits.exclude(kind=NodeKind.PACK, pointer=pointer, pack__format=name)
    return dict(edits.values_list("pack").annotate(Max("touched")))


def summaries_of(packs: Sequence[int]) -> dict[int, Summary]:
    """What is known of the cases of many drafts as they are now, by their ids; in four queries for up to 500."""
    found: dict[int, Summary] = {}
    for at in range(0, len(packs), BATCH):
        some = packs[at : at + BATCH]
        sizes = Case.objects.filter(pack__in=some).order_by().values_list("pack").annotate(Count("pk"))
        untried = {pk: Summary(Counter({CaseState.UNPROVEN: size})) for pk, size in sizes}
        found |= {pk: Summary(Counter()) for pk in some} | untried | _tried(some)
    return found


def _tried(packs: Sequence[int]) -> dict[int, Summary]:
    """The same of those drafts of which some case was tried."""
    known = StoredProof.objects.filter(pack__in=packs, version=None).order_by()
    formats = dict(known.values_list("pack", "pack__format").distinct())
    if not formats:
        return {}
    shared = [When(pack=pk, then=Value(revision)) for pk, revision in shared_revisions(formats).items()]
    cases = Case.objects.filter(pack__in=formats).annotate(shared=If(*shared, default=Value(0)))
    groups = _with_proofs(cases, OuterRef("shared")).order_by().values_list("pack", "proof")
    return _summed(groups.annotate(Count("pk"), Sum("proof_strength"), Count("proof_strength")))


def summaries_of_versions(versions: Sequence[int]) -> dict[int, Summary]:
    """What is known of the cases of many versions, by their ids."""
    groups = StoredProof.objects.filter(version__in=versions).order_by().values_list("version", "state")
    found = _summed(groups.annotate(Count("pk"), Sum("strength"), Count("strength")))
    for pk, size in PackVersion.objects.filter(pk__in=versions).values_list("pk", "case_count"):
        summary = found.get(pk, Summary(Counter()))
        untried = Counter({CaseState.UNPROVEN: size - summary.counts.total()})
        found[pk] = replace(summary, counts=summary.counts + untried)
    return found


def _summed(groups: Iterable[tuple[int, str, int, float | None, int]]) -> dict[int, Summary]:
    """The summaries of groups of cases: whose they are, their state and number, the sum and number of strengths."""
    counts: dict[int, Counter[CaseState]] = defaultdict(Counter)
    sums: dict[int, float] = defaultdict(float)
    strong: Counter[int] = Counter()
    for owner, state, count, strength, having in groups:
        counts[owner][CaseState(state)] += count
        sums[owner] += strength or 0
        strong[owner] += having
    return {pk: Summary(counts[pk], round(sums[pk] / strong[pk], 4) if strong[pk] else None) for pk in counts}


def standing_of_version(version: PackVersion, input_set: str = "") -> Standing:
    """What is known of the cases of a version, or of one input set of it; they never change."""
    known = dict(StoredProof.objects.filter(version=version).values_list("node", "state"))
    strong = dict(StoredProof.objects.filter(version=version).exclude(strength=None).values_list("node", "strength"))
    cases = VersionCase.objects.filter(version=version).order_by("input_set__position", "position")
    chosen = cases.filter(input_set__key=input_set) if input_set else cases
    states = {pk: CaseState(known.get(pk, CaseState.UNPROVEN)) for pk in chosen.values_list("pk", flat=True)}
    return Standing(states, {pk: strong[pk] for pk in states if pk in strong})


def proven_rows(version: int) -> models.QuerySet[StoredProof]:
    """The proofs of the cases of a version that are proven; `node` is the id of a case."""
    return StoredProof.objects.filter(version=version, state=CaseState.PROVEN)


def report_of(pack: Pack) -> dict[str, Any]:
    """What is known of the cases of a draft, in the shape of `pack prove --json`."""
    standing = standing_of(pack)
    cases = list(_reported(pack, in_order(pack), standing.states))
    shape = {"path": pack.slug, "format": pack.format, "state": standing.state.value, "strength": standing.strength}
    return {**shape, "cases": cases, "findings": []}


def report_of_case(case: Case) -> dict[str, Any]:
    """What is known of one case of a draft, in the shape of `pack prove --json`."""
    rows = in_order(case.pack).filter(pk=case.pk)
    [(pk, state)] = with_proofs(case.pack, rows).values_list("pk", "proof")
    return next(_reported(case.pack, rows, {pk: CaseState(state)}))


def _reported(pack: Pack, cases: models.QuerySet[Case], states: Mapping[int, CaseState]) -> Iterator[dict[str, Any]]:
    rows = StoredProof.objects.filter(pack=pack, version=None, node__in=cases.order_by().values("pk"))
    known = dict(rows.values_list("node", "document").iterator())
    untried: dict[str, Any] = {"strength": None, "tried": 0, "wrong": 0, "refused": 0, "reasons": [], "accepted": []}
    untried["spread"] = None
    for pk, set_key, challenge, key in cases.values_list("pk", "input_set__key", "challenge_key", "key"):
        named = {"input_set": set_key, "challenge_key": challenge, "case_key": key}
        yield named | {**untried, **known.get(pk, {}), "state": states[pk].value}


def carry_over(pack: Pack, version: PackVersion) -> None:
    """Give the cases of a new version the proofs that those of its draft have, but for stale ones."""
    standing = standing_of(pack)
    names = ("input_set__key", "challenge_key", "key")
    frozen = {tuple(row[:3]): row[3] for row in VersionCase.objects.filter(version=version).values_list(*names, "pk")}
    rows = {row.node: row for row in StoredProof.objects.filter(pack=pack, version=None)}
    made = []
    for *key, pk in Case.objects.filter(pack=pack).values_list(*names, "pk"):
        if pk in rows and tuple(key) in frozen and standing.states[pk] is not CaseState.STALE:
            row = rows[pk]
            row.pk, row.version, row.node = None, version, frozen[tuple(key)]
            made.append(row)
    StoredProof.objects.bulk_create(made, BATCH)
