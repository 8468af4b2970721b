"""Schema of the scorecard: dimensions and how they become one verdict (challenge-pack d.8)."""

from packs.formats.schema.pieces import (
    Schema,
    anything,
    choice,
    items,
    number,
    share,
    strict,
    text,
    texts,
    whole,
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

DIMENSION: Schema = strict(
    "Dimension",
    {
        "key": text("Key", "Unique in the scorecard.", minLength=1, examples=["correctness"]),
        "source": choice("Source", SOURCES, "Where the score comes from."),
        "validators": texts(
            "Validators", "Keys of validators; none means all.", item={"type": "string", "x-picks": "validators"}
        ),
        "metric": text("Metric", "Key of a metric.", picks="metrics", widget="picker"),
        "judge_key": text("Judge", "Key of a judge.", picks="judges", widget="picker"),
        "better_direction": choice("Better is", {"higher": "Higher", "lower": "Lower"}, "For metric, latency, cost."),
        "normalization": strict(
            "Normalisation",
            {
                "target": number("Target", "Value that scores 1.", keep=True),
                "max": number("Limit", "Value that scores 0.", keep=True),
            },
            "How a measured value becomes a score; linear between the two.",
            keep=True,
        ),
        "weight": number("Weight", "Share in the overall score.", minimum=0, default=1, keep=True),
        "gate": yes_no("Gate", "The run fails when this dimension is below its threshold."),
        "pass_threshold": share("Pass threshold", "Least score that passes.", keep=True),
    },
    "One aspect of the result.",
    required=["key"],
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
        "max_samples_per_judge": whole("Most samples per judge", minimum=0, maximum=10),
        "max_calls_usd": number("Most cost (USD)", "0 means no limit.", minimum=0),
        "max_tokens": whole("Most tokens", "0 means no limit.", minimum=0),
    },
    "Bounds for all judges together.",
)

SCORECARD: Schema = strict(
    "Scorecard",
    {
        "strategy": choice("Strategy", STRATEGIES, "How dimensions become a verdict.", default="weighted"),
        "pass_threshold": share("Pass threshold", "Least overall score that passes; not for binary.", keep=True),
        "normalization": NORMALIZATION,
        "judge_limits": JUDGE_LIMITS,
        "dimensions": items(
            "Dimensions",
            anything("Dimension", oneOf=[choice("Ready-made dimension", BUILT_IN, trimmed=True), DIMENSION]),
            "What is scored; a name of a ready-made dimension or a full description.",
            minItems=1,
        ),
    },
    "How grades become a score and a verdict.",
    required=["dimensions"],
)
