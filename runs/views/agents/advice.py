"""What to do about trouble with a model: on the page of a connection, and where a judge gave no answer."""

from collections.abc import Mapping

from runs.agents.endpoints.contract import Trouble

# What to do about trouble with an endpoint.
ADVICE: Mapping[str, str] = {
    Trouble.AUTHENTICATION: "Check the key, and that the account may use this model.",
    Trouble.NOT_FOUND: "Check the name of the model, and that the address ends before /chat/completions.",
    Trouble.REDIRECTED: "Give the address that it leads to.",
    Trouble.REFUSED: "Check what the agent or judge sends along, such as its temperature.",
    Trouble.TOO_LONG: "Send less, or choose a model that takes more.",
    Trouble.FILTERED: "The provider's filter blocked the request. Change what is sent, or the filter.",
    Trouble.SPENT: "Top up the account at the provider, or raise its limit.",
    Trouble.RATE_LIMITED: "Wait a little, or lower the calls at a time and the requests per minute.",
    Trouble.UNREACHABLE: "Check the address, and that the server is running and can be reached from here.",
    Trouble.TIMEOUT: "Try again; if it stays slow, the server may be loading the model.",
    Trouble.SERVER: "The problem is at the provider. Try again later.",
    Trouble.BAD_REPLY: "Check the address: what answers there does not speak the chat completions API.",
    Trouble.NOT_ALLOWED: "The studio's operator decides which hosts may be called.",
    Trouble.CANCELLED: "",
}
