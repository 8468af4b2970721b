"""Models for programs of graders: a program asks by HTTP, with a token, as often as it may (agentv F.7).

Paths: `GET /info`, `POST /invoke` {question, systemPrompt?, target?}, `POST /invokeBatch` {requests}. No key and no
address of a connection ever reaches the program.
"""

import hmac
import queue
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import orjson

from packs.formats.task import JudgeSpec
from runs.agents.endpoints.contract import Endpoint, Trouble
from runs.agents.endpoints.listening import Asked, HttpReply
from runs.grading.graders.commands import ModelAccess
from runs.grading.judges.calls import LIMIT, NOT_CONNECTED, Answer, Bench, Question, ask, counted, nothing, unanswered
from runs.grading.judges.limits import Allowance

SECONDS = 120.0
LOOK_SECONDS = 0.2
MAX_BATCH = 100
OVER = HttpReply(503, {"error": "the program has ended"})

Result = TypeVar("Result")
# Takes note of a call: its number from 1, and what came of it.
Note = Callable[[int, Answer], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """One question of a program and the model that it goes to; `trouble` says why it is not asked."""

    model: str = ""
    messages: tuple[dict[str, str], ...] = ()
    trouble: str = ""


@dataclass(slots=True)
class Errand:
    """What one request wants, the replies so far by their places, and where the whole is waited for."""

    wishes: Sequence[Wish]
    is_batch: bool
    replies: dict[int, Answer] = field(default_factory=dict)
    reported: Future[HttpReply] = field(default_factory=Future)

    def keep(self, place: int, answer: Answer) -> None:
        """Take a reply; with the last one the request is answered."""
        self.replies[place] = answer
        if len(self.replies) == len(self.wishes):
            self.reported.set_result(self._whole())

    def _whole(self) -> HttpReply:
        replies = [self.replies[place] for place in range(len(self.wishes))]
        if self.is_batch:
            return HttpReply(200, {"responses": [_described(reply) for reply in replies]})
        [reply] = replies
        return HttpReply(500, {"error": reply.error}) if reply.error else HttpReply(200, _described(reply))


@dataclass(slots=True)
class Proxy:
    """Answers one program for as long as it runs.

    Threads of a server hand its requests over. Only the thread in `attend` counts and takes note, and asks the models
    itself where the bench has no threads. `shown` gives what models may read of a question.
    """

    access: ModelAccess
    bench: Bench
    allowance: Allowance
    note: Note
    shown: Callable[[Any], Any] = lambda value: value
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    calls: int = 0
    failures: list[Answer] = field(default_factory=list)
    acts: "queue.SimpleQueue[Callable[[], None] | None]" = field(default_factory=queue.SimpleQueue)
    pool: ThreadPoolExecutor | None = None
    is_over: threading.Event = field(default_factory=threading.Event)

    def respond(self, asked: Asked) -> HttpReply:
        """The answer to a request; called by a thread of the server."""
        if not hmac.compare_digest(asked.token.encode(), self.token.encode()):
            return HttpReply(401, {"error": "the token is missing or wrong"})
        match asked.method, asked.path.partition("?")[0]:
            case "GET", "/info":
                return HttpReply(200, self.info())
            case "POST", "/invoke":
                wish = self._wish(_members(asked.body))
                return HttpReply(400, {"error": wish.trouble}) if wish.trouble else self._wait(Errand((wish,), False))
            case "POST", "/invokeBatch":
                return self._batch(_members(asked.body).get("requests"))
        return HttpReply(404, {"error": "there are GET /info, POST /invoke and POST /invokeBatch"})

    def info(self) -> dict[str, Any]:
        """What `/info` tells."""
        names = list(dict.fromkeys((self.access.model, *(self.access.names or ()))))
        most = self.access.most_calls
        return {"targetName": self.access.model, "maxCalls": most, "callCount": self.calls, "availableTargets": names}

    def _batch(self, requests: Any) -> HttpReply:
        if not isinstance(requests, list) or len(requests) > MAX_BATCH:
            return HttpReply(400, {"error": f"requests must be a list of at most {MAX_BATCH}"})
        wishes = tuple(map(self._wish, requests))
        return self._wait(Errand(wishes, True)) if wishes else HttpReply(200, {"responses": []})

    def _wish(self, stated: Any) -> Wish:
        stated = stated if isinstance(stated, dict) else {}
        question, system, target = (stated.get(name) for name in ("question", "systemPrompt", "target"))
        if not isinstance(question, str) or not question:
            return Wish(trouble="question is missing")
        model = self.access.model if target is None else target
        if not isinstance(model, str) or not self.access.allows(model):
            known = ", ".join(self.info()["availableTargets"])
            return Wish(trouble=f"there is no target {model!r}; there are: {known}")
        said = [{"role": "system", "content": system}] if isinstance(system, str) and system else []
        return Wish(model, tuple(self.shown([*said, {"role": "user", "content": question}])))

    def _wait(self, errand: Errand) -> HttpReply:
        self.acts.put(lambda: self._begin(errand))
        while True:
            with suppress(TimeoutError):
                return errand.reported.result(LOOK_SECONDS)
            if self.is_over.is_set():
                return OVER

    def attend(self, work: Callable[[Callable[[], bool]], Result]) -> Result:
        """Do the work in another thread, and answer its requests until it has ended; what it raises comes through.

        The work is given a function that says whether it is to stop.
        """
        stopped = threading.Event()
        self.pool = ThreadPoolExecutor(self.bench.threads, "judge") if self.bench.threads > 1 else None
        with ThreadPoolExecutor(1, "program") as worker:
            done = worker.submit(work, stopped.is_set)
            done.add_done_callback(lambda _: self.acts.put(None))
            try:
                self._serve(stopped)
            finally:
                stopped.set()
                self._leave()
        return done.result()

    def _serve(self, stopped: threading.Event) -> None:
        while True:
            act: Callable[[], None] | None = nothing
            with suppress(queue.Empty):
                act = self.acts.get(timeout=LOOK_SECONDS)
            if act is None:
                return
            act()
            # Looked at after each request too: a program that asks without a pause has to hear of it as well.
            if self.bench.is_cancelled():
                stopped.set()

    def _leave(self) -> None:
        """Wait for the calls under way, which cost something too."""
        self.is_over.set()
        if self.pool is not None:
            self.pool.shutdown()
        with suppress(queue.Empty):
            while True:
                act = self.acts.get_nowait()
                if act is not None:
                    act()

    def _begin(self, errand: Errand) -> None:
        wanted, most = sum(not wish.trouble for wish in errand.wishes), self.access.most_calls
        if self.is_over.is_set():
            errand.reported.set_result(OVER)
        elif self.calls + wanted > most:
            error = f"{wanted} more would be too many: {self.calls} of {most} calls were made"
            errand.reported.set_result(HttpReply(429, {"error": error}))
        else:
            for place, wish in enumerate(errand.wishes):
                self._ask(errand, place, wish)

    def _ask(self, errand: Errand, place: int, wish: Wish) -> None:
        question = Question(
            JudgeSpec("", "rubric", (wish.model,), "", timeout_seconds=SECONDS), wish.model, 0, wish.messages
        )
        if wish.trouble:
            errand.keep(place, Answer(question, error=wish.trouble))
            return
        self.calls += 1
        number, endpoint = self.calls, self.bench.endpoints(wish.model)
        if endpoint is None:
            answer = Answer(question, error=unanswered(wish.model), problem=NOT_CONNECTED)
            self._keep(errand, place, number, answer)
        elif refusal := self.allowance.refusal():
            self._keep(errand, place, number, Answer(question, error=refusal, problem=LIMIT))
        elif self.pool is None:
            self._keep(errand, place, number, ask(question, endpoint, self._is_given_up))
        else:
            future = self.pool.submit(self._ask_and_leave, question, endpoint)
            future.add_done_callback(
                lambda ended: self.acts.put(lambda: self._keep(errand, place, number, ended.result()))
            )

    def _keep(self, errand: Errand, place: int, number: int, answer: Answer) -> None:
        answer = counted(answer, self.allowance)
        self.note(number, answer)
        if answer.error and answer.problem != Trouble.CANCELLED:
            self.failures.append(answer)
        errand.keep(place, answer)

    def _ask_and_leave(self, question: Question, endpoint: Endpoint) -> Answer:
        try:
            return ask(question, endpoint, self._is_given_up)
        finally:
            self.bench.leave_thread()

    def _is_given_up(self) -> bool:
        return self.is_over.is_set() or self.bench.is_cancelled()


def _members(body: bytes) -> dict[str, Any]:
    """The members of a JSON object; none where it is no such thing."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _described(answer: Answer) -> dict[str, Any]:
    """A reply as the program reads it."""
    if answer.error:
        return {"output": [], "rawText": f"Error: {answer.error}"}
    usage = answer.usage
    counts = {"input": usage.input_tokens or 0, "output": usage.output_tokens or 0}
    tokens = {} if usage.total_tokens is None else {"tokenUsage": counts}
    return {"output": [{"role": "assistant", "content": answer.text}], "rawText": answer.text, **tokens}
