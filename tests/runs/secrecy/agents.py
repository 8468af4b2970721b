"""Agents of every kind that give back all that they can reach."""

import json
import shlex
from dataclasses import dataclass, field, replace

from packs.formats.task import Budgets
from runs.agents import AGENTS
from runs.agents.contract import Cancelled
from runs.agents.endpoints.openai import OpenAIEndpoint
from runs.engine.entrant import Entrant
from runs.engine.trial import ignore, run_trial
from runs.grading.judges import Bench
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import OF_IMAGES, Choice, Policy
from runs.sandbox.contract import Isolation
from tests.openai_server import Answer, calls
from tests.runs.agents.talking import make_web

# What a program finds: its input, its environment and that of others, and every file but those of the system.
PROGRAM = r"""
import json, os, sys

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/boot", "/sys", "/dev", "/proc", "/etc")
found = {"input": sys.stdin.read(), "environment": dict(os.environ), "arguments": sys.argv}


def read(path):
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            found[path] = file.read(1_000_000).decode("latin-1")
    except OSError as error:
        found[path] = str(error)


def walk(top):
    for folder, names, files in os.walk(top):
        if os.path.exists(os.path.join(folder, "bin", "python3")):
            # Python itself, where it is no part of the system.
            names.clear()
            continue
        names[:] = [name for name in names if os.path.abspath(os.path.join(folder, name)) not in SYSTEM]
        for path in (os.path.join(folder, name) for name in files):
            if os.path.isfile(path):
                read(path)
        found.setdefault("folders", []).append(folder)


for top in dict.fromkeys(map(os.path.abspath, (".", "..", os.path.expanduser("~"), *sys.argv[1:]))):
    walk(top)
for process in ("self", os.getppid()):
    read(f"/proc/{process}/environ")
    read(f"/proc/{process}/cmdline")
print(json.dumps(found))
"""
QUIET, CURIOUS, ADDRESS = "model", "model with tools", "address"
# All conversations of the scenes have two turns.
LAST_TURN = 1
# Sandboxes of this machine. Where a task can do without its image, it does.
CHOICES = {
    kind: Choice({kind: sandbox}, Policy(kind=kind, allows_local=True))
    for kind, sandbox in SANDBOXES.items()
    if kind != OF_IMAGES and not sandbox.obstacle()
}
CONFINED = next(iter(CHOICES))
# Where a program looks further than around itself: what does not confine it lets it read the whole machine.
TOPS = {kind: ("/tmp", "/var/tmp", "/") for kind in CHOICES if SANDBOXES[kind].ISOLATION is not Isolation.NONE}
# The kinds of agents: what drives them with which configuration, and the sandbox in which they or their tools work.
KINDS = {
    **{
        f"program in {kind}": ("command", {"arguments": ["python3", "-c", PROGRAM, *TOPS.get(kind, ())]}, kind)
        for kind in CHOICES
    },
    "address": ("http", {}, CONFINED),
    **{name: ("chat", {"connection": "models", "model": name}, CONFINED) for name in (QUIET, CURIOUS)},
}


@dataclass
class Hosts:
    """A host that answers as agents and as models, and keeps what each was sent."""

    heard: dict[str, list] = field(default_factory=dict)

    def answer(self, request):
        """An agent at an address repeats the request, a model its messages; the curious one uses its tools first."""
        name = request.get("model", ADDRESS)
        self.heard.setdefault(name, []).append(request)
        if name == ADDRESS:
            return Answer(raw=json.dumps({"output": json.dumps(request)}).encode())
        if name not in (QUIET, CURIOUS):
            # A model that judges, or plays the user: what that is told is not for agents.
            return "Thank you."
        said = request["messages"]
        if name == CURIOUS and request.get("tools"):
            asked = sum(message["role"] == "assistant" and "tool_calls" in message for message in said)
            if asked == 0:
                return calls(**wanted(request["tools"]))
            if asked == 1:
                return calls(read_file=[json.dumps({"path": path}) for path in listed(said)] or ['{"path": "x"}'])
        return json.dumps(said)


def wanted(tools):
    """A call of every tool that the model is offered, and of one that it is not."""
    ways = {
        "exec": [{"command": ["python3", "-c", PROGRAM]}, {"command": f"python3 -c {shlex.quote(PROGRAM)}"}],
        "list_files": [{}],
        "search_text": [{"pattern": "."}],
        "search_files": [{"pattern": "*"}],
        "submit": [],
    }
    names = [tool["function"]["name"] for tool in tools] + ["no_such_tool"]
    return {name: [json.dumps(way) for way in ways.get(name, [{}, {"id": "x"}, {"path": "x"}])] for name in names}


def listed(messages):
    """The paths that the tools told of."""
    told = [message["content"] for message in messages if message["role"] == "tool"]
    lists = [value for text in told for value in [as_json(text)] if isinstance(value, dict)]
    return [entry["path"] if isinstance(entry, dict) else entry for value in lists for entry in value.get("files", [])]


def as_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


class Teller:
    """An agent whose answers are kept. Where its trial is not graded, that is over once it was asked in all turns."""

    def __init__(self, agent, *, is_graded):
        self.agent, self.is_graded, self.answers = agent, is_graded, []

    def __getattr__(self, name):
        return getattr(self.agent, name)

    def respond(self, config, request):
        reply = self.agent.respond(config, request)
        self.answers.append(reply.text)
        if not self.is_graded and (request.task.conversation is None or request.turn == LAST_TURN):
            raise Cancelled
        return reply


def reached(task, kind, model_server, read_asset, *, is_graded):
    """All that an agent of a kind reaches in a trial of a task, as text: what it was sent, and what it answered."""
    hosts, web = Hosts(), make_web()
    model_server.reset()
    model_server.answer = hosts.answer
    endpoint = OpenAIEndpoint("models", model_server.url, web, "key", "acme", {}, max_retries=0)
    name, config, sandbox = KINDS[kind]
    config = {**config, **({"address": f"{model_server.url}/agent", "max_retries": 0} if name == "http" else {})}
    agent, bench = Teller(AGENTS[name], is_graded=is_graded), Bench(endpoints=lambda model: endpoint)
    entrant = Entrant(agent, name, config, endpoint, web)
    # The curious model calls more tools than some suites allow.
    task = replace(task, budgets=Budgets())
    outcome = run_trial(task, entrant, CHOICES[sandbox], ignore, read_asset=read_asset, bench=bench)
    web.close()
    turns = 1 if task.conversation is None else LAST_TURN + 1
    assert len(agent.answers) == turns, f"the agent was not asked: {outcome.error}"
    return json.dumps([hosts.heard.get(config.get("model", ADDRESS), []), agent.answers])
