"""llm-grader and rubrics: a model judges the answer, freely or by a list of criteria (agentv F.8)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from packs.formats.values import is_whole, mapping
from runs.grading.graders.agentv.payload import payload_of
from runs.grading.graders.agentv.programs import UNANSWERED, access_of, arguments_of, completed, workspace_variables
from runs.grading.graders.agentv.prompts import REPAIR, Message, inviting, write_checklist, write_free
from runs.grading.graders.agentv.replies import Unusable, checklist_row, free_row, ranges_row
from runs.grading.graders.agentv.rows import ScoreRow
from runs.grading.graders.agentv.scene import Broken, Missing, Raised, Scene, Skipped
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.questions import Question
from runs.grading.graders.values import as_number

# How often a model is asked the same, and once more with what was wrong with its last reply.
ATTEMPTS = 3
PROMPT_SECONDS = 60.0
# How many calls a judge has that looks at files, where the assertion does not say, and at most.
STEPS, MAX_STEPS = 10, 50


def judge(scene: Scene) -> ScoreRow:
    """The row of the model's judgement."""
    items = [mapping(item) for item in scene.assertion.get("rubrics") or ()]
    prompt = prompt_of(scene)
    if not items:
        return ask(scene, write_free(scene, prompt), free_row)
    has_ranges = any(item.get("score_ranges") for item in items)
    read = ranges_row if has_ranges else checklist_row
    return ask(scene, write_checklist(scene, items, has_ranges, prompt), lambda text: read(text, items))


def prompt_of(scene: Scene) -> str:
    """The author's instruction: that of the file or in its place, or what a program prints. Empty for none."""
    stated = scene.assertion.get("prompt_text", scene.assertion.get("prompt"))
    if not isinstance(stated, Mapping):
        return stated if isinstance(stated, str) else ""
    command = GraderCommand(
        key=f"{scene.key}/prompt",
        arguments=arguments_of(stated.get("command", stated.get("script"))),
        seconds=scene.case.seconds or PROMPT_SECONDS,
        target="workspace",
        stdin=payload_of(scene, config=stated.get("config")),
        directory=str(scene.assertion.get("directory", scene.case.folder)),
        variables=workspace_variables(scene),
    )
    code, stdout, stderr = completed(scene.executed(command), "the program that writes the prompt")
    if code:
        raise Raised(f"the program that writes the prompt ended with code {code}: {stderr.strip()[-500:]}")
    return stdout


def ask(
    scene: Scene, messages: Sequence[Message], read: Callable[[str], ScoreRow], target: Any = None, part: str = ""
) -> ScoreRow:
    """What a model's reply is worth. Raises Raised for a target that the pack does not know, Missing and Skipped."""
    model = model_of(scene, target or scene.assertion.get("target"))
    steps = steps_of(scene, model)
    messages = inviting(messages) if steps else tuple(messages)
    key, trouble, asked = f"{scene.key}{part}", "", messages
    for attempt in range(1, ATTEMPTS + 2):
        name = key if attempt == 1 else f"{key}#{attempt}"
        temperature = as_number(scene.assertion.get("temperature"))
        text = reply_of(scene.asked(Question(name, model, asked, temperature=temperature, steps=steps)))
        try:
            return read(text)
        except Unusable as unusable:
            trouble = str(unusable)
        if attempt == ATTEMPTS:
            # The last attempt shows the model what it said.
            said = {"role": "assistant", "content": text}
            asked = (*messages, said, {"role": "user", "content": REPAIR.format(trouble=trouble)})
    raise Skipped(f"the judge's reply cannot be used: {trouble}")


def model_of(scene: Scene, stated: Any) -> str:
    """The model that judges. Raises Raised for a name that the pack's targets file does not have."""
    if not isinstance(stated, str) or not stated:
        named = scene.assertion.get("model")
        return named if isinstance(named, str) and named else scene.judge
    if scene.case.targets is not None and stated not in scene.case.targets:
        raise Raised(f"there is no target {stated!r}")
    return stated


def steps_of(scene: Scene, model: str) -> int:
    """How often a model that looks at files may be asked (agentv F.8); 0 for one that only reads what it is told.

    Where the pack's targets say what judges, that decides; else an assertion that states the number means it so.
    """
    stated = scene.assertion.get("max_steps")
    usable = int(stated) if is_whole(stated) and stated <= MAX_STEPS else 0
    is_known = model in (scene.case.targets or ())
    looks = model in scene.case.agentic if is_known else usable > 0
    if not looks or not scene.recording.workspace.get("workspace_path"):
        return 0
    return usable or STEPS


def models_of(scene: Scene) -> Iterator[str]:
    """The models that an assertion and those below it can ask, whichever target is tried."""
    stated = scene.assertion
    try:
        if stated.get("type") == "llm-grader":
            yield from _askable(scene, stated.get("target"))
        if stated.get("type") == "code-grader" and access_of(scene) is not None:
            yield from _askable(scene, None)
        aggregator = mapping(stated.get("aggregator"))
        if aggregator.get("type") == "llm-grader":
            yield from _askable(scene, aggregator.get("target") or stated.get("target"))
    except Raised:
        return
    members = list(stated.get("assertions") or ())
    for turn in map(mapping, stated.get("turns") or ()):
        members += turn.get("assertions") or ([{"type": "llm-grader"}] if turn.get("expected_output") else [])
    for member in map(mapping, members):
        yield from models_of(scene.member(member, ""))


def _askable(scene: Scene, stated: Any) -> Iterator[str]:
    """The models that can be asked where an assertion states one, or none. Raises Raised."""
    model = model_of(scene, stated)
    yield from (model,) if stated or scene.assertion.get("model") else (*scene.case.judges.values(), model)


def reply_of(reply: Mapping[str, Any]) -> str:
    """The text of a reply. Raises Missing where nobody answers for the model, Broken where it failed."""
    if not reply.get("error"):
        return str(reply.get("output_text", ""))
    if reply.get("problem") in UNANSWERED:
        raise Missing(str(reply["error"]))
    raise Broken(f"the judge's model failed: {reply['error']}")
