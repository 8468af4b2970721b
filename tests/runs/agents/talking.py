"""Trials of agents that ask the model server of a test."""

from runs.agents import AGENTS
from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.contract import ModelPrice
from runs.agents.endpoints.exchange import Web
from runs.agents.endpoints.openai import OpenAIEndpoint
from runs.engine.entrant import Entrant
from runs.engine.trial import run_trial
from runs.replay.redaction import Redactor
from runs.sandbox import SANDBOXES

KEY = "sk-planted-4711"
PRICES = {"small": ModelPrice(1.0, 10.0)}


def make_web(*hosts):
    return Web(AllowList.read(hosts or ["127.0.0.1"]))


def talk(task, model_server, web, *, kind="chat", config=None, secrets=None, sandbox=SANDBOXES["local"], **more):
    """The outcome of a trial against the model server, and its events."""
    secrets = secrets or {}
    limits = {"max_retries": 0, "has_responses": True, **more}
    endpoint = OpenAIEndpoint("models", model_server.url, web, KEY, "acme", PRICES, **limits)
    config = {"connection": "models", "model": "small", **(config or {})} if kind == "chat" else config
    entrant = Entrant(AGENTS[kind], kind, config, endpoint, web, secrets, Redactor([KEY, *secrets.values()]))
    events = []
    outcome = run_trial(task, entrant, sandbox, events.append)
    return outcome, events
