"""Graders that need programs run or models asked, one thing after the other, until each of them can judge.

What comes of it becomes events, which are the evidence that the graders read, now and when a trial is scored again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats.task import GraderSpec, Task
from runs.agents.contract import Cancelled
from runs.engine.events import VERIFICATION_SOURCE
from runs.engine.inspecting import Inspection, call_of
from runs.engine.recorder import Recorder, now
from runs.grading.graders import NEEDS, TURNS
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.evidence import Evidence, build_evidence
from runs.grading.graders.questions import Need, Question
from runs.grading.judges import Answer, Bench
from runs.grading.judges.calls import NOT_CONNECTED, ask_all, unanswered
from runs.grading.judges.limits import Allowance, allowance_of
from runs.grading.judges.proxy import Proxy
from runs.sandbox.contract import Workspace

# A grader that wants more than this, one after the other, is not going to end.
MAX_ROUNDS = 100
# What the key of a call holds that a program of a grader made.
PROXIED = "/proxy#"

Run = Callable[[GraderCommand, Proxy | None], dict[str, Any]]


@dataclass(slots=True)
class Consultation:
    """`run` runs a program, None where there is no place for one; `output` is the agent's final one, None without.

    `place` is told of the workspace while no event does; judges can look at `workspace`.
    """

    task: Task
    recorder: Recorder
    bench: Bench
    output: str | None
    run: Run | None = None
    place: Mapping[str, str] = field(default_factory=dict)
    workspace: Workspace | None = None
    allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self.allowance = allowance_of(self.task)

    def hold(self) -> None:
        """See to what all graders of the task need. Raises Cancelled."""
        if any(event["event_type"] == "system.run.failed" for event in self.recorder.events):
            return
        for spec in self.task.graders:
            if spec.kind in NEEDS:
                self._see_to(spec)

    def has_failed_turn(self) -> bool:
        """Whether a grader fails the turn of a conversation that was just played. Raises Cancelled."""
        return any(self._fails(spec) for spec in self.task.graders if spec.kind in TURNS)

    def _fails(self, spec: GraderSpec) -> bool:
        for _ in range(MAX_ROUNDS):
            state = TURNS[spec.kind](spec, self._evidence())
            if not self._obtain(state.needs):
                return state.has_failed
        return False

    def _see_to(self, spec: GraderSpec) -> None:
        for _ in range(MAX_ROUNDS):
            if not self._obtain(NEEDS[spec.kind](spec, self._evidence())):
                return

    def _obtain(self, needs: Sequence[Need]) -> bool:
        """Have programs run and models asked, as far as that can be done here; False where there was nothing to do."""
        wanted = [need for need in needs if self._can(need)]
        self._ask([need for need in wanted if isinstance(need, Question)])
        for need in wanted:
            if isinstance(need, GraderCommand) and self.run is not None:
                self.recorder.tell("grader.verification.code_executed", self._run(need, self.run), VERIFICATION_SOURCE)
        return bool(wanted)

    def _run(self, command: GraderCommand, run: Run) -> dict[str, Any]:
        """The payload of the event of a command. One that may ask models is not run where nobody would answer."""
        access = command.access
        if access is None:
            return run(command, None)
        if self.bench.endpoints(access.model) is None:
            return {**command.not_started(unanswered(access.model)), "problem": NOT_CONNECTED}
        proxy = Proxy(
            access,
            self.bench,
            self.allowance,
            lambda number, answer: self._note(command, number, answer),
            shown=self.recorder.shown,
        )
        payload = run(command, proxy)
        failures = [{"error": answer.error, "problem": answer.problem} for answer in proxy.failures[:1]]
        asked = {"calls": proxy.calls, "most_calls": access.most_calls, "failed": len(proxy.failures)}
        return {**payload, "asked": {**asked, **(failures[0] if failures else {})}}

    def _note(self, command: GraderCommand, number: int, answer: Answer) -> None:
        """Tell of a call that a program made."""
        facts = {"validator_key": f"{command.key}{PROXIED}{number}", "model": answer.question.model}
        messages = list(answer.question.messages)
        self.recorder.tell(
            "grader.opinion.recorded",
            {**facts, "messages": messages, **described(answer)},
            VERIFICATION_SOURCE,
            answer.asked_at,
        )

    def _can(self, need: Need) -> bool:
        return isinstance(need, Question) or self.run is not None

    def _evidence(self) -> Evidence:
        """What is known by now. What comes only later, the end of the agent's part say, is made up here."""
        made_up: dict[str, dict[str, Any]] = {"workspace.changed": dict(self.place)} if self.place else {}
        if self.output is not None:
            made_up["system.run.completed"] = {"final_output": self.output, **self.recorder.spending.tokens}
        events = list(self.recorder.events)
        types = {event["event_type"] for event in events}
        for kind, payload in made_up.items():
            reported = {
                "event_type": kind,
                "sequence_number": len(events) + 1,
                "occurred_at": now(),
                "payload": payload,
            }
            events += [] if kind in types else [reported]
        return build_evidence([self.task.evidence] if self.task.case_key else [], events)

    def _ask(self, questions: Sequence[Question]) -> None:
        questions = [replace(each, messages=tuple(self.recorder.shown(list(each.messages)))) for each in questions]
        for question in questions:
            if self._looks(question):
                self._inspect(question)
        self._ask_plainly([question for question in questions if not self._looks(question)])

    def _looks(self, question: Question) -> bool:
        return question.steps > 0 and self.workspace is not None

    def _inspect(self, question: Question) -> None:
        """Have a model look at the workspace and reply."""
        endpoint = self.bench.endpoints(question.model)
        if endpoint is None or self.workspace is None:
            self._ask_plainly([question])
            return
        inspection = Inspection(
            question, endpoint, self.workspace, self.bench, self.allowance, shown=self.recorder.shown
        )
        answer = inspection.hold()
        if answer.problem == "cancelled":
            raise Cancelled
        facts = {**question.payload(), **inspection.facts(), **described(answer)}
        self.recorder.tell("grader.opinion.recorded", facts, VERIFICATION_SOURCE, answer.asked_at)

    def _ask_plainly(self, questions: Sequence[Question]) -> None:
        calls = [call_of(question) for question in questions]
        answers = ask_all(calls, self.bench, self.allowance, lambda answer: 0)
        for question, answer in zip(questions, answers, strict=True):
            if answer.problem == "cancelled":
                raise Cancelled
            self.recorder.tell(
                "grader.opinion.recorded",
                {**question.payload(), **described(answer)},
                VERIFICATION_SOURCE,
                answer.asked_at,
            )


def described(answer: Answer) -> dict[str, Any]:
    """What is recorded of an answer; what is not known is left out."""
    usage = answer.usage
    facts = {
        "output_text": answer.text,
        "error": answer.error,
        "problem": answer.problem,
        "provider_key": answer.provider,
        "provider_account_id": answer.connection,
        "provider_model_id": answer.answered_model,
        "seconds": round(answer.seconds, 3) if answer.asked_at else None,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}
