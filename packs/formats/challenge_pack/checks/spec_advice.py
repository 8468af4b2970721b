"""Advice about the pack's own document: what is accepted, but cannot work as written (challenge-pack c.5, d, e)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.checks.expected import expected_trouble, need_of
from packs.formats.challenge_pack.checks.scorecard import dimension_sources, dimensions
from packs.formats.challenge_pack.checks.tools import is_mock
from packs.formats.challenge_pack.checks.validators import declared_checks
from packs.formats.challenge_pack.evidence import FILE_PREFIX, LITERAL_PREFIX, is_reference, reads_conversation
from packs.formats.challenge_pack.schema.spec import UNSUPPORTED_COLLECTOR
from packs.formats.challenge_pack.schema.tools import MOCK_STRATEGIES, PRIMITIVES
from packs.formats.challenge_pack.values import (
    SPEC,
    entries,
    evaluation_spec,
    execution_mode,
    given,
    listing,
    mapping,
    one_of,
    text,
    texts,
)
from packs.formats.collectors import COLLECTED
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds import Syntax
from packs.formats.kinds.file_content_match import MODES
from packs.formats.values import exact_text

COST_COLLECTOR = "run_model_cost_usd"
RELIABILITY_COLLECTORS = ("run_completed_successfully", "run_failure_count")
# What a dimension of that source goes by, besides the metrics that dimensions of source metric name.
COLLECTORS_OF_SOURCE = {
    "reliability": RELIABILITY_COLLECTORS,
    "cost": (COST_COLLECTOR,),
    "latency": ("run_total_latency_ms",),
}
# Types whose config is not demanded, though without it there is nothing to check by.
CONFIG_NEEDED = ("code_execution", "file_json_schema", "directory_structure")

PRIMITIVE_UNKNOWN = Rule(
    "challenge_pack.W401",
    "No built-in tool and no tool of the pack is called {name!r}.",
    "Built-in tools: {allowed}.",
)
TOOL_NAME_MISSING = Rule("challenge_pack.W402", "The tool has no name, so no agent can call it.", "Name it.")
TOOL_NAME_REPEATED = Rule("challenge_pack.W403", "Two tools are called {name!r}.", "Rename one of them.")
MOCK_UNKNOWN = Rule("challenge_pack.W404", "The mock strategy {strategy!r} does not exist.", "Use one of: {allowed}.")
VARIABLE_WITH_REFERENCE = Rule(
    "challenge_pack.W405",
    "The value of {name} refers to something with `${{…}}`, which is refused when a run starts.",
    "Write the value itself.",
)
LITERAL_PATTERN_BROKEN = Rule(
    "challenge_pack.W501",
    "The literal pattern does not compile: {reason}.",
    "{advice}",
)
LITERAL_SCHEMA_BROKEN = Rule("challenge_pack.W502", "The literal is not a usable JSON Schema: {reason}", "{advice}")
LITERAL_PATH_BROKEN = Rule("challenge_pack.W503", "The literal cannot be looked up: {reason}.", "{advice}")
LITERAL_BROKEN = {
    Syntax.PATTERN: LITERAL_PATTERN_BROKEN,
    Syntax.SCHEMA: LITERAL_SCHEMA_BROKEN,
    Syntax.PATH: LITERAL_PATH_BROKEN,
}
LITERAL_TRIMMED = Rule(
    "challenge_pack.W504",
    "Spaces at the end of a literal are removed before it is compared.",
    "Remove them, or state the text as an expectation of the case.",
)
FILE_NEVER_CAPTURED = Rule(
    "challenge_pack.W505",
    "Nothing captures {key!r}, so this has no value in any run.",
    "Declare a post-execution check with this key.",
)
NO_CONVERSATION = Rule(
    "challenge_pack.W506",
    "{reference} has a value in multi_turn packs only; this one is {mode}.",
    "Use final_output, or set the execution mode to multi_turn.",
)
CONFIG_ABSENT = Rule("challenge_pack.W507", "A {type} without a config cannot judge anything.", "Add `config`.")
MATCH_MODE_UNKNOWN = Rule("challenge_pack.W508", "The match mode {mode!r} does not exist.", "Use one of: {allowed}.")
COLLECTOR_UNKNOWN = Rule(
    "challenge_pack.W601",
    "No collector is called {collector!r}; the metric will end in an error.",
    "Use one of: {allowed}.",
)
RELIABILITY_UNMEASURED = Rule(
    "challenge_pack.W602",
    "The reliability dimension has no value: no metric collects {missing}.",
    "Add a metric for each of: {needed}.",
)
COST_UNPRICED = Rule(
    "challenge_pack.W603",
    "Without prices the cost has no value.",
    "Add `pricing.models` with the models that the agents use.",
)
METRICS_UNUSED = Rule(
    "challenge_pack.N601",
    "No dimension scores these metrics, which are measured and shown only: {keys}.",
    "Add a dimension of source metric for what is to count.",
)
VALIDATOR_UNUSED = Rule(
    "challenge_pack.W801",
    "No dimension scores the validator {key!r}, so its result changes nothing.",
    "List it in a dimension, or remove it.",
)
JUDGE_UNUSED = Rule(
    "challenge_pack.W802",
    "No dimension scores the judge {key!r}, so its calls cost money and change nothing.",
    "Add a dimension of source llm_judge that names it, or remove it.",
)


def advise_on_pack(pack: Document) -> Iterator[Finding]:
    """All advice that needs nothing but the pack's own document."""
    spec = evaluation_spec(pack)
    yield from _advise_on_tools(pack)
    yield from _advise_on_variables(pack)
    for position, validator in entries(spec, "validators"):
        yield from _advise_on_validator(validator, (*SPEC, "validators", position))
    yield from _advise_on_references(spec, execution_mode(pack))
    yield from _advise_on_measures(spec)
    yield from _advise_on_metrics(spec)
    yield from _advise_on_use(spec)


def references(spec: Document) -> Iterator[tuple[Path, str]]:
    """Every evidence reference of validators and judges, trimmed, with its path."""
    for position, validator in entries(spec, "validators"):
        for field in ("target", "expected_from"):
            if reference := text(validator, field):
                yield (*SPEC, "validators", position, field), reference
    for position, judge in entries(spec, "llm_judges"):
        path = (*SPEC, "llm_judges", position)
        if reference := text(judge, "reference_from"):
            yield (*path, "reference_from"), reference
        for place, written in texts(judge, "context_from"):
            yield (*path, "context_from", place), written.strip()


def _advise_on_tools(pack: Document) -> Iterator[Finding]:
    tools = [tool for _, tool in entries(mapping(pack, "tools"), "custom")]
    names = [text(tool, "name") for tool in tools]
    for position, (tool, name) in enumerate(zip(tools, names, strict=True)):
        path, implementation = ("tools", "custom", position), mapping(tool, "implementation")
        if not name:
            yield TOOL_NAME_MISSING.at((*path, "name"))
        elif name in names[:position]:
            yield TOOL_NAME_REPEATED.at((*path, "name"), name=name)
        strategy, primitive = text(implementation, "strategy"), text(implementation, "primitive")
        if is_mock(implementation):
            if strategy not in MOCK_STRATEGIES:
                place = (*path, "implementation", "strategy")
                yield MOCK_UNKNOWN.at(place, strategy=strategy, allowed=one_of(MOCK_STRATEGIES))
        elif primitive and primitive not in PRIMITIVES and primitive not in names:
            place = (*path, "implementation", "primitive")
            yield PRIMITIVE_UNKNOWN.at(place, name=primitive, allowed=one_of(PRIMITIVES))


def _advise_on_variables(pack: Document) -> Iterator[Finding]:
    path = ("version", "sandbox", "env_vars")
    for name, value in mapping(mapping(mapping(pack, "version"), "sandbox"), "env_vars").items():
        if isinstance(value, str) and "${" in value:
            field = f"version.sandbox.env_vars[{name}]"
            yield VARIABLE_WITH_REFERENCE.at((*path, name), field=field, name=name)


def _advise_on_validator(validator: Document, path: Path) -> Iterator[Finding]:
    kind, expected = exact_text(validator, "type"), exact_text(validator, "expected_from")
    if kind in CONFIG_NEEDED and not given(validator, "config"):
        yield CONFIG_ABSENT.at((*path, "config"), type=kind)
    mode = text(mapping(validator, "config"), "match_mode")
    if kind == "file_content_match" and mode and mode not in MODES:
        yield MATCH_MODE_UNKNOWN.at((*path, "config", "match_mode"), mode=mode, allowed=one_of(MODES))
    if expected.strip().startswith(LITERAL_PREFIX):
        if expected.rstrip() != expected:
            yield LITERAL_TRIMMED.at((*path, "expected_from"))
        need = need_of(validator)
        if trouble := expected_trouble(need, expected.strip().removeprefix(LITERAL_PREFIX)):
            yield LITERAL_BROKEN[need].at((*path, "expected_from"), **trouble)


def _advise_on_references(spec: Document, mode: str) -> Iterator[Finding]:
    declared = declared_checks(spec)
    for path, reference in references(spec):
        if reads_conversation(reference) and is_reference(reference) and mode != "multi_turn":
            yield NO_CONVERSATION.at(path, reference=reference, mode=mode)
        # Once a check is declared, an unknown key in a target is an error of its own; so it is for some types always.
        is_error = path[-1] == "target" and (declared or _insists_on_checks(spec, path))
        if reference.startswith(FILE_PREFIX) and not is_error:
            key = reference.removeprefix(FILE_PREFIX)
            if key.strip() and key not in declared:
                yield FILE_NEVER_CAPTURED.at(path, key=key)


def _insists_on_checks(spec: Document, path: Path) -> bool:
    validator = listing(spec, "validators")[int(path[-2])]
    return validator.get("type") in ("code_execution", "postcondition")


def _advise_on_measures(spec: Document) -> Iterator[Finding]:
    collectors = {text(metric, "collector") for _, metric in entries(spec, "metrics")}
    has_prices = bool(listing(mapping(spec, "pricing"), "models"))
    for position, metric in entries(spec, "metrics"):
        path, collector = (*SPEC, "metrics", position, "collector"), text(metric, "collector")
        if collector and collector not in (*COLLECTED, UNSUPPORTED_COLLECTOR):
            yield COLLECTOR_UNKNOWN.at(path, collector=collector, allowed=one_of(COLLECTED))
        if collector == COST_COLLECTOR and not has_prices:
            yield COST_UNPRICED.at(path)
    missing = tuple(name for name in RELIABILITY_COLLECTORS if name not in collectors)
    for position, dimension in dimensions(spec):
        path, source = (*SPEC, "scorecard", "dimensions", position), exact_text(dimension, "source")
        if source == "reliability" and missing:
            yield RELIABILITY_UNMEASURED.at(path, missing=one_of(missing), needed=one_of(RELIABILITY_COLLECTORS))
        if source == "cost" and not has_prices:
            yield COST_UNPRICED.at(path)


def _advise_on_use(spec: Document) -> Iterator[Finding]:
    """Validators and judges that no dimension scores.

    A pack that scores no validators at all is left alone: it has to declare one, whatever it scores (V4).
    """
    judged = {text(dimension, "judge_key") for _, dimension in dimensions(spec)}
    for position, judge in entries(spec, "llm_judges"):
        key = text(judge, "key")
        if key and key not in judged:
            yield JUDGE_UNUSED.at((*SPEC, "llm_judges", position), key=key)
    collectors = {text(metric, "collector") for _, metric in entries(spec, "metrics")}
    if "validators" not in dimension_sources(spec) or "validator_pass_rate" in collectors:
        return
    scored = _scored_validators(spec)
    for position, validator in entries(spec, "validators"):
        key = text(validator, "key")
        if key and scored is not None and key not in scored:
            yield VALIDATOR_UNUSED.at((*SPEC, "validators", position), key=key)


def _advise_on_metrics(spec: Document) -> Iterator[Finding]:
    scored = {text(dimension, "metric") for _, dimension in dimensions(spec)}
    sources = dimension_sources(spec)
    used = {name for source in sources for name in COLLECTORS_OF_SOURCE.get(source, ())}
    unused = [
        text(metric, "key")
        for _, metric in entries(spec, "metrics")
        if text(metric, "key") not in scored and text(metric, "collector") not in used
    ]
    if any(unused):
        yield METRICS_UNUSED.at((*SPEC, "metrics"), keys=one_of(tuple(filter(None, unused))))


def _scored_validators(spec: Document) -> set[str] | None:
    """The validators that some dimension names; None if a dimension takes all of them."""
    scored: set[str] = set()
    for _, dimension in dimensions(spec):
        if exact_text(dimension, "source") == "validators":
            named = {key for _, key in texts(dimension, "validators")}
            if not named:
                return None
            scored |= named
    return scored
