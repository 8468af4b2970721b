"""Schema of the scorecard: dimensions and how they become one verdict (challenge-pack d.8)."""

from packs.formats.challenge_pack.schema.parts import whole
from packs.formats.schema.pieces import (
    Schema,
    anything,
    asking,
    choice,
    items,
    must_say,
    never,
    number,
    says,
    share,
    strict,
    text,
    texts,
    yes_no,
)

STRATEGIES = {
    "weighted": "Weighted mean of all dimensions",
    "binary": "Every dimension must reach its threshold",
    "hybrid": "Gates first, then the weighted mean of the rest",
}
SOURCES = {
    "validators": "Validators",
    "metric": "A metric",
    "reliability": "Completed without failures",
    "latency": "Time taken",
    "cost": "Cost of the models",
    "behavioral": "Behavioural signals",
    "llm_judge": "An LLM judge",
    "human_preference": "Votes of people",
}
BUILT_IN = {
    "correctness": "All validators",
    "reliability": "Completed without failures",
    "latency": "Time taken",
    "cost": "Cost of the models",
    "behavioral": "Behavioural signals",
}

MEASURED = ("metric", "latency", "cost")
ALWAYS_HIGHER = ("validators", "reliability", "llm_judge", "behavioral")
GATED: Schema = {"properties": {"gate": {"const": True}}, "required": ["gate"]}
_BOUND: Schema = {"type": "number", "x-rules": "E810"}
_BOUNDS: Schema = {
    "properties": {"target": _BOUND, "max": _BOUND},
    "required": ["target", "max"],
    "x-rules": {"required": "E810"},
}

DIMENSION: Schema = strict(
    "Dimension",
    {
        "key": text("Key", "Unique in the scorecard.", minLength=1, rule="E802", examples=["correctness"]),
        "source": choice("Source", SOURCES, "Where the score comes from.", rule="E804"),
        "validators": texts(
            "Validators", "Keys of validators; none means all.", item={"type": "string", "x-picks": "validators"}
        ),
        "metric": text("Metric", "Key of a metric.", picks="metrics", widget="picker"),
        "judge_key": text("Judge", "Key of a judge.", picks="judges", widget="picker"),
        "better_direction": choice(
            "Better is", {"higher": "Higher", "lower": "Lower"}, "For metric, latency, cost.", rule="E811"
        ),
        "normalization": strict(
            "Normalisation",
            {
                "target": number("Target", "Value that scores 1.", keep=True),
                "max": number("Limit", "Value that scores 0.", keep=True),
            },
            "How a measured value becomes a score; linear between the two.",
            keep=True,
        ),
        "weight": number("Weight", "Share in the overall score.", minimum=0, default=1, keep=True, rule="E816"),
        "gate": yes_no("Gate", "The run fails when this dimension is below its threshold."),
        "pass_threshold": share("Pass threshold", "Least score that passes.", keep=True, rule="E818"),
    },
    "One aspect of the result.",
    required=["key"],
    allOf=[
        asking(says("key", *BUILT_IN, trimmed=True), otherwise=must_say("source", "E804")),
        asking(says("source", "metric"), must_say("metric", "E806")),
        asking(
            says("source", *MEASURED),
            {
                "allOf": [
                    must_say("normalization", "E808", type="object"),
                    {"properties": {"normalization": _BOUNDS}},
                    must_say("better_direction", "E811"),
                ]
            },
        ),
        asking(
            says("source", *ALWAYS_HIGHER),
            {"properties": {"better_direction": {"not": {"const": "lower"}, "x-rules": "E812"}}},
        ),
        asking(says("source", "llm_judge"), must_say("judge_key", "E813"), never("judge_key", "E815")),
        asking(GATED, must_say("pass_threshold", "E817", type="number")),
    ],
)

NORMALIZATION: Schema = strict(
    "Normalisation",
    {
        "latency": strict(
            "Latency",
            {
                "target_ms": number("Target (ms)", keep=True, widget="milliseconds"),
                "max_ms": number("Limit (ms)", keep=True, widget="milliseconds"),
            },
            keep=True,
        ),
        "cost": strict(
            "Cost",
            {"target_usd": number("Target (USD)", keep=True), "max_usd": number("Limit (USD)", keep=True)},
            keep=True,
        ),
    },
    "Targets and limits for the dimensions latency and cost.",
)

JUDGE_LIMITS: Schema = strict(
    "Judge limits",
    {
        "max_samples_per_judge": whole("Most samples per judge", minimum=0, maximum=10, rule="E722"),
        "max_calls_usd": number("Most cost (USD)", "0 means no limit.", minimum=0, rule="E722"),
        "max_tokens": whole("Most tokens", "0 means no limit.", minimum=0, rule="E722"),
    },
    "Bounds for all judges together.",
)

SCORECARD: Schema = strict(
    "Scorecard",
    {
        "strategy": choice("Strategy", STRATEGIES, "How dimensions become a verdict.", default="weighted", rule="E819"),
        "pass_threshold": share(
            "Pass threshold", "Least overall score that passes; not for binary.", keep=True, rule="E822"
        ),
        "normalization": NORMALIZATION,
        "judge_limits": JUDGE_LIMITS,
        "dimensions": items(
            "Dimensions",
            anything(
                "Dimension", oneOf=[choice("Ready-made dimension", BUILT_IN, trimmed=True, rule="E804"), DIMENSION]
            ),
            "What is scored; a name of a ready-made dimension or a full description.",
            minItems=1,
            rule="E801",
        ),
    },
    "How grades become a score and a verdict.",
    required=["dimensions"],
    allOf=[
        asking(
            says("strategy", "binary"),
            {
                "properties": {
                    "pass_threshold": {"type": "null", "x-rules": "E820"},
                    "dimensions": {
                        "items": asking({"type": "object"}, must_say("pass_threshold", "E817", type="number"))
                    },
                }
            },
        ),
        asking(
            says("strategy", "hybrid"),
            {"properties": {"dimensions": {"contains": {"type": "object", **GATED}, "x-rules": "E821"}}},
        ),
    ],
)
