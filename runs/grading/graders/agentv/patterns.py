"""regex: an ECMAScript pattern is found in the answer (agentv F.4).

The engine backtracks, so a pattern can take time without end; a companion does the searching, and is stopped then.
"""

from pathlib import Path

from runs.grading.graders.agentv.rows import ScoreRow, one
from runs.grading.graders.agentv.scene import Broken, Raised, Scene, Stopped
from runs.grading.graders.agentv.texts import SHOWN, text_of
from runs.sandbox.companion import Companion, TookTooLong
from runs.sandbox.contract import SandboxUnavailable

SECONDS = 5.0
MATCHER = Companion(Path(__file__).with_name("matcher.py"))


def judge(scene: Scene) -> ScoreRow:
    """The pattern is found; one that is no pattern is worth 0."""
    source, flags = text_of(scene), scene.assertion.get("flags")
    if flags is not None and not isinstance(flags, str):
        raise Raised("flags is not text")
    return one(is_found(source, flags or "", scene.answer), f"the answer matches {source[:SHOWN]!r}")


def is_found(source: str, flags: str, text: str) -> bool:
    """Whether a text matches anywhere. Raises Raised for what is no pattern, Stopped, and Broken."""
    try:
        reply = MATCHER.ask({"pattern": source, "flags": flags, "text": text}, SECONDS)
    except TookTooLong as late:
        raise Stopped(f"searching for {source[:SHOWN]!r} took longer than {SECONDS:g} seconds: simplify it") from late
    except SandboxUnavailable as error:
        raise Broken(str(error)) from error
    if "error" in reply:
        raise Raised(f"{source[:SHOWN]!r} is no pattern: {reply['error']}")
    return reply["found"] is True
