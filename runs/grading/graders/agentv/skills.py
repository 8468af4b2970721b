"""skill-trigger: whether the agent used a skill (agentv F.4)."""

from packs.formats.values import exact_text, mapping
from runs.grading.graders.agentv.case import PINNED
from runs.grading.graders.agentv.rows import ScoreRow, one
from runs.grading.graders.agentv.scene import Scene
from runs.grading.graders.agentv.texts import text_of
from runs.grading.graders.evidence import ToolCall
from runs.grading.graders.values import plain_json


def judge(scene: Scene) -> ScoreRow:
    """The skill was triggered, or was not where it should not be."""
    skill = text_of(scene, "skill")
    wanted = scene.assertion.get("should_trigger") is not False
    is_late = scene.case.generation == PINNED
    found = [call.name for call in scene.recording.tool_calls if _triggers(call, skill, is_late)]
    reported = f"the skill {skill!r} is {'used' if wanted else 'not used'}"
    return one(bool(found) is wanted, reported, f"used through {found[0]}" if found else "no call used it")


def _triggers(call: ToolCall, skill: str, is_late: bool) -> bool:
    given, place = mapping(call.arguments), f"skills/{skill}/"
    name = call.name.lower() if is_late else call.name
    if name in ("Skill", "skill") and skill in exact_text(given, "skill"):
        return True
    paths = ("file_path", "path") if is_late else ("file_path",)
    if name in ("Read", "read") and any(place in exact_text(given, path) for path in paths):
        return True
    output = call.output
    return place in (output if isinstance(output, str) else plain_json(output))
