"""Agents of every kind that give back all that they can reach."""

import json
import shlex
from dataclasses import dataclass, field

from runs.agents import AGENTS
from runs.endpoints.openai import OpenAIEndpoint
from runs.engine import Entrant, run_trial
from runs.judges import Bench
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import OF_IMAGES, Choice, Policy
from runs.sandbox.contract import Isolation
from tests.openai_server import calls
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
            return json.dumps({"output": json.dumps(request)})
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


def reached(task, kind, model_server, **more):
    """All that an agent of a kind reaches in a trial of a task, as text: what it was sent, and what it answered."""
    hosts, web = Hosts(), make_web()
    model_server.reset()
    model_server.answer = hosts.answer
    endpoint = OpenAIEndpoint("models", model_server.url, web, "key", "acme", {}, max_retries=0)
    name, config, sandbox = KINDS[kind]
    config = {**config, **({"address": f"{model_server.url}/agent", "max_retries": 0} if name == "http" else {})}
    events = []
    entrant = Entrant(AGENTS[name], name, config, endpoint, web)
    bench = Bench(endpoints=lambda model: endpoint)
    outcome = run_trial(task, entrant, CHOICES[sandbox], events.append, bench=bench, **more)
    web.close()
    answers = [event["payload"] for event in events if event["event_type"] == "system.output.finalized"]
    told = [*hosts.heard.get(config.get("model", ADDRESS), []), *answers]
    assert told, f"the agent was not asked: {outcome.error}"
    return json.dumps(told)
