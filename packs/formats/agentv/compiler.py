"""Compiling: each test that the loader keeps to one task (agentv B to G)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.assertions import is_own_type
from packs.formats.agentv.context import Around, around
from packs.formats.agentv.converters import converters_of, shown_files
from packs.formats.agentv.generations import is_pinned, repositories_of
from packs.formats.agentv.kinds import KINDS
from packs.formats.agentv.layout import inside
from packs.formats.agentv.loaded import Loaded, expected_messages, load_test, reference_answer, turns_of
from packs.formats.agentv.places import plan_of, template_files
from packs.formats.agentv.prompts import file_paths, plain_input, prompt_of
from packs.formats.agentv.reader import NAME
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.schema.workspace import CONTAINER
from packs.formats.agentv.settings import options_of_talk, settings_of, suite_name, target_names, threshold_of
from packs.formats.agentv.stored import stored_document
from packs.formats.agentv.targets import description_of_targets
from packs.formats.agentv.variants import CLASSIC, PINNED
from packs.formats.document import Case, Document, Pack
from packs.formats.structure import counting
from packs.formats.task import (
    Dimension,
    Environment,
    EvidenceCase,
    GraderSpec,
    Schedule,
    Scoring,
    Task,
    Trials,
    WorkspaceFile,
    title_of,
)
from packs.formats.values import is_number, listing, mapping

# The strategy of `runs.grading.scoring` for F.5 and F.6, and the rules for several trials by the names of E.3.
STRATEGY = "gated_mean"
TRIAL_RULES = {"pass_at_k": "pass@k", "mean": "mean", "confidence_interval": "confidence_interval"}
# The kind of graders for types of assertions that AgentV does not bring.
CUSTOM = "custom"
# The assertions that show files to models.
SHOWING = ("llm-grader", "composite")
_limits = counting(CONTAINER, "bad_limit")


def compile_tasks(pack: Pack, input_set: str | None = None) -> Iterator[Task]:
    """The tasks of one suite, or of all; see `Adapter.compile_tasks`.

    A test that AgentV leaves out becomes a task with an obstacle, so that its trials say why nothing is run.
    """
    # By path, as canonical files have them: which asset was added first is no part of a version.
    assets = sorted(pack.assets, key=lambda asset: asset.path)
    material = tuple(WorkspaceFile(asset.path, asset_key=asset.key) for asset in assets)
    for found in pack.input_sets:
        if input_set is None or found.key == input_set:
            place = around(pack, found)
            for case in found.cases:
                loaded, reported = load_test(place, case.document)
                if loaded is not None:
                    yield _task(place, found.key, case, loaded, material)
                else:
                    yield _left_out(found.key, case, next((each.message for each in reported), "The test is left out."))


def _left_out(suite: str, case: Case, reason: str) -> Task:
    return Task(
        format=NAME,
        challenge_key="",
        input_set_key=suite,
        case_key=case.key,
        title=case.key,
        prompt="",
        visible={},
        hidden={},
        evidence=EvidenceCase(stored_document(case)),
        environment=Environment(obstacle=reason),
        scoring=Scoring(strategy=STRATEGY),
    )


def _task(place: Around, suite: str, case: Case, test: Loaded, material: tuple[WorkspaceFile, ...]) -> Task:
    reported = description_of(place, test)
    threshold = threshold_of(place.suite, test.document)
    workspace = test.workspace
    seconds = _limits((workspace or {}).get("docker")).get("timeout")
    context = {"test": reported, "threshold": threshold, **({} if seconds is None else {"seconds": float(seconds)})}
    graders = tuple(_graders(place, test, context))
    turns = turns_of(test.document)
    return Task(
        format=NAME,
        challenge_key="",
        input_set_key=suite,
        case_key=case.key,
        title=title_of(_request(test)) or case.key,
        prompt=prompt_of(place, test.input),
        visible={},
        hidden=reported,
        evidence=EvidenceCase(stored_document(case)),
        environment=Environment(
            mode="multi_turn" if turns else "native",
            files=tuple(template_files(place, workspace)) if workspace else (),
            image=str(mapping(workspace.get("docker")).get("image", "")) if workspace else "",
            workspace=plan_of(place, test.document, workspace) if workspace else None,
            material=material,
        ),
        graders=graders,
        scoring=_scoring(graders, threshold),
        trials=_trials(place.suite),
        conversation=_conversation(place, test.document, turns),
        reference=test.reference or None,
        schedule=_schedule(place.suite, test.document),
    )


def description_of(place: Around, test: Loaded) -> Document:
    """What graders and hooks are told of a test, in the words of their payloads (agentv D.4, F.7)."""
    return {
        "id": test.id,
        "suite": str(test.document.get("suite") or suite_name(place.suite)),
        "conversation_id": test.document.get("conversation_id"),
        "criteria": test.criteria,
        "input": test.input,
        "case_input": plain_input(test.input),
        "input_files": file_paths(test.input),
        "expected_output": test.expected,
        "reference_answer": test.reference,
        "metadata": test.metadata,
        "folder": place.folder,
        "files": shown_files(place, [*test.input, *test.expected, *_turn_messages(test.turns)]),
        "generation": PINNED if is_pinned(repositories_of(test.workspace)) else CLASSIC,
        **description_of_targets(place, test.document),
    }


def _turn_messages(turns: list[Document]) -> list[Document]:
    """What is said and expected in turns, as messages."""
    said = [{"content": turn.get("input")} for turn in turns]
    return said + [message for turn in turns for message in expected_messages(turn.get("expected_output"))]


def _request(test: Loaded) -> str:
    """What the user says last before the agent answers; the criteria are for graders."""
    said = [text for message in test.input if message["role"] == "user" if (text := plain_input([message]).strip())]
    return said[-1] if said else ""


def _graders(place: Around, test: Loaded, context: Document) -> Iterator[GraderSpec]:
    """One grader an assertion, in their order; a conversation is judged by one grader that has them all."""
    turns = turns_of(test.document)
    if turns:
        config = {
            **context,
            "conversation": _played(place, test, turns),
            "assertions": _readied(place, test.assertions),
        }
        yield GraderSpec("conversation", "agentv.conversation", config=config)
        return
    taken: set[str] = set()
    without_files = {**context, "test": {name: part for name, part in context["test"].items() if name != "files"}}
    for assertion in _readied(place, test.assertions or [implicit(test)]):
        key, number = str(assertion["name"]), 2
        while key in taken:
            key, number = f"{assertion['name']}-{number}", number + 1
        taken.add(key)
        reported = context if assertion["type"] in SHOWING else without_files
        kind = assertion["type"] if assertion["type"] in KINDS else CUSTOM
        yield GraderSpec(key, f"agentv.{kind}", config={**reported, "assertion": assertion})


def implicit(test: Loaded) -> Document:
    """The grader of a test without assertions: a judge of its criteria (agentv F.3)."""
    return {"name": "criteria", "type": "llm-grader", "implicit": True}


def _readied(place: Around, assertions: list[Document]) -> list[Document]:
    """Assertions with the folder of the pack in which the command of each one runs, and with all their converters.

    Those of a type that AgentV does not bring say whether the pack does.
    """
    return [{**assertion, **_directory(place, assertion), **_converters(place, assertion)} for assertion in assertions]


def _converters(place: Around, assertion: Document) -> Document:
    """The converters of an assertion that shows files to a model."""
    aggregator = mapping(assertion.get("aggregator"))
    if "llm-grader" not in (assertion["type"], aggregator.get("type")):
        return {}
    found = converters_of(place, assertion.get("preprocessors"))
    return {"preprocessors": found} if found or "preprocessors" in assertion else {}


def _directory(place: Around, assertion: Document) -> Document:
    found: Document = {}
    if assertion["type"] == "code-grader":
        stated = assertion.get("cwd")
        named = (place.find(stated) or inside(place.folder, stated)) if is_text(stated) else place.folder
        found["directory"] = place.folder if named is None else named
    if assertion["type"] not in KINDS:
        found["is_own"] = is_own_type(place, assertion["type"])
    if assertion["type"] == "composite":
        found["assertions"] = _readied(place, assertion["assertions"])
    return found


def _played(place: Around, test: Loaded, turns: list[Document]) -> Document:
    """The turns as their grader needs them (agentv C.7)."""
    return {
        "turns": [
            {
                "input": turn["input"],
                "expected_output": turn.get("expected_output"),
                "reference_answer": reference_answer(place, turn.get("expected_output")),
                "assertions": _readied(place, turn["assertions"]),
            }
            for turn in test.turns
        ],
        **{"aggregation": "mean", "on_turn_failure": "continue", "preprocessors": converters_of(place, None)},
        **options_of_talk(test.document),
    }


def _scoring(graders: tuple[GraderSpec, ...], threshold: float) -> Scoring:
    dimensions = tuple(_dimension(spec, mapping((spec.config or {}).get("assertion")), threshold) for spec in graders)
    return Scoring(dimensions=dimensions, strategy=STRATEGY, pass_threshold=threshold)


def _dimension(spec: GraderSpec, assertion: Document, threshold: float) -> Dimension:
    return Dimension(
        key=spec.key,
        source="grader",
        graders=(spec.key,),
        weight=float(assertion.get("weight", 1)),
        gate=bool(assertion.get("required", False)),
        pass_threshold=gate_of(assertion, threshold),
    )


def gate_of(assertion: Document, threshold: float) -> float | None:
    """The score below which a required assertion fails the test (agentv F.5); None where it is not required."""
    required = assertion.get("required", False)
    if not required:
        return None
    stated = assertion.get("min_score", required)
    return float(stated) if is_number(stated) else threshold


def _trials(suite: Document) -> Trials:
    stated = mapping(settings_of(suite).get("trials"))
    if stated.get("count", 1) < 2:
        return Trials()
    rule = TRIAL_RULES[stated.get("strategy", "pass_at_k")]
    return Trials(int(stated["count"]), rule, stated.get("cost_limit_usd"))


def _schedule(suite: Document, test: Document) -> Schedule:
    settings = settings_of(suite)
    depends_on = [key for key in listing(test.get("depends_on")) if isinstance(key, str)]
    after = test.get("on_dependency_failure")
    return Schedule(
        depends_on=tuple(depends_on),
        on_dependency_failure=after if after in ("skip", "fail", "run") else "skip",
        targets=tuple(target_names(suite, test)),
        workers=int(settings["workers"]) if "workers" in settings else None,
        cost_usd=settings.get("budget_usd"),
        stops_on_error=settings.get("fail_on_error", False),
    )


def _conversation(place: Around, test: Document, turns: list[Document]) -> dict[str, Any] | None:
    """The script of the user: what is said in each turn, how much of the talk the agent is told, and when it ends."""
    if not turns:
        return None
    said = [{"message": prompt_of(place, [{"role": "user", "content": turn["input"]}])} for turn in turns]
    script = {"phases": [{"id": "turns", "actor": "scripted", "turns": said}], "max_turns": len(said)}
    options = options_of_talk(test)
    return script | {name: options[name] for name in ("window_size", "on_turn_failure") if name in options}
