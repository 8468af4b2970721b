"""Agents of every kind that give back all that they can reach."""

import json
import shlex
from dataclasses import dataclass, field

from runs.agents import AGENTS
from runs.endpoints.openai import OpenAIEndpoint
from runs.engine import Entrant, run_trial
from runs.judges import Bench
from tests.openai_server import calls

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


for top in dict.fromkeys(map(os.path.abspath, (".", "..", os.path.expanduser("~"), "/tmp", "/var/tmp", "/"))):
    walk(top)
for process in ("self", *range(1, 300)):
    read(f"/proc/{process}/environ")
    read(f"/proc/{process}/cmdline")
print(json.dumps(found))
"""
QUIET, CURIOUS, ADDRESS = "quiet", "curious", "address"


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


# The names under which models of the kinds ask; all else is the agent at an address.
MODELS = {"quiet model": QUIET, "model with tools": CURIOUS}


def reached(task, kind, sandbox, model_server, web, read_asset):
    """All that an agent of a kind reaches in a trial of a task, as text: what it was sent, and what it answered."""
    hosts = Hosts()
    model_server.reset()
    model_server.answer = hosts.answer
    endpoint = OpenAIEndpoint("models", model_server.url, web, "key", "acme", {}, max_retries=0)
    bench = Bench(endpoints=lambda model: endpoint)
    events = []
    entrant = entrant_of(kind, model_server, endpoint, web)
    run_trial(task, entrant, sandbox, events.append, read_asset=read_asset, bench=bench)
    answers = [event["payload"] for event in events if event["event_type"] == "system.output.finalized"]
    return json.dumps([hosts.heard.get(MODELS.get(kind, ADDRESS), []), answers])


def entrant_of(kind, model_server, endpoint, web):
    if kind.startswith("program"):
        return Entrant(AGENTS["command"], "command", {"arguments": ["python3", "-c", PROGRAM]})
    if kind == ADDRESS:
        return Entrant(AGENTS["http"], "http", {"address": f"{model_server.url}/agent", "max_retries": 0}, web=web)
    return Entrant(AGENTS["chat"], "chat", {"connection": "models", "model": MODELS[kind]}, endpoint, web)
