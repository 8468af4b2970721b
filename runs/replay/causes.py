"""Why a trial got no answer, or no verdict, and who is to blame: the one table, which docs/blame.md repeats.

A cause stands in a group: who was asked, or what broke. Pure values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """Who has to look at a trial that has no verdict or failed for another reason than its answer.

    MACHINE is everything around the agent: the studio, its workers and sandboxes, providers, and how connections and
    agents are configured. PERSON is who was to play the user of a conversation and did not, and who is still to review
    an undecided trial.
    """

    NONE = ""
    MACHINE = "machine"
    PACK = "pack"
    AGENT = "agent"
    PERSON = "person"


class Group(StrEnum):
    """Who was asked, or what broke."""

    MODEL = "model"
    ADDRESS = "address"
    PROGRAM = "program"
    RECORDING = "recording"
    TRIAL = "trial"
    GRADER = "grader"


# Stop reasons beside those of limits (`runs.engine.budgets.LIMITS`) and of runs that stop: what they say.
AGENT_ERROR = "agent_error"
PROVIDER_ERROR = "provider_error"
CONFIGURATION_ERROR = "configuration_error"
NOT_RECORDED = "not_recorded"
CANCELLED = "cancelled"
COMPLETED = "completed"
# Its run had no budget left for it.
RUN_BUDGET = "run_budget"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause. `status` is what the trial becomes without further judging; a fault of the agent is judged all the
    same, by what it left behind, and fails unless that passes."""

    group: Group
    key: str
    fault: Fault
    stop_reason: str
    happened: str

    @property
    def status(self) -> str:
        """The status of a trial that ended so."""
        if self.stop_reason == NOT_RECORDED:
            return "cancelled"
        if self.fault is Fault.NONE or (self.group is Group.GRADER and self.fault is Fault.PERSON):
            return "undecided"
        return "failed" if self.fault is Fault.AGENT else "error"


def _rows(group: Group, *rows: tuple[str, Fault, str, str]) -> tuple[Cause, ...]:
    return tuple(Cause(group, *row) for row in rows)


_AGENT, _MACHINE, _PACK = Fault.AGENT, Fault.MACHINE, Fault.PACK

CAUSES: tuple[Cause, ...] = (
    *_rows(
        Group.MODEL,
        ("authentication", _MACHINE, CONFIGURATION_ERROR, "401 or 403, or the stored key cannot be opened"),
        ("not_found", _MACHINE, CONFIGURATION_ERROR, "404, 405 or 410: no such model, or no such address"),
        ("redirected", _MACHINE, CONFIGURATION_ERROR, "3xx: redirects are not followed"),
        ("refused", _MACHINE, CONFIGURATION_ERROR, "any other 4xx, such as a parameter that the model does not take"),
        ("not_allowed", _MACHINE, CONFIGURATION_ERROR, "the host may not be called from this studio"),
        ("spent", _MACHINE, PROVIDER_ERROR, "402, or 429 with `insufficient_quota`: the account has no credit left"),
        ("rate_limited", _MACHINE, PROVIDER_ERROR, "429 after all retries"),
        ("server", _MACHINE, PROVIDER_ERROR, "5xx, 409 or 425 after all retries, or an error reported with status 200"),
        ("unreachable", _MACHINE, PROVIDER_ERROR, "no connection, or one that broke off"),
        ("timeout", _MACHINE, PROVIDER_ERROR, "408, or no complete reply within the time limit of the connection"),
        (
            *("bad_reply", _MACHINE, PROVIDER_ERROR),
            "200 with a web page, an empty body, text that is no JSON, JSON without a message, or more than 16 MiB",
        ),
        (
            *("too_long", _AGENT, AGENT_ERROR),
            "413, or 4xx with `context_length_exceeded`: the talk is longer than the model takes",
        ),
        ("filtered", _AGENT, AGENT_ERROR, "4xx with `content_filter`: the provider's filter blocked the conversation"),
    ),
    *_rows(
        Group.ADDRESS,
        ("authentication", _MACHINE, CONFIGURATION_ERROR, "401 or 403, or a secret of its headers is not set"),
        ("not_found", _MACHINE, CONFIGURATION_ERROR, "404, 405 or 410: nobody answers at this address"),
        ("redirected", _MACHINE, CONFIGURATION_ERROR, "3xx: redirects are not followed"),
        ("not_allowed", _MACHINE, CONFIGURATION_ERROR, "the host may not be called from this studio"),
        ("wrong_type", _MACHINE, CONFIGURATION_ERROR, "an answer that is neither JSON nor plain text: a web page, say"),
        ("rate_limited", _MACHINE, PROVIDER_ERROR, "429 after all retries"),
        ("spent", _MACHINE, PROVIDER_ERROR, "402: the account has no credit left"),
        (
            *("unreachable", _MACHINE, PROVIDER_ERROR),
            "no connection, one that broke off, or 502, 503 or 504 after all retries: a host before the agent",
        ),
        ("server", _AGENT, AGENT_ERROR, "any other 5xx after all retries: the agent broke"),
        ("refused", _AGENT, AGENT_ERROR, "any other 4xx: the agent does not take the task"),
        ("too_long", _AGENT, AGENT_ERROR, "413: the task is longer than the agent takes"),
        ("bad_reply", _AGENT, AGENT_ERROR, "JSON that cannot be read or has no `output`, or more than 16 MiB"),
        ("timeout", _AGENT, "timeout", "408, or no answer within the time limit of a request"),
    ),
    *_rows(
        Group.PROGRAM,
        ("not_started", _MACHINE, CONFIGURATION_ERROR, "the program is not there, or cannot be started"),
        ("crashed", _AGENT, AGENT_ERROR, "it ends with another exit code than 0, or by a signal"),
        ("too_much", _AGENT, AGENT_ERROR, "it uses more memory, disk, processes or output than it may"),
        ("protocol", _AGENT, AGENT_ERROR, "a line that its protocol does not know, or no final output"),
        ("timeout", _AGENT, "timeout", "it takes longer than its time limit"),
    ),
    *_rows(
        Group.RECORDING,
        ("no_row", Fault.NONE, NOT_RECORDED, "nothing was recorded or written down for the case: it was not tried"),
        ("no_output", _MACHINE, CONFIGURATION_ERROR, "the row of the case holds neither an output nor a trial"),
        ("no_workspace", _MACHINE, CONFIGURATION_ERROR, "the files that the agent left were not imported"),
        ("cancelled", Fault.NONE, NOT_RECORDED, "the recorded trial was cancelled where it took place"),
        ("infrastructure", _MACHINE, PROVIDER_ERROR, "the recorded trial ended with `infra_error`"),
    ),
    *_rows(
        Group.TRIAL,
        ("agent", _AGENT, AGENT_ERROR, "the agent breaks off, or tells what an agent may not tell"),
        ("configuration", _MACHINE, CONFIGURATION_ERROR, "the agent has no connection, or no way to other hosts"),
        ("pack", _PACK, "pack_error", "the pack cannot be run or graded as it is written"),
        ("sandbox", _MACHINE, "sandbox_error", "there is no sandbox, or it broke"),
        ("simulator", _MACHINE, "simulator_error", "the model that plays the user gave no message"),
        ("person", Fault.PERSON, "human_turn_timeout", "nobody answered in time"),
        ("studio", _MACHINE, "observer_error", "the studio failed, or lost its worker five times"),
    ),
    *_rows(
        Group.GRADER,
        ("unavailable", Fault.NONE, COMPLETED, "what decides is missing: evidence, or a judge that gave no answer"),
        ("pending", Fault.PERSON, COMPLETED, "people have still to review the trial"),
        (
            "infra_error",
            _MACHINE,
            COMPLETED,
            "a grader's program is missing or could not be started, or its judge not be asked",
        ),
        ("pack_error", _PACK, COMPLETED, "a grader is configured so that it cannot grade"),
        ("evaluator_error", _AGENT, COMPLETED, "the answer is such that a grader cannot judge it: no JSON, say"),
    ),
)

_BY_PLACE: Mapping[tuple[Group, str], Cause] = {(cause.group, cause.key): cause for cause in CAUSES}


def cause(group: Group, key: str) -> Cause:
    """The cause of a group. Raises KeyError for one that the table does not have."""
    return _BY_PLACE[group, key]


# Stop reasons that mean one fault only, and no fault of the agent.
FAULT_OF: Mapping[str, Fault] = {
    row.stop_reason: row.fault for row in CAUSES if row.group is Group.TRIAL and row.fault is not Fault.AGENT
}


LENGTH, CONTENT_FILTER = "length", "content_filter"
# Why a reply was cut off, in the words of providers -> in ours. Any other reason is that of a reply that is whole.
_CUT_OFF = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), LENGTH),
    **dict.fromkeys(("content_filter", "safety", "refusal", "prohibited_content"), CONTENT_FILTER),
}


def cut_off(finish_reason: object) -> str:
    """Why a reply did not end by itself: `length` or `content_filter`; empty for one that is whole."""
    return _CUT_OFF.get(finish_reason.lower(), "") if isinstance(finish_reason, str) else ""


# What the studio's own mistakes and lost workers mean for a trial.
STUDIO = cause(Group.TRIAL, "studio")
