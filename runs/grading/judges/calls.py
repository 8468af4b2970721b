"""Calls of judge models: several at a time, each within its time, all within what they may use up."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from packs.formats.task import JudgeSpec
from runs.agents.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, ToolCall, Trouble, Usage
from runs.grading.judges.limits import Allowance, estimate
from runs.grading.scoring.results import JudgeResult

# Reasons of our own why a model was not asked, beside those of `Trouble`.
NOT_CONNECTED = "not_connected"
LIMIT = "limit"


def nobody(model: str) -> Endpoint | None:
    """Answers for no model."""
    return None


def nothing() -> None:
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class Bench:
    """How judges are asked: where models answer, whether to give up, and by how many threads at once.

    With one thread the calls are made by the caller's own. `leave_thread` is called by each other one after a call.
    `known` are results of judges by their keys that are not to be asked again.
    """

    endpoints: Callable[[str], Endpoint | None] = nobody
    is_cancelled: Callable[[], bool] = lambda: False
    threads: int = 1
    leave_thread: Callable[[], None] = nothing
    known: Mapping[str, JudgeResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """One call that a judge wants: sample `sample` (from 0) of a model; `order` are the candidates as it shows them.

    `tools` are declarations of those that the model may call.
    """

    judge: JudgeSpec
    model: str
    sample: int
    messages: tuple[dict[str, Any], ...]
    order: tuple[str, ...] = ()
    tools: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question: a text, or an error whose `problem` is `not_connected`, `limit` or a `Trouble`.

    `asked_at` None says that no call was made; `seconds` is how long it took with all its attempts, `is_stored` says
    that the reply of an earlier call was taken. `connection` and `provider` say who answered, `answered_model` which
    model by its own account. `event` is the number of the event that tells of the call, 0 where none does.
    """

    question: Question
    text: str = ""
    error: str = ""
    problem: str = ""
    asked_at: datetime | None = None
    seconds: float = 0.0
    connection: str = ""
    provider: str = ""
    answered_model: str = ""
    finish_reason: str = ""
    attempts: int = 0
    usage: Usage = Usage()
    event: int = 0
    is_stored: bool = False
    tool_calls: tuple[ToolCall, ...] = ()


# Takes note of a call that was made, and gives the number of the event that tells of it (0 for none).
Note = Callable[[Answer], int]


def ask_all(questions: Sequence[Question], bench: Bench, allowance: Allowance, note: Note) -> list[Answer]:
    """Answers in the order of the questions; first samples are asked first, so that limits hit all judges alike."""
    round_ = Round(questions, bench, allowance, note)
    if bench.threads == 1:
        round_.ask_in_turn()
    else:
        round_.ask_at_once()
    return [round_.answers[number] for number in range(len(questions))]


@dataclass(slots=True)
class Round:
    """The calls of one judging. Only the thread that made it counts, and takes note."""

    questions: Sequence[Question]
    bench: Bench
    allowance: Allowance
    note: Note
    answers: dict[int, Answer] = field(default_factory=dict)
    is_given_up: threading.Event = field(default_factory=threading.Event)

    def ask_in_turn(self) -> None:
        """Make the calls one after the other."""
        for number, question, endpoint in self._askable():
            self._keep(number, ask(question, endpoint, self.bench.is_cancelled))

    def ask_at_once(self) -> None:
        """Make several calls at a time."""
        under_way: dict[Future[Answer], int] = {}
        pool = ThreadPoolExecutor(self.bench.threads, "judge")
        try:
            for number, question, endpoint in self._askable(under_way):
                self.allowance.under_way[number] = estimate(question.messages)
                under_way[pool.submit(self._ask_and_leave, question, endpoint)] = number
            while under_way:
                self._collect(under_way)
        finally:
            # Calls are still under way only when something broke here: nobody waits for them any more.
            self.is_given_up.set()
            pool.shutdown()

    def _askable(self, under_way: dict[Future[Answer], int] | None = None) -> Iterator[tuple[int, Question, Endpoint]]:
        """The calls to make, each when there is room for it; what is not to be asked is answered at once."""
        for number in sorted(range(len(self.questions)), key=lambda number: self.questions[number].sample):
            question = self.questions[number]
            endpoint = self.bench.endpoints(question.model)
            if endpoint is None:
                self.answers[number] = Answer(question, error=unanswered(question.model), problem=NOT_CONNECTED)
                continue
            while under_way and not self._may_begin(question, len(under_way)):
                self._collect(under_way)
            obstacle = self._obstacle(question)
            if obstacle is not None:
                self.answers[number] = obstacle
                continue
            yield number, question, endpoint

    def _may_begin(self, question: Question, busy: int) -> bool:
        return busy < self.bench.threads and self.allowance.has_room(estimate(question.messages))

    def _obstacle(self, question: Question) -> Answer | None:
        if self.bench.is_cancelled():
            return Answer(question, error="the run was cancelled", problem=Trouble.CANCELLED.value)
        refusal = self.allowance.refusal()
        return Answer(question, error=refusal, problem=LIMIT) if refusal else None

    def _collect(self, under_way: dict[Future[Answer], int]) -> None:
        """Wait until a call has ended, and keep every one that has."""
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=lambda future: under_way[future]):
            number = under_way.pop(future)
            self.allowance.under_way.pop(number, None)
            self._keep(number, future.result())

    def _keep(self, number: int, answer: Answer) -> None:
        answer = counted(answer, self.allowance)
        self.answers[number] = replace(answer, event=self.note(answer))

    def _ask_and_leave(self, question: Question, endpoint: Endpoint) -> Answer:
        try:
            return ask(question, endpoint, lambda: self.is_given_up.is_set() or self.bench.is_cancelled())
        finally:
            self.bench.leave_thread()


def counted(answer: Answer, allowance: Allowance) -> Answer:
    """The answer with what it cost, counted among what may be used up."""
    usage = allowance.priced(answer.usage, answer.provider, answer.question.model)
    if not answer.error:
        allowance.note(usage, estimate(answer.question.messages))
    return replace(answer, usage=usage)


def ask(question: Question, endpoint: Endpoint, is_cancelled: Callable[[], bool]) -> Answer:
    """Make one call; that a model gives no answer is part of the result."""
    asked_at = datetime.now(UTC)
    request = ModelRequest(
        question.model,
        question.messages,
        stream=False,
        seconds=question.judge.timeout_seconds,
        tools=question.tools,
        temperature=question.judge.temperature,
        is_cancelled=is_cancelled,
    )
    try:
        reply = endpoint.ask(request)
    except EndpointFailed as error:
        answer = Answer(question, error=str(error), problem=error.trouble.value)
    else:
        answer = heard(question, reply)
    return replace(
        answer,
        asked_at=asked_at,
        seconds=(datetime.now(UTC) - asked_at).total_seconds(),
        connection=answer.connection or endpoint.name,
        provider=answer.provider or endpoint.provider,
    )


def heard(question: Question, reply: ModelReply) -> Answer:
    return Answer(
        question,
        text=reply.text,
        answered_model=reply.model,
        finish_reason=reply.finish_reason,
        attempts=reply.attempts,
        usage=reply.usage,
        tool_calls=reply.tool_calls,
        connection=reply.connection,
        provider=reply.provider,
        is_stored=not reply.attempts,
    )


def unanswered(model: str) -> str:
    """Why a model without a connection cannot be asked, and what to do."""
    return (
        f"no connection answers for model {model!r}: an administrator lists it in a connection, or another model is "
        "chosen for it when a run is started"
    )
