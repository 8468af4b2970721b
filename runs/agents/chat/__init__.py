"""An agent that a model plays: one answer, a conversation, or a loop of tool calls until it hands in its answer."""

from packs.formats.schema.pieces import free_map, integer, items, number, strict, text, yes_no
from runs.agents.chat.asking import Session
from runs.agents.chat.messages import opening
from runs.agents.contract import AgentFailed, Config, Purpose, Reply, Request, unusable
from runs.agents.endpoints.contract import ModelReply
from runs.agents.tools import Toolbox, toolbox_of

LABEL = "Chat model"
HELP = "Asks a model of a connection. It uses the tools of the pack where the pack gives it any."
PURPOSE = Purpose.MODEL
EXAMPLE = "`gpt-4o-mini` of the connection `openai`"
DEFAULT_STEPS = 50
SCHEMA = strict(
    LABEL,
    {
        "connection": text(
            "Connection",
            "Where the model answers. Administrators add connections on their own page.",
            minLength=1,
            widget="connection",
        ),
        "model": text("Model", "The name by which the endpoint knows it.", minLength=1, widget="model"),
        "system": text("System prompt", "Told before everything that the pack says.", widget="multiline", open=True),
        "temperature": number("Temperature", "Empty leaves it to the endpoint.", minimum=0, maximum=2),
        "max_tokens": integer("Longest answer (tokens)", "Of each call; empty leaves it to the endpoint.", minimum=1),
        "seed": integer("Seed", "For endpoints that can repeat an answer."),
        "max_steps": integer(
            "Most calls of the model",
            "In one turn, where the pack sets no limit of its own.",
            minimum=1,
            maximum=1000,
            default=DEFAULT_STEPS,
        ),
        "live_output": yes_no(
            "Show answers while they are written",
            "About one event a second, where the endpoint streams. The replay grows by them.",
            default=False,
        ),
        "provider_tools": items(
            "Provider's tools",
            {"type": "object"},
            'For packs of mode responses, for instance [{"type": "web_search"}].',
        ),
        "extra": free_map("More of the request", "Members that are sent as they stand."),
    },
    required=["connection", "model"],
)
CONVERSES = True
NEEDS_WORKSPACE = True
RUNS_PROGRAMS = False


def respond(config: Config, request: Request) -> Reply:
    """The model's answer. Raises what `runs.agents.contract.Agent` says."""
    if request.endpoint is None:
        raise unusable(
            "The agent has no connection, or one whose key cannot be opened: an administrator chooses one in the "
            "agent's configuration, or gives the key of its connection again."
        )
    session = Session(config, request, request.endpoint, opening(config, request))
    if request.task.environment.mode == "responses":
        return Reply(session.research().text)
    hosts = request.web.allowed if request.web else None
    tools = toolbox_of(request.task, request.workspace, request.record, secrets=request.secrets, hosts=hosts)
    return Reply(work(session, tools, int(config.get("max_steps", DEFAULT_STEPS))))


def work(session: Session, tools: Toolbox, most: int) -> str:
    """Ask and do what the model asks for, until it answers or hands its answer in. Raises AgentFailed."""
    declared = tools.declarations
    for _ in range(most if session.request.task.budgets.steps is None else session.request.task.budgets.steps + 1):
        with session.step():
            reply = session.ask(declared)
            if not reply.tool_calls:
                return reply.text
            answer = use(session, tools, reply)
        if answer is not None:
            return answer
    raise AgentFailed(f"The agent was stopped: it may not call its model more than {most} times.", "step_limit")


def use(session: Session, tools: Toolbox, reply: ModelReply) -> str | None:
    """Make the calls that a model asks for; gives the answer where one of them hands it in."""
    session.say_back(reply)
    for call in reply.tool_calls:
        result = tools.call(
            call.name,
            call.arguments,
            call_id=call.id,
            seconds=session.seconds(),
            is_cancelled=session.request.is_cancelled,
        )
        if result.final_output is not None:
            return result.final_output
        session.tell_result(call, result)
    return None
