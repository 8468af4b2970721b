"""Having judges say what they make of the answers of cases, and what that takes, before they are asked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from packs.jobs import start_once
from packs.jobs.progress import Progress
from packs.models import Case, InputSet, Job, JobStatus, Pack, Team
from runs.agents.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, Trouble, Usage
from runs.grading.judges import Bench
from runs.grading.judges.limits import REPLY_TOKENS, estimate
from runs.jobs.proofs import (
    PROVE,
    CompiledCase,
    Nothing,
    ProofRefused,
    Subject,
    draft_of,
    heed_permission,
    is_quick,
    prove_all,
    prove_rows,
)
from runs.jobs.trials.judges import MOST_AT_ONCE
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.jobs.trials.tryouts import task_of
from runs.models.answerers import find_answerer
from runs.models.answering import endpoints_for
from runs.models.clerk import close_connection
from runs.models.spending import charged
from runs.proof.document import CaseProof
from runs.proof.needs import asks_models
from runs.proof.packing import Prover, prove_pack
from runs.proof.suggesting import Estimate
from runs.quotas import heed_money

# What a job does with the judges of cases, in its parameter `judges`: say what asking takes, or ask.
COUNT, ASK = "estimate", "ask"
ACTS = (COUNT, ASK)
# Estimates are looked for among so many of the newest proofs of a pack.
RECENT_JOBS = 50


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose judges are asked: those of one case, of one input set, or of all cases of a draft."""

    pack: Pack
    case: Case | None = None
    input_set: InputSet | None = None

    def parameters(self, act: str) -> dict[str, Any]:
        """Those of the job that does this."""
        case = {"case": self.case.pk} if self.case else {}
        chosen = {"input_set": self.input_set.pk} if self.input_set else {}
        return {"version": None, **case, **chosen, "judges": act}

    def __str__(self) -> str:
        return (
            self.case.key if self.case else f"{self.pack} / {self.input_set.key}" if self.input_set else str(self.pack)
        )


@dataclass(slots=True)
class _Counting:
    """Stands for the endpoints of a team: counts what they would be asked, by model, and answers nothing."""

    team: Team
    calls: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    name: str = ""
    provider: str = ""
    address: str = ""
    has_responses: bool = False

    def endpoint_for(self, model: str) -> Endpoint | None:
        """Itself, where somebody answers for a model."""
        return self if find_answerer(self.team, {}, model) else None

    def ask(self, request: ModelRequest) -> ModelReply:
        """Raises EndpointFailed."""
        self.calls[request.model] += 1
        self.tokens[request.model] += estimate(request.messages)
        raise EndpointFailed(Trouble.NOT_ALLOWED, "Nobody is asked yet.")

    def respond(self, request: ModelRequest) -> ModelReply:
        """Raises EndpointFailed."""
        return self.ask(request)

    def cost_of(self, model: str) -> float | None:
        """About what the calls of a model cost in US dollars; None where no price is known."""
        answerer = find_answerer(self.team, {}, model)
        price = answerer.connection.prices.get(answerer.model) if answerer else None
        replied = self.calls[model] * REPLY_TOKENS
        return price.of(Usage(self.tokens[model] - replied, replied)) if price is not None else None


def judging_of(case: Case) -> Estimate | None:
    """About what it takes to prove a case of a draft with its judges: each answer that would be tried is prepared, and
    nobody is asked.

    None where no model judges, or nobody answers for one; where programs run or the pack is large, until a job has
    said it of the draft as it is. Raises ProofRefused.
    """
    task = task_of(case)
    if task is None or not asks_models(task):
        return None
    if not is_quick(case):
        return estimate_of_job(Scope(case.pack, case))
    subject = draft_of(case.pack)
    return _counted(subject, [row for row in subject.rows if row.node == case.pk])


def is_estimated_by_job(case: Case) -> bool:
    """Whether a job has to say what asking the judges of a case takes."""
    task = task_of(case)
    return task is not None and asks_models(task) and not is_quick(case)


def estimate_of_job(scope: Scope) -> Estimate | None:
    """What the latest job said that asking takes; None where none did of the draft as it is."""
    jobs = Job.objects.filter(kind=PROVE, pack=scope.pack, parameters=scope.parameters(COUNT))
    latest = jobs.filter(status=JobStatus.COMPLETED).first()
    if latest is None or latest.outcome.get("revision") != scope.pack.revision or not latest.outcome["estimate"]:
        return None
    return Estimate(**latest.outcome["estimate"])


def estimates_of(pack: Pack) -> list[tuple[Scope, Estimate, int]]:
    """What jobs said of whole sets of the draft as it is: what was looked at, what asking takes, and how many cases."""
    sets = {each.pk: each for each in InputSet.objects.filter(pack=pack)}
    found: dict[int | None, tuple[Scope, Estimate, int]] = {}
    jobs = Job.objects.filter(kind=PROVE, pack=pack, status=JobStatus.COMPLETED)[:RECENT_JOBS]
    for job in jobs:
        given, said = job.parameters, job.outcome
        chosen = given.get("input_set")
        is_of_set = given.get("judges") == COUNT and "case" not in given and chosen in (None, *sets)
        if is_of_set and said["revision"] == pack.revision and said["estimate"]:
            scope = Scope(pack, input_set=sets.get(chosen))
            found.setdefault(chosen, (scope, Estimate(**said["estimate"]), said["judged"]))
    return list(found.values())


def _counted(subject: Subject, rows: Sequence[CompiledCase], progress: Progress | None = None) -> Estimate | None:
    counting = _Counting(subject.pack.team)
    chosen = [row.task for row in rows]
    prover = Prover(subject.tree, subject.notes, chosen_sandbox(), Bench(counting.endpoint_for))
    proofs = prove_pack(prover, [row.task for row in subject.rows], chosen, Nothing(), alone=True)
    for number, _ in enumerate(proofs, start=1):
        if progress is not None:
            progress.tick(number)
    costs = [counting.cost_of(model) for model in counting.calls]
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    return Estimate(counting.calls.total(), counting.tokens.total(), cost) if costs else None


def start_estimating(scope: Scope, user: User) -> Job:
    """The job that says what asking the judges takes."""
    return _start(scope, COUNT, user, f"Estimate what judges of {scope} take")


def start_judging(scope: Scope, user: User) -> Job:
    """The job that proves cases of a draft and asks their judges about each answer.

    Raises QuotaReached, and ProofRefused (no_estimate) where nobody can know yet what that takes.
    """
    taken = estimate_of_job(scope) if scope.case is None else judging_of(scope.case)
    if taken is None:
        message = "Nobody knows yet what asking these judges takes: ask for the estimate first, at the draft as it is."
        raise ProofRefused("no_estimate", message)
    heed_money(scope.pack.team, lambda: known_cost(taken))
    return _start(scope, ASK, user, f"Prove {scope} with its judges")


def _start(scope: Scope, act: str, user: User, title: str) -> Job:
    return start_once(PROVE, scope.pack, scope.parameters(act), team=scope.pack.team, user=user, title=title[:300])


def known_cost(taken: Estimate | None) -> float:
    """What asking is expected to cost in US dollars, as far as that is known."""
    return (taken.cost_usd if taken else None) or 0.0


def prove_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Prove all cases of a draft, or of a version (parameter: version); or what `judges` says for those of a draft, of
    one set (parameter: input_set) or one (case). Raises ProofRefused."""
    act = job.parameters.get("judges")
    if act is None:
        return prove_all(job, progress)
    pack = heed_permission(job)
    progress.phase("Reading the cases")
    subject = draft_of(pack)
    rows = _rows_of(job, subject)
    if act == COUNT:
        progress.phase("Preparing the answers", len(rows))
        taken = _counted(subject, rows, progress)
        return {"revision": subject.revision, "judged": len(rows), "estimate": asdict(taken) if taken else None}
    proofs = _judged(job, subject, rows, progress)
    return {"judged": len(proofs), "cases": Counter(proof.state.value for proof in proofs)}


def _rows_of(job: Job, subject: Subject) -> list[CompiledCase]:
    given, rows = job.parameters, [row for row in subject.rows if asks_models(row.task)]
    if "input_set" in given:
        held = set(Case.objects.filter(pack=subject.pack, input_set=given["input_set"]).values_list("pk", flat=True))
        rows = [row for row in rows if row.node in held]
    rows = [row for row in rows if given.get("case") in (None, row.node)]
    if not rows:
        raise ProofRefused("no_case", "The draft has no such case any more that a model judges.")
    return rows


def _judged(job: Job, subject: Subject, rows: Sequence[CompiledCase], progress: Progress) -> list[CaseProof]:
    """The proofs of the cases whose judges this job asks: each is kept before the next case begins."""
    seen = job.outcome
    if seen and (seen.get("revision") != subject.revision or seen["begun"] >= len(rows)):
        message = "The worker was lost while judges were asked. Ask again: what they said is not known."
        raise ProofRefused("not_answered", message)
    progress.phase("Asking the judges")
    threads = min(MOST_AT_ONCE, settings.TRIAL_THREADS)
    team, proofs = subject.pack.team, []
    bench = Bench(charged(endpoints_for(team, {}), team.pk), threads=threads, leave_thread=close_connection)
    graded = 0

    def tick(done: int) -> None:
        progress.tick(graded + done)

    # Judges cost money: a job that is begun anew asks nobody a second time, and goes on after the case that was lost.
    for number in range(seen["begun"] if seen else 0, len(rows)):
        note = {"revision": subject.revision, "begun": number + 1}
        Job.objects.filter(pk=job.pk).update(outcome=note)
        proofs += prove_rows(subject, [rows[number]], tick, bench)
        graded += proofs[-1].tried
    return proofs
