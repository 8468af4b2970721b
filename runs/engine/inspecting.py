"""Judges that look at the files of a workspace before they reply (agentv F.8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats.task import JudgeSpec
from runs.agents.endpoints.contract import Endpoint, ToolCall, Usage
from runs.agents.tools import PRIMITIVES, Toolbox
from runs.agents.tools.contract import Bench as ToolBench
from runs.grading.graders.questions import Question
from runs.grading.judges import Answer, Bench
from runs.grading.judges.calls import LIMIT, ask, counted
from runs.grading.judges.calls import Question as Call
from runs.grading.judges.limits import Allowance
from runs.sandbox.contract import SandboxUnavailable, Workspace

# What a judge may do: read, never write, run or send.
READING = ("list_files", "read_file", "search_files", "search_text")
# Of a longer result a judge is shown the beginning, and the replay less of it.
MAX_RESULT, SHOWN = 20_000, 500
SANDBOX = "sandbox"


@dataclass(slots=True)
class Inspection:
    """A judge with tools for one question. `looked` tells of each call of a tool, `calls` counts those of the model;
    `shown` gives what the model may read of a result."""

    question: Question
    endpoint: Endpoint
    workspace: Workspace
    bench: Bench
    allowance: Allowance
    shown: Callable[[str], str] = str
    looked: list[dict[str, Any]] = field(default_factory=list)
    calls: int = 0

    def hold(self) -> Answer:
        """The last answer, with the time and the usage of all. The last call has no tools, so that it is a reply."""
        tools = self._tools()
        call, found = call_of(self.question), None
        for step in range(1, self.question.steps + 1):
            given = tuple(tools.declarations) if step < self.question.steps else ()
            answer = self._ask(replace(call, tools=given))
            found = answer if found is None else _together(found, answer)
            if found.error or not answer.tool_calls or not given:
                break
            try:
                call = replace(call, messages=(*call.messages, *self._used(tools, answer)))
            except SandboxUnavailable as error:
                return replace(found, error=f"the judge cannot look at the workspace: {error}", problem=SANDBOX)
        assert found is not None
        return found

    def facts(self) -> dict[str, Any]:
        """What is recorded beside the reply."""
        return {"calls": self.calls, **({"looked_at": self.looked} if self.looked else {})}

    def _ask(self, call: Call) -> Answer:
        refusal = self.allowance.refusal()
        if refusal:
            return Answer(call, error=refusal, problem=LIMIT)
        self.calls += 1
        return counted(ask(call, self.endpoint, self.bench.is_cancelled), self.allowance)

    def _tools(self) -> Toolbox:
        place = ToolBench(self.workspace, lambda kind, payload: None, self.workspace.working_directory)
        known = {name: PRIMITIVES[name] for name in READING}
        return Toolbox(place, known, visible=frozenset(known), known=frozenset(known))

    def _used(self, tools: Toolbox, answer: Answer) -> Sequence[dict[str, Any]]:
        """The messages that go on with the talk: what the model called, and what came of it."""
        messages: list[dict[str, Any]] = [
            {"role": "assistant", "content": answer.text, "tool_calls": [_declared(made) for made in answer.tool_calls]}
        ]
        for made in answer.tool_calls:
            result = tools.call(
                made.name, made.arguments, seconds=self.question.seconds, is_cancelled=self.bench.is_cancelled
            )
            text = self.shown(result.text[:MAX_RESULT])
            messages.append({"role": "tool", "tool_call_id": made.id, "content": text})
            self.looked.append({"tool": made.name, "arguments": made.arguments[:SHOWN], "result": text[:SHOWN]})
        return messages


def call_of(question: Question) -> Call:
    """A question of a grader as judges ask theirs."""
    seconds, temperature = question.seconds, question.temperature
    judge = JudgeSpec(question.key, "rubric", (question.model,), "", timeout_seconds=seconds, temperature=temperature)
    return Call(judge, question.model, 0, question.messages)


def _declared(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _together(before: Answer, after: Answer) -> Answer:
    """The later answer, begun when the earlier one was, with what both used up."""
    usage = Usage(
        _sum(before.usage.input_tokens, after.usage.input_tokens),
        _sum(before.usage.output_tokens, after.usage.output_tokens),
        _known_sum(before.usage.cost_usd, after.usage.cost_usd),
    )
    return replace(after, asked_at=before.asked_at, seconds=before.seconds + after.seconds, usage=usage)


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one + (other or 0)


def _known_sum(one: float | None, other: float | None) -> float | None:
    """A cost that is not known for every call is not known."""
    return None if one is None or other is None else one + other
