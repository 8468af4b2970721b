"""Files as graders show them to models: their text, or what a converter of the pack makes of them (agentv F.13)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from packs.formats.media import is_meant, media_type
from packs.formats.values import mapping
from runs.grading.graders.agentv.programs import MAX_REPLY, SHOWN, arguments_of, completed, workspace_variables
from runs.grading.graders.agentv.scene import Raised, Scene, Stopped
from runs.grading.graders.commands import GraderCommand

SECONDS = 60.0
FILES = ("file", "image")
UNREADABLE = "[the preprocessor for files of this type cannot read it]"
_BINARY = re.compile(r"^Binary files (?:.+) and b/(.+) differ$", re.MULTILINE)


def block_text(scene: Scene, block: Mapping[str, Any]) -> str | None:
    """A block of a message as judges read it; None where it has no text. Raises Needed and Stopped."""
    value = block.get("value")
    if not isinstance(value, str):
        return None
    return shown(scene, value) if block.get("type") in FILES else value


def files_in(scene: Scene, messages: Sequence[Any]) -> Iterator[str]:
    """The files of messages, each as judges read it."""
    for message in map(mapping, messages):
        content = message.get("content")
        for block in map(mapping, content if isinstance(content, list) else ()):
            if block.get("type") in FILES and isinstance(block.get("value"), str):
                yield shown(scene, block["value"])


def files_left(scene: Scene) -> Iterator[str]:
    """The files without text that the agent made or changed, as far as there are converters for them."""
    reported = scene.recording.workspace
    for path in _BINARY.findall(str(reported.get("diff") or "")):
        converter = _converter(scene, path)
        if converter is not None:
            place = f"{reported.get('workspace_path', '')}/{path}"
            try:
                yield _element(path, _converted(scene, converter, path, {"path": place}, {}))
            except Stopped:
                # A file that no program can read must not keep its agent from being judged.
                yield _element(path, UNREADABLE)


def shown(scene: Scene, path: str) -> str:
    """A file of the pack by its path as written."""
    file, converter = mapping(scene.case.files.get(path)), _converter(scene, path)
    if file and converter is not None:
        return _element(path, _converted(scene, converter, path, {}, {"path": str(file.get("name"))}))
    text = file.get("text")
    if isinstance(text, str):
        return _element(path, text)
    return f'<file path="{path}" />' if not file else f'<file path="{path}">[no text; no preprocessor is for it]</file>'


def _element(path: str, text: str) -> str:
    return f'<file path="{path}">\n{text}\n</file>'


def _converter(scene: Scene, path: str) -> Mapping[str, Any] | None:
    """The first of the assertion's converters that is for a file."""
    stated = scene.assertion.get("preprocessors")
    entries = map(mapping, stated if isinstance(stated, list) else ())
    return next((entry for entry in entries if is_meant(str(entry.get("type", "")), path)), None)


def _converted(
    scene: Scene, converter: Mapping[str, Any], path: str, reported: Mapping[str, str], paths: Mapping[str, str]
) -> str:
    """The text that a converter makes of a file. Raises Needed, Broken, and Stopped for one that fails."""
    document = {**reported, "original_path": path, "media_type": media_type(path)}
    who = f"the preprocessor for {path}"
    try:
        command = GraderCommand(
            key=f"{scene.key}/files/{path}",
            arguments=arguments_of(converter.get("command")),
            seconds=scene.case.seconds or SECONDS,
            target="workspace",
            target_path=path,
            stdin=orjson.dumps(document),
            paths=paths,
            directory=str(converter.get("directory", scene.case.folder)),
            variables=workspace_variables(scene),
            kept=MAX_REPLY,
            most_output=MAX_REPLY,
        )
        code, stdout, stderr = completed(scene.executed(command), who)
    except Raised as raised:
        raise Stopped(f"{who}: {raised}") from raised
    if code:
        raise Stopped(f"{who} ended with code {code}: {(stderr.strip() or stdout.strip())[-SHOWN:]}")
    return stdout.strip()
