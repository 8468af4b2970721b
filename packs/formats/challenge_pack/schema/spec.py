"""Schema of the evaluation spec: the strictly read part of a pack (challenge-pack d)."""

from packs.formats.challenge_pack.schema.judges import JUDGES
from packs.formats.challenge_pack.schema.parts import REFERENCE_OR_BLANK, reference, whole
from packs.formats.challenge_pack.schema.scorecard import GATED, SCORECARD
from packs.formats.collectors import COLLECTED
from packs.formats.kinds import KINDS, Expected, Target
from packs.formats.schema.kinds import Purpose, kind, offering
from packs.formats.schema.pieces import (
    FORMLESS,
    LENIENT,
    Schema,
    anything,
    asking,
    choice,
    items,
    must_say,
    never,
    number,
    ruled,
    says,
    share,
    strict,
    text,
    yes_no,
)

JUDGE_MODES = {
    "deterministic": "Validators only",
    "llm_judge": "LLM judges",
    "hybrid": "Validators and LLM judges",
}
UNSUPPORTED_SIGNAL = "confidence_calibration"
UNSUPPORTED_COLLECTOR = "behavioral_confidence_calibration_score"
CHECK_TYPES = {"file_capture": "Content of a file", "directory_listing": "Files of a folder"}
METRIC_TYPES = {"numeric": "Number", "text": "Text", "boolean": "Yes or no"}
SIGNALS = {
    "recovery_behavior": "Recovery after failures",
    "exploration_efficiency": "Few repeated calls",
    "error_cascade": "No rows of failures",
    "scope_adherence": "Stays within what is allowed",
}


def _of_kinds(**wanted: Target | Expected) -> Schema:
    """The condition that a validator is of one of the kinds that state this."""
    ((name, value),) = wanted.items()
    return says("type", *(key for key, known in KINDS.items() if getattr(known, name) is value))


def _matching(name: str, pattern: str, rule: str) -> Schema:
    return {"properties": {name: {"pattern": pattern, "x-rules": rule}}}


_SAYS_REFERENCE = _matching("target", REFERENCE_OR_BLANK, "E516")
_VALIDATOR: Schema = strict(
    "Validator",
    {
        "key": text("Key", "Unique in the spec.", minLength=1, rule="E511", examples=["answer_ok"]),
        "type": choice(
            "Type", {name: known.label for name, known in KINDS.items()}, "How the target is checked.", rule="E513"
        ),
        "target": reference(
            "Target",
            "What is checked: the final output, a captured file, or `tool_calls`.",
            minLength=1,
            rule="E514",
            examples=["final_output", "file:report", "tool_calls"],
        ),
        "expected_from": reference(
            "Expected",
            "What it is compared with.",
            examples=["case.expectations.answer", "literal:yes"],
        ),
        "config": anything("Configuration", "Options of this type.", keep=True, widget="config"),
    },
    "A check that needs no model.",
    required=["key", "type", "target"],
    allOf=[
        *(
            {
                "if": {"properties": {"type": {"const": name}}},
                "then": {"properties": ruled({"config": {**known.settings, LENIENT: not known.rule}}, "config")},
            }
            for name, known in KINDS.items()
            if known.settings
        ),
        asking(
            _of_kinds(target=Target.TOOL_CALLS),
            _matching("target", r"^\s*(?:tool_calls)?\s*$", "E515"),
            {
                "allOf": [
                    _SAYS_REFERENCE,
                    asking(_of_kinds(target=Target.FILE), _matching("target", r"^\s*(?:$|file:)", "E520")),
                ]
            },
        ),
        asking(_of_kinds(expected=Expected.REFUSED), never("expected_from", "E519")),
        asking(
            {"anyOf": [_of_kinds(expected=Expected.REFUSED), _of_kinds(expected=Expected.IGNORED)]},
            otherwise={
                **must_say("expected_from", "E517"),
                "allOf": [_matching("expected_from", REFERENCE_OR_BLANK, "E518")],
            },
        ),
    ],
)

VALIDATOR: Schema = offering(_VALIDATOR, "type", {name: known.offer for name, known in KINDS.items()})

CHECK: Schema = strict(
    "Capture",
    {
        "key": text("Key", "Unique; validators refer to it as `file:<key>`.", minLength=1, rule="E531"),
        "type": choice("Type", CHECK_TYPES, rule="E533"),
        "path": text(
            "Path", "Where it lies in the working directory.", minLength=1, rule="E534", examples=["report.md"]
        ),
        "recursive": yes_no("With sub-folders", "For folders."),
        "max_size_bytes": whole(
            "Most bytes", "More is cut off; 0 means 1 MiB.", minimum=0, rules={"minimum": "E535"}, widget="bytes"
        ),
    },
    "A file or folder that is kept after the agent ended.",
    required=["key", "type", "path"],
)

_METRIC: Schema = strict(
    "Metric",
    {
        "key": text("Key", "Unique in the spec.", minLength=1, rule="E601"),
        "type": choice("Type", METRIC_TYPES, rule="E603"),
        "collector": text(
            "Collector",
            "What is measured.",
            minLength=1,
            rule="E604",
            examples=[*COLLECTED],
            widget="suggestions",
        ),
        "unit": text("Unit", "Shown beside the value.", examples=["ms", "tokens", "usd"]),
    },
    "A value measured during the trial.",
    required=["key", "type", "collector"],
    allOf=[
        {
            "properties": {"collector": {"not": {"pattern": rf"^\s*{UNSUPPORTED_COLLECTOR}\s*$"}, "x-rules": "E605"}},
            FORMLESS: True,
        }
    ],
)

METRIC: Schema = offering(
    _METRIC,
    "collector",
    {
        name: kind(
            name.removeprefix("run_").replace("_", " ").capitalize(),
            Purpose.MEASURE,
            says,
            "a limit or a better direction follows in the scorecard",
            start={"key": name, "type": "boolean" if name == "run_completed_successfully" else "numeric"},
        )
        for name, says in COLLECTED.items()
    },
)

SIGNAL: Schema = strict(
    "Signal",
    {
        "key": choice("Signal", SIGNALS, rule="E612"),
        "weight": number("Weight", exclusiveMinimum=0, rule="E615"),
        "gate": yes_no("Gate", "The dimension scores 0 when this signal is below its threshold."),
        "pass_threshold": share("Pass threshold", keep=True, rule="E617"),
    },
    required=["key", "weight"],
    allOf=[
        {"properties": {"key": {"not": {"const": UNSUPPORTED_SIGNAL}, "x-rules": "E614"}}, FORMLESS: True},
        asking(GATED, must_say("pass_threshold", "E616", type="number")),
    ],
)

BEHAVIORAL: Schema = strict(
    "Behavioural signals",
    {"signals": items("Signals", SIGNAL, minItems=1, rule="E611")},
    "What the order of the tool calls tells about the agent.",
    required=["signals"],
    keep=True,
)

LIMITS: Schema = strict(
    "Limits",
    {
        "max_total_tokens": whole("Most tokens", exclusiveMinimum=0, keep=True, rule="E505"),
        "max_cost_usd": number("Most cost (USD)", exclusiveMinimum=0, keep=True, rule="E505"),
        "max_duration_ms": whole(
            "Longest duration (ms)", exclusiveMinimum=0, keep=True, rule="E505", widget="milliseconds"
        ),
        "max_iterations": whole("Most steps", minimum=1, maximum=1000, keep=True, rule="E506"),
    },
    "Budgets of one trial.",
)

PRICE: Schema = strict(
    "Model price",
    {
        "provider_key": text("Provider", minLength=1, rule="E621", examples=["openai"]),
        "provider_model_id": text("Model", minLength=1, rule="E621"),
        "input_cost_per_million_tokens": number("Input (USD per million tokens)", minimum=0, rule="E622"),
        "output_cost_per_million_tokens": number("Output (USD per million tokens)", minimum=0, rule="E622"),
    },
    required=["provider_key", "provider_model_id"],
)

_SPEC: Schema = strict(
    "Evaluation spec",
    {
        "name": text("Name", minLength=1, rule="E501"),
        "version_number": whole("Version", minimum=1, rule="E502"),
        "judge_mode": choice("Judge mode", JUDGE_MODES, "Who judges.", rule="E503"),
        "post_execution_checks": items("Captures", CHECK, "Files that are kept for checking.", declares="captures"),
        "validators": items(
            "Validators",
            VALIDATOR,
            "At least one, in every judge mode.",
            minItems=1,
            rule="E504",
            declares="validators",
        ),
        "metrics": items("Metrics", METRIC, declares="metrics"),
        "behavioral": BEHAVIORAL,
        "llm_judges": JUDGES,
        "runtime_limits": LIMITS,
        "pricing": strict("Prices", {"models": items("Models", PRICE)}, "Needed to measure cost."),
        "scorecard": SCORECARD,
    },
    "How answers are checked and how the checks become a score.",
    required=["name", "version_number", "judge_mode", "validators", "scorecard"],
    allOf=[
        asking(says("judge_mode", "deterministic"), {"properties": {"llm_judges": {"maxItems": 0, "x-rules": "E723"}}}),
        *(
            asking(says("judge_mode", mode), must_say("llm_judges", rule, type="array", minItems=1))
            for mode, rule in (("llm_judge", "E724"), ("hybrid", "E725"))
        ),
    ],
)
# Types are strict in it, and unknown keys are errors.
SPEC = ruled({"spec": _SPEC}, "E007", additionalProperties="E006")["spec"]
