"""The frozen task of a trial: its test with what it needs, in a folder of its own (agentv H.1)."""

import posixpath
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from packs.formats.abilities import FREEZERS
from packs.formats.task import Task
from packs.formats.values import listing, mapping
from runs.replay.trajectories.agentv.messages import Message, text_of
from runs.replay.trajectories.agentv.results import Json

EVAL, TARGETS, FILES, GRADERS = "EVAL.yaml", "targets.yaml", "files", "graders"
REDACTED = "[redacted]"
# What the compiler adds to assertions, and no suite says.
_OURS = ("directory", "prompt_text", "implicit")
# What a frozen task can be compared by, no matter which program wrote it.
COMPARED = ("criteria", "input", "expected_output")
_SECRET_NAME = re.compile(r"(?:api[-_]?key|secret|token|passw(?:or)?d|authorization|credentials?)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"\b(?:sk-|gh[pousr]_|xox[abp]-|AKIA)[A-Za-z0-9_-]{12,}|\bBearer [A-Za-z0-9._~+/-]{12,}")

Read = Callable[[str], bytes | None]


def freeze_task(reported: Task, target: Mapping[str, Any], read: Read) -> dict[str, bytes]:
    """The files of the folder by their paths; `target` is who answers, `read` gives the bytes of a file of the pack."""
    freezer, threshold = FREEZERS["agentv"], reported.scoring.pass_threshold
    suite = freezer.frozen_suite(stated_test(reported), target.get("name"), threshold)
    files = {
        EVAL: freezer.write_frozen(redacted(suite)),
        TARGETS: freezer.write_frozen(redacted({"targets": [dict(target)]})),
    }
    for folder, names in ((FILES, shown_files(reported)), (GRADERS, grader_files(reported, read))):
        for name in names:
            data = read(name)
            if data is not None:
                files[f"{folder}/{name}"] = data
    return files


def stated_test(reported: Task) -> Json:
    """The test as a suite would say it, with everything that it inherits."""
    hidden = reported.hidden
    test: Json = {
        "id": hidden.get("id", reported.case_key),
        "conversation_id": hidden.get("conversation_id"),
        "criteria": hidden.get("criteria") or None,
        "input": _short(listing(hidden.get("input")), "user"),
        "expected_output": _short(listing(hidden.get("expected_output")), "assistant"),
        "metadata": hidden.get("metadata") or None,
        "workspace": mapping(reported.evidence.stored).get("workspace"),
    }
    for spec in reported.graders:
        config = mapping(spec.config)
        if spec.kind == "agentv.conversation":
            talk = mapping(config.get("conversation"))
            test |= {"mode": "conversation", **_plain(talk), "assertions": _plain(listing(config.get("assertions")))}
        elif not mapping(config.get("assertion")).get("implicit"):
            test.setdefault("assertions", []).append(_plain(config.get("assertion")))
    return {name: value for name, value in test.items() if value not in (None, [])}


def _short(messages: Sequence[Any], role: str) -> Any:
    """Messages as authors write them: a single one of the usual role is its text."""
    if len(messages) == 1 and mapping(messages[0]).get("role") == role:
        content = mapping(messages[0]).get("content")
        return content if isinstance(content, str) else list(messages)
    return list(messages) or None


def _plain(value: Any) -> Any:
    """A value without what the compiler added."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if name not in _OURS}
    return [_plain(part) for part in value] if isinstance(value, list) else value


def redacted(value: Any, name: str = "") -> Any:
    """A value without texts that look like secrets, by their names or their own looks."""
    if isinstance(value, Mapping):
        return {key: redacted(part, str(key)) for key, part in value.items()}
    if isinstance(value, list):
        return [redacted(part, name) for part in value]
    if not isinstance(value, str):
        return value
    if _SECRET_NAME.search(name) and value and "{{" not in value:
        return REDACTED
    return _SECRET_VALUE.sub(REDACTED, value)


def shown_files(reported: Task) -> list[str]:
    """The files of the pack that the messages of a test show."""
    listed = [mapping(found).get("name") for found in mapping(reported.hidden.get("files")).values()]
    return sorted({name for name in listed if isinstance(name, str)})


def grader_files(reported: Task, read: Read) -> list[str]:
    """The files of the pack that the commands and prompts of graders name."""
    found = {name for spec in reported.graders for name in _named(mapping(spec.config)) if read(name) is not None}
    return sorted(found)


def _named(value: Any, directory: str = "") -> Iterator[str]:
    """Paths below the pack that the parts of commands may mean, and prompts that are files."""
    if isinstance(value, list):
        for part in value:
            yield from _named(part, directory)
    if not isinstance(value, Mapping):
        return
    directory = str(value.get("directory", directory))
    for word in _words(value):
        path = posixpath.normpath(posixpath.join(directory, word.removeprefix("file://")))
        if not path.startswith(("../", "/")):
            yield path
    for part in value.values():
        yield from _named(part, directory)


def _words(assertion: Mapping[str, Any]) -> Iterator[str]:
    command, prompt = assertion.get("command"), assertion.get("prompt")
    if isinstance(command, str):
        try:
            yield from shlex.split(command)
        except ValueError:
            return
    yield from (part for part in listing(command) if isinstance(part, str))
    if isinstance(prompt, str) and "\n" not in prompt:
        yield prompt


def differences(reported: Task, frozen: Mapping[str, Any]) -> list[str]:
    """In what a frozen task differs from the case that is there now, by the names of its fields."""
    now = redacted(stated_test(reported))
    return [name for name in COMPARED if _text(now.get(name)) != _text(frozen.get(name))]


def _text(stated: Any) -> list[tuple[str, str]]:
    """What is said, by whom, whatever form it is written in."""
    if isinstance(stated, list):
        messages: list[Message] = [dict(mapping(message)) for message in stated]
        return [(_role(message), text_of(message.get("content")).strip()) for message in messages]
    return [("", text_of(stated).strip())] if stated is not None else []


def _role(message: Message) -> str:
    return "" if message.get("role") in ("user", "assistant") else str(message.get("role"))
