"""The first messages that a model gets."""

from typing import Any

from runs.agents.contract import Config, Request

Message = dict[str, Any]


def opening(config: Config, request: Request) -> list[Message]:
    """The messages before the model's first answer: what the agent and the pack say, the talk so far, the message.

    In a conversation the task stands beside what the user says; elsewhere the task is what the user says.
    """
    system = [str(config.get("system", ""))]
    if request.task.conversation is not None:
        system.append(request.task.prompt)
    reported = "\n\n".join(part for part in system if part.strip())
    messages: list[Message] = [{"role": "system", "content": reported}] if reported else []
    messages.extend(dict(message) for message in request.history)
    return [*messages, {"role": "user", "content": request.message}]
