"""Rules about the simulated user of a case (challenge-pack e, U1 to U18; c.6)."""

from collections.abc import Iterator

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.checks.cases import check_expectations
from packs.formats.challenge_pack.schema.simulator import ACTORS, TRIGGERS
from packs.formats.challenge_pack.templates import context_of, unresolved
from packs.formats.challenge_pack.values import entries, flag, given, mapping, number, one_of, text, texts
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

ROOT: Path = ("user_simulator",)
ALWAYS = "always"
LATER_TRIGGERS = tuple(trigger for trigger in TRIGGERS if trigger != ALWAYS)

SIMULATOR_MISSING = Rule(
    "challenge_pack.E951",
    "A multi_turn pack needs a simulated user in every case.",
    "Add `user_simulator` with at least one phase.",
    "U1",
)
SIMULATOR_NOT_ALLOWED = Rule(
    "challenge_pack.E952",
    "A simulated user is only for multi_turn packs; this one is {mode}.",
    "Remove `user_simulator`, or set the execution mode to multi_turn.",
    "U2",
)
SCHEMA_VERSION_UNKNOWN = Rule(
    "challenge_pack.E953", "The simulated user must state schema version 1.", "Write `schema_version: 1`.", "U3"
)
KIND_UNKNOWN = Rule("challenge_pack.E954", "The simulated user must be of kind hybrid.", "Write `kind: hybrid`.", "U4")
TURNS_NEGATIVE = Rule(
    "challenge_pack.E955", "`max_turns` cannot be negative.", "Write 0 or nothing for the default.", "U5"
)
NO_PHASE = Rule("challenge_pack.E956", "The simulated user has no phase.", "Add at least one.", "U6")
PHASE_ID_MISSING = Rule("challenge_pack.E957", "The phase has no id.", "Give it a short name of its own.", "U7")
ACTOR_UNKNOWN = Rule("challenge_pack.E958", "The phase has no known actor: {actor!r}.", "Use one of: {allowed}.", "U8")
TRIGGER_UNKNOWN = Rule("challenge_pack.E959", "The trigger {trigger!r} does not exist.", "Use one of: {allowed}.", "U9")
PHASE_ID_REPEATED = Rule("challenge_pack.E960", "Two phases have the id {key!r}.", "Rename one of them.", "U10")
FIRST_PHASE_TRIGGERED = Rule(
    "challenge_pack.E961", "The first phase always runs and takes no other trigger.", "Remove `trigger`.", "U11"
)
LATER_PHASE_ALWAYS = Rule(
    "challenge_pack.E962",
    "Every phase but the first needs a trigger other than always.",
    "Write one of: {allowed}.",
    "U11",
)
NO_TURN = Rule("challenge_pack.E963", "The scripted phase has no turn.", "Add at least one message.", "U12")
MESSAGE_MISSING = Rule("challenge_pack.E964", "The turn has no message.", "Write what the user says.", "U12")
PERSONA_MISSING = Rule("challenge_pack.E965", "The llm phase has no persona.", "Describe who the model plays.", "U13")
PHASE_TURNS_NEGATIVE = Rule(
    "challenge_pack.E972",
    "`max_turns` of a phase cannot be negative.",
    "Write 0 or nothing for the overall limit.",
    "U13",
)
UNTIL_BLANK = Rule("challenge_pack.E966", "The condition is empty.", "Write a condition, or remove the entry.", "U13")
TIMEOUT_NEGATIVE = Rule(
    "challenge_pack.E967", "`timeout_ms` cannot be negative.", "Write 0 or nothing for 30 minutes.", "U14"
)
MODEL_NOT_ALLOWED = Rule(
    "challenge_pack.E968", "Only an llm phase uses a model; this one is {actor}.", "Remove `model`.", "U15"
)
SAMPLE_RATE_OUT_OF_RANGE = Rule(
    "challenge_pack.E969",
    "Calibration needs a sample_rate above 0 and at most 1.",
    "Write a fraction, or switch calibration off.",
    "U16",
)
COMPARISON_UNKNOWN = Rule(
    "challenge_pack.E970", "The arena cannot compare by {comparison!r}.", "Write pairwise, or nothing.", "U17"
)
MESSAGE_UNRESOLVED = Rule(
    "challenge_pack.E971",
    "`{{{{{name}}}}}` in the message has no value in this case.",
    "Add it to the payload or the inputs, or take it out of the message.",
    "U18",
)


def check_simulator(index: PackIndex, case: Document, mode: str) -> Iterator[Finding]:
    """U1 to U18 for one case of a pack of that execution mode."""
    if not given(case, "user_simulator"):
        if mode == "multi_turn":
            yield SIMULATOR_MISSING.at(ROOT)
    elif mode != "multi_turn":
        yield SIMULATOR_NOT_ALLOWED.at(ROOT, mode=mode)
    else:
        simulator = mapping(case, "user_simulator")
        yield from _check_head(simulator)
        yield from _check_phases(index, case, simulator)
        yield from _check_extras(simulator)


def _check_head(simulator: Document) -> Iterator[Finding]:
    if number(simulator, "schema_version") != 1:
        yield SCHEMA_VERSION_UNKNOWN.at((*ROOT, "schema_version"))
    if text(simulator, "kind") != "hybrid":
        yield KIND_UNKNOWN.at((*ROOT, "kind"))
    if (number(simulator, "max_turns") or 0) < 0:
        yield TURNS_NEGATIVE.at((*ROOT, "max_turns"))
    if not simulator.get("phases"):
        yield NO_PHASE.at((*ROOT, "phases"))


def _check_phases(index: PackIndex, case: Document, simulator: Document) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, phase in entries(simulator, "phases"):
        path, key = (*ROOT, "phases", position), text(phase, "id")
        if not key:
            yield PHASE_ID_MISSING.at((*path, "id"))
        elif key in seen:
            yield PHASE_ID_REPEATED.at((*path, "id"), key=key)
        seen.add(key)
        yield from _check_trigger(phase, position, (*path, "trigger"))
        yield from _check_actor(index, case, phase, path)


def _check_actor(index: PackIndex, case: Document, phase: Document, path: Path) -> Iterator[Finding]:
    actor = text(phase, "actor")
    if actor not in ACTORS:
        yield ACTOR_UNKNOWN.at((*path, "actor"), actor=actor, allowed=one_of(ACTORS))
    if actor == "scripted":
        yield from _check_script(index, case, phase, path)
    if actor == "llm":
        yield from _check_llm(phase, path)
    if actor == "human" and (number(phase, "timeout_ms") or 0) < 0:
        yield TIMEOUT_NEGATIVE.at((*path, "timeout_ms"))
    if actor and actor != "llm" and text(phase, "model"):
        yield MODEL_NOT_ALLOWED.at((*path, "model"), actor=actor)


def _check_trigger(phase: Document, position: int, path: Path) -> Iterator[Finding]:
    trigger = text(phase, "trigger") or ALWAYS
    if trigger not in TRIGGERS:
        yield TRIGGER_UNKNOWN.at(path, trigger=trigger, allowed=one_of(LATER_TRIGGERS))
    elif position == 0 and trigger != ALWAYS:
        yield FIRST_PHASE_TRIGGERED.at(path)
    elif position > 0 and trigger == ALWAYS:
        yield LATER_PHASE_ALWAYS.at(path, allowed=one_of(LATER_TRIGGERS))


def _check_script(index: PackIndex, case: Document, phase: Document, path: Path) -> Iterator[Finding]:
    context = context_of(case)
    if not phase.get("turns"):
        yield NO_TURN.at((*path, "turns"))
    for position, turn in entries(phase, "turns"):
        place = (*path, "turns", position)
        if not text(turn, "message"):
            yield MESSAGE_MISSING.at((*place, "message"))
        for name in unresolved(exact_text(turn, "message"), context):
            yield MESSAGE_UNRESOLVED.at((*place, "message"), name=name)
        yield from check_expectations(index, case, turn, "expects", place)


def _check_llm(phase: Document, path: Path) -> Iterator[Finding]:
    if not text(phase, "persona"):
        yield PERSONA_MISSING.at((*path, "persona"))
    if (number(phase, "max_turns") or 0) < 0:
        yield PHASE_TURNS_NEGATIVE.at((*path, "max_turns"))
    for position, condition in texts(phase, "until"):
        if not condition.strip():
            yield UNTIL_BLANK.at((*path, "until", position))


def _check_extras(simulator: Document) -> Iterator[Finding]:
    calibration = mapping(simulator, "calibration")
    rate = number(calibration, "sample_rate") or 0
    if flag(calibration, "enabled") and not 0 < rate <= 1:
        yield SAMPLE_RATE_OUT_OF_RANGE.at((*ROOT, "calibration", "sample_rate"))
    arena = mapping(mapping(simulator, "post_run"), "arena")
    comparison = text(arena, "comparison")
    if flag(arena, "enabled") and comparison not in ("", "pairwise"):
        yield COMPARISON_UNKNOWN.at((*ROOT, "post_run", "arena", "comparison"), comparison=comparison)
