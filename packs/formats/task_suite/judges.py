"""What models are asked about a trial: one question for each dimension and each assertion (task-suite 4.6)."""

from collections.abc import Iterator, Mapping
from typing import Any

from packs.formats.document import Document
from packs.formats.six_dimensions import ANCHORS
from packs.formats.task import JudgeSpec
from packs.formats.task_suite.catalogue import known_type
from packs.formats.task_suite.checks.rubrics import rubric_file, rubric_paths, stem
from packs.formats.values import is_number, is_whole, listing, mapping

# The model of graders that name none: somebody is chosen to answer for it when a run starts.
MODEL = "judge"
# The one dimension of a rubric that is written in the task itself.
OWN_RUBRIC = "rubric"
# What a judge looks at: how the trial went, and what came of it.
CONTEXT = ("trial",)
FINAL_MESSAGE = ("final_output",)
SCALE: dict[str, Any] = {"scale_min": 0.0, "scale_max": 4.0}


def dimensions_of(grader: Document) -> list[str]:
    """The dimensions that a rubric grader has scored: those with a weight, else one for each rubric."""
    weights = mapping(mapping(grader.get("scoring")).get("weights"))
    if weights:
        return [name for name in weights if isinstance(name, str)]
    named = [stem(path) for _, path in rubric_paths(grader)]
    has_own = isinstance(grader.get("rubric"), str) and not rubric_file(grader["rubric"])
    return list(dict.fromkeys(named)) or ([OWN_RUBRIC] if has_own else [])


def judges_of(document: Document, key: str, grader: Document, texts: Mapping[str, str]) -> Iterator[JudgeSpec]:
    """The questions of one grader; `texts` are its rubric files by their stems."""
    kind = known_type(str(grader.get("type", "")))
    judge = mapping(grader.get("judge"))
    model = judge.get("model")
    count = judge.get("count")
    common: dict[str, Any] = {
        "grader": key,
        "models": (model if isinstance(model, str) and model.strip() else MODEL,),
        "samples": int(count) if is_whole(count) else 1,
        "temperature": float(stated) if is_number(stated := judge.get("temperature")) else 0.0,
    }
    reported = _described(document)
    aggregate = stated if isinstance(stated := judge.get("aggregate"), str) else ""
    if kind == "model_rubric":
        for name in dimensions_of(grader):
            text = f"{_rubric(name, grader, texts)}\n\n{reported}"
            own = {"context": CONTEXT, "aggregate": aggregate, **SCALE, **common}
            yield JudgeSpec(key=f"{key}/{name}", mode="rubric", text=text, **own)
        for number, assertion in enumerate(listing(grader.get("assertions")), start=1):
            text = f"{assertion}\n\n{reported}"
            yield JudgeSpec(key=f"{key}/assertion {number}", mode="assertion", text=text, context=CONTEXT, **common)
    elif kind == "pairwise_comparison":
        common |= {"context": FINAL_MESSAGE, "reference": f"literal:{grader.get('reference', '')}"}
        text = f"{_criteria(grader.get('criteria'))}\n\n{reported}"
        for order, is_first in (("candidate first", False), ("reference first", True)):
            yield JudgeSpec(key=f"{key}/{order}", mode="pairwise", text=text, reference_first=is_first, **common)


def _rubric(name: str, grader: Document, texts: Mapping[str, str]) -> str:
    """What a dimension means: the rubric file of its name, the text in the task, or what the scorecard says of it."""
    label = name.replace("_", " ")
    if name in texts:
        return f"Score {label} only.\n\n{texts[name].strip()}"
    if isinstance(grader.get("rubric"), str) and not rubric_file(grader["rubric"]):
        own = str(grader["rubric"]).strip()
        return own if name == OWN_RUBRIC else f"Score {label} only.\n\n{own}"
    anchors = "\n".join(f"- {score}: {text}" for score, text in ANCHORS.get(name, {}).items())
    return f"Score {label} only.\n\n{anchors}".strip()


def _criteria(stated: Any) -> str:
    if isinstance(stated, list):
        return "\n".join(f"- {item}" for item in stated if isinstance(item, str)) or "Which answer is better?"
    return stated.strip() if isinstance(stated, str) and stated.strip() else "Which answer is better?"


def _described(document: Document) -> str:
    """What the judge has to know of the task: what was asked, what counts as done, and what is expected."""
    inputs = mapping(document.get("inputs"))
    asked = [inputs.get("user_message"), mapping(inputs.get("conversation_context")).get("user_message")]
    asked.append(inputs.get("issue_statement"))
    policy = [f"{name}: {text}" for name, text in mapping(inputs.get("policy")).items()]
    sections = (
        ("What the agent was asked", [text for text in asked if isinstance(text, str)]),
        ("What counts as done", [document.get("description", "")]),
        ("Constraints", _texts(inputs.get("constraints"))),
        ("Rules that hold", policy),
        ("Expected behavior", _texts(inputs.get("expected_behavior"))),
        ("Tools that may not be used", _texts(inputs.get("forbidden_tools"))),
    )
    return "\n\n".join(f"{title}:\n{_listed(lines)}" for title, lines in sections if any(lines))


def _texts(value: Any) -> list[str]:
    return [item for item in listing(value) if isinstance(item, str)]


def _listed(lines: list[Any]) -> str:
    texts = [str(line).strip() for line in lines]
    return texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)
