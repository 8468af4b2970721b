"""Having the judges of a case say what they make of its answers, and what that takes, before they are asked."""

from collections import Counter
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from packs.jobs import start_once
from packs.models import Case, Job, Team
from runs.agents.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, Trouble, Usage
from runs.grading.judges import Bench
from runs.grading.judges.limits import REPLY_TOKENS, estimate
from runs.jobs.proofs import PROVE, Nothing, ProofRefused, draft_of, is_quick
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.jobs.trials.tryouts import task_of
from runs.models.answerers import find_answerer
from runs.proof.needs import asks_models
from runs.proof.packing import Prover, prove_pack
from runs.proof.suggesting import Estimate
from runs.quotas import heed_money


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
        raise EndpointFailed(Trouble.CANCELLED, "Nobody is asked yet.")

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

    None where no model judges, nobody answers for one, or programs run as well. Raises ProofRefused.
    """
    task = task_of(case)
    if task is None or not asks_models(task) or not is_quick(case):
        return None
    counting, subject = _Counting(case.pack.team), draft_of(case.pack)
    chosen = [row.task for row in subject.rows if row.node == case.pk]
    prover = Prover(subject.tree, subject.notes, chosen_sandbox(), Bench(counting.endpoint_for))
    list(prove_pack(prover, [row.task for row in subject.rows], chosen, Nothing(), alone=True))
    costs = [counting.cost_of(model) for model in counting.calls]
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    return Estimate(counting.calls.total(), counting.tokens.total(), cost) if costs else None


def start_judging(case: Case, user: User) -> Job:
    """The job that proves a case of a draft and asks its judges about each answer. Raises QuotaReached."""
    team = case.pack.team
    heed_money(team, lambda: _expected_usd(case))
    columns = {"team": team, "user": user, "title": f"Prove {case.key} with its judges"[:300]}
    return start_once(PROVE, case.pack, {"version": None, "case": case.pk}, **columns)


def _expected_usd(case: Case) -> float:
    try:
        return known_cost(judging_of(case))
    except ProofRefused:
        # The job says what is wrong.
        return 0.0


def known_cost(taken: Estimate | None) -> float:
    """What asking is expected to cost in US dollars, as far as that is known."""
    return (taken.cost_usd if taken else None) or 0.0
