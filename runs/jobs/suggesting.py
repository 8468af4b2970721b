"""Asking a model for probes of a case, and keeping those that a person confirms (docs/proof.md)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from packs.access import Permission, permissions
from packs.audit import record
from packs.formats.characters import storable
from packs.formats.task import Task
from packs.jobs import start_once
from packs.jobs.progress import Progress
from packs.models import Case, Job, Pack, Team
from runs.agents.endpoints.contract import EndpointFailed, ModelRequest, Usage
from runs.jobs.proofs import ProofRefused, Subject, draft_of, state_answer
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.jobs.trials.tryouts import task_of
from runs.models.connections import Connection
from runs.models.opening import open_endpoint
from runs.models.sealing import Unsealable
from runs.models.spending import Charged
from runs.models.suggestions import Suggestion, forget_suggestions
from runs.proof.author import CaseNotes
from runs.proof.packing import Prover
from runs.proof.probes import WORTHS, Work
from runs.proof.proving import reference_of, why
from runs.proof.suggesting import BadReply, Estimate, Suggested, estimate_of, read_reply, request_for
from runs.quotas import heed_money

# The kind of the job in `packs.jobs`.
SUGGEST = "suggest"
# So many suggestions wait at a case; the oldest go.
KEPT = 50
DISMISS = "dismiss"
DECISIONS = (*WORTHS, DISMISS)


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be asked, and about what asking it takes."""

    connection: Connection
    model: str
    estimate: Estimate

    @property
    def value(self) -> str:
        """What names the offer in a form."""
        return f"{self.connection.pk}:{self.model}"

    def as_dict(self) -> dict[str, Any]:
        """What programs read of it: `cost_usd` is None where no price is known."""
        named = {"connection": self.connection.pk, "name": self.connection.name, "model": self.model}
        return {**named, **asdict(self.estimate)}


def offers_for(case: Case) -> list[Offer]:
    """The models that can be asked for probes of a case; empty where errors keep it from being compiled."""
    task = task_of(case)
    return [] if task is None else list(_offers(case.pack.team, task))


def _offers(team: Team, task: Task) -> Iterator[Offer]:
    messages = request_for(task, CaseNotes())
    for connection in Connection.objects.active().filter(team=team):
        for model in connection.model_names:
            yield Offer(connection, model, estimate_of(messages, connection.prices.get(model)))


def start_suggesting(case: Case, connection: int, model: str, user: User) -> Job:
    """The job that asks a model of a connection for probes of a case. Raises ProofRefused, QuotaReached."""
    found = _connection(case.pack, connection, model)
    pack = case.pack
    heed_money(pack.team, lambda: _expected_usd(case, found, model))
    given = {"case": case.pk, "connection": found.pk, "model": model}
    title = f"Ask {model} for probes of {case.key}"[:300]
    return start_once(SUGGEST, pack, given, team=pack.team, user=user, title=title)


def _expected_usd(case: Case, connection: Connection, model: str) -> float:
    asked = (offer for offer in offers_for(case) if (offer.connection.pk, offer.model) == (connection.pk, model))
    return next((offer.estimate.cost_usd for offer in asked), None) or 0.0


def _connection(pack: Pack, pk: int, model: str) -> Connection:
    found: Connection | None = Connection.objects.active().filter(team=pack.team, pk=pk).first()
    if found is None or model not in found.model_names:
        raise ProofRefused("unknown_model", "No connection of the team answers for this model now. Choose another one.")
    return found


def suggest_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Ask for probes of a case, have its graders judge them, and keep both. Raises ProofRefused."""
    if job.pack is None or job.user is None or Permission.RUN not in permissions(job.user, job.team):
        raise ProofRefused("forbidden", "Your role in the team may not ask models any more.")
    given = job.parameters
    connection = _connection(job.pack, given["connection"], given["model"])
    progress.phase("Reading the case")
    asking = _Asking(connection, given["model"], progress, job)
    kept, usage = _suggested(job.pack, given["case"], asking, job.user)
    spent = {"tokens": usage.total_tokens, "cost_usd": usage.cost_usd}
    doubtful = sum(each.is_doubtful for each in kept)
    return {"case": given["case"], "suggestions": len(kept), "doubtful": doubtful, **spent}


def suggest_now(case: Case, offer: Offer, user: User | None) -> tuple[list[Suggestion], Usage]:
    """Ask for probes of a case in this process; those that wait at it from now on, and what asking took.

    Raises ProofRefused, QuotaReached.
    """
    heed_money(case.pack.team, lambda: offer.estimate.cost_usd or 0.0)
    return _suggested(case.pack, case.pk, _Asking(offer.connection, offer.model), user)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Whom to ask, with the job that does it, where one does."""

    connection: Connection
    model: str
    progress: Progress | None = None
    job: Job | None = None

    def phase(self, name: str) -> None:
        if self.progress is not None:
            self.progress.phase(name)

    def ask(self, task: Task, notes: CaseNotes) -> tuple[str, Usage]:
        """The reply of the model. A job that is begun anew after its worker was lost reads the reply that was kept, and
        pays for no second one. Raises ProofRefused."""
        if self.job is None:
            return _reply_of(self.connection, self.model, task, notes)
        kept, row = self.job.outcome, Job.objects.filter(pk=self.job.pk)
        if "reply" in kept:
            return kept["reply"], Usage(**kept["usage"])
        if kept.get("is_asked"):
            message = "The worker was lost while the model was asked, and nobody knows what it replied. Ask again."
            raise ProofRefused("not_answered", message)
        # Nobody takes the job for lost while the model may still reply.
        longest = timedelta(seconds=self.connection.timeout_seconds * (self.connection.max_retries + 1))
        row.update(outcome={"is_asked": True}, touched_at=now() + longest)
        text, usage = _reply_of(self.connection, self.model, task, notes)
        row.update(outcome={"reply": storable(text), "usage": asdict(usage)}, touched_at=now())
        return text, usage


def _suggested(pack: Pack, node: int, asking: _Asking, user: User | None) -> tuple[list[Suggestion], Usage]:
    subject = draft_of(pack)
    row = next((row for row in subject.rows if row.node == node), None)
    if row is None:
        raise ProofRefused("no_case", "The draft has no such case any more.")
    asking.phase("Asking the model")
    notes = subject.notes.of(row.task)
    reply, usage = asking.ask(row.task, notes)
    record("probes.suggested", f"{row.task.case_key} of {pack}", team=pack.team, by=user)
    try:
        found = read_reply(reply)
    except BadReply as error:
        raise ProofRefused("bad_reply", str(error)) from error
    asking.phase("Grading")
    made = _graded(subject, node, row.task, notes, found)
    for suggestion in made:
        suggestion.model, suggestion.created_by = asking.model, user
    _keep(pack, node, made)
    return made, usage


def _reply_of(connection: Connection, model: str, task: Task, notes: CaseNotes) -> tuple[str, Usage]:
    messages = request_for(task, notes)
    request = ModelRequest(model, messages, stream=False, seconds=connection.timeout_seconds)
    try:
        reply = Charged(open_endpoint(connection), connection.team_id).ask(request)
    except Unsealable as error:
        message = f"The key of the connection {connection.name!r} cannot be opened; an administrator sets it anew."
        raise ProofRefused("not_answered", message) from error
    except EndpointFailed as error:
        raise ProofRefused("not_answered", f"The model gave no answer: {error}") from error
    return reply.text, reply.usage


def _graded(subject: Subject, node: int, task: Task, notes: CaseNotes, found: list[Suggested]) -> list[Suggestion]:
    prover = Prover(subject.tree, subject.notes, chosen_sandbox())
    gold = reference_of(task, notes)
    right = [*([gold] if gold is not None else []), *notes.right]
    stated = {**{work.text: "wrong" for work in notes.wrong}, **{work.text: "right" for work in right}}
    made = []
    for each in found:
        outcome = prover.grade(task, Work(each.text))
        made.append(
            Suggestion(
                pack=subject.pack,
                node=node,
                kind=each.kind,
                text=storable(each.text),
                why=storable(each.why),
                known=stated.get(each.text, ""),
                verdict=outcome.verdict.value,
                reason=storable(why(outcome) if outcome.verdict.value != "passed" else ""),
            )
        )
    return made


def _keep(pack: Pack, node: int, made: list[Suggestion]) -> None:
    """Add suggestions to those that wait at a case; an answer that waits there already is not suggested twice."""
    with transaction.atomic():
        Pack.objects.select_for_update().get(pk=pack.pk)
        rows = Suggestion.objects.filter(pack=pack, node=node)
        waiting = set(rows.values_list("text", flat=True))
        for each in made:
            if each.text not in waiting:
                each.save()
        last = rows.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 : KEPT].first()
        if last is not None:
            rows.filter(pk__lt=last).delete()
        forget_suggestions(pack)


def decide(suggestion: Suggestion, case: Case, decision: str, user: User | None) -> None:
    """Keep a suggestion in `proof.yaml` as right or wrong, or dismiss it. Raises ProofRefused, EditRefused."""
    with transaction.atomic():
        if decision != DISMISS:
            state_answer(case, decision, Work(suggestion.text), user, f"suggested by {suggestion.model}")
        suggestion.delete()
