"""Schema of the LLM judges of an evaluation spec (challenge-pack d.7)."""

from packs.formats.challenge_pack.schema.parts import EVIDENCE, REFERENCE, REFERENCE_OR_BLANK, reference, whole
from packs.formats.schema.kinds import Purpose, joining, kind, offering
from packs.formats.schema.pieces import (
    Schema,
    asking,
    choice,
    free_map,
    items,
    long_text,
    must_say,
    number,
    says,
    share,
    strict,
    text,
    texts,
    yes_no,
)
from packs.formats.structure.published import any_case

MODES = {
    "rubric": "Score by a rubric",
    "reference": "Score against a reference answer",
    "assertion": "Decide whether a statement holds",
    "n_wise": "Rank all agents of the run",
}
_KINDS = {
    "rubric": kind(
        MODES["rubric"],
        Purpose.JUDGE,
        "A model scores the answer by a rubric that you write.",
        "`5: names the hub and the day; 1: names neither`",
        fields=["score_scale"],
        needs=["rubric"],
    ),
    "reference": kind(
        MODES["reference"],
        Purpose.JUDGE,
        "A model scores how close the answer comes to a good one.",
        "compared with `case.expectations.answer`",
        fields=["score_scale", "rubric"],
        needs=["reference_from"],
    ),
    "assertion": kind(
        MODES["assertion"],
        Purpose.JUDGE,
        "A model decides whether a statement about the answer is true.",
        "`The answer apologises for the delay.`",
        fields=["expect"],
        needs=["assertion"],
    ),
    "n_wise": kind(
        MODES["n_wise"],
        Purpose.JUDGE,
        "A model ranks the answers of all agents of a run.",
        "`Which answer would a customer prefer?`",
        fields=["position_debiasing"],
        needs=["prompt"],
    ),
}
AGGREGATIONS = {
    "median": "Median",
    "mean": "Mean",
    "majority_vote": "Majority (assertions)",
    "unanimous": "All must agree",
}

CONSENSUS: Schema = strict(
    "Consensus",
    {
        "aggregation": choice("Aggregation", AGGREGATIONS, "How the models' results become one.", rule="E714"),
        "min_agreement_threshold": share("Least agreement", "Agreement that is asked for.", keep=True, rule="E716"),
        "flag_on_disagreement": yes_no("Flag disagreement", "Mark results on which the models differ."),
    },
    "Needed as soon as there are two models.",
    required=["aggregation"],
    keep=True,
)

_PREFIXES = ("claude-", "gpt-", "o1", "o3", "o4", "text-embedding", "gemini-", "grok-", "mistral-")
# The beginnings of names whose provider is known, capitals or not; or any `provider/model`; or nothing.
_PROVIDER = rf"^\s*$|/|^\s*(?:{'|'.join(map(any_case, _PREFIXES))})"
_MODEL = text("", pattern=_PROVIDER, rule="E710", allOf=[{"pattern": r"\S", "x-rules": "E709"}])
_NO_SECRET: Schema = {"not": {"pattern": r"\$\{\s*secrets\s*\."}, "rules": {"not": "E719"}}
# The field that says what a judge of each mode has to do.
JUDGE_TEXTS = {"rubric": "rubric", "reference": "rubric", "assertion": "assertion", "n_wise": "prompt"}


def _models(least: int) -> Schema:
    """The condition that so many models are listed."""
    return {"properties": {"models": {"type": "array", "minItems": least}}, "required": ["models"]}


def _combined_not_by(*names: str) -> Schema:
    aggregation = {"not": {"enum": [*names]}, "x-rules": "E715"}
    return {"properties": {"consensus": {"properties": {"aggregation": aggregation}}}}


_JUDGE: Schema = strict(
    "Judge",
    {
        "key": text("Key", "Unique; also different from validator and metric keys.", minLength=1, rule="E701"),
        "mode": choice("Mode", MODES, "What the judge is asked to do.", rule="E703"),
        "model": text(
            "Model",
            "The judging model; give either this or several models.",
            open=True,
            pattern=_PROVIDER,
            rule="E710",
            examples=["gpt-4o-mini"],
        ),
        "models": texts("Models", "Several judging models.", item=_MODEL),
        "samples": whole(
            "Samples", "Replies asked of each model; 0 means 3.", minimum=0, maximum=10, default=3, rule="E711"
        ),
        "context_from": texts(
            "Context",
            "Evidence shown to the judge.",
            item=text("", pattern=REFERENCE, rule="E717", picks=EVIDENCE, widget="suggestions"),
        ),
        "rubric": long_text("Rubric", "For the modes rubric and reference: how to score.", **_NO_SECRET),
        "assertion": long_text("Assertion", "For the mode assertion: a statement about the answer.", **_NO_SECRET),
        "prompt": long_text("Prompt", "For the mode n_wise: what to compare.", **_NO_SECRET),
        "reference_from": reference("Reference answer", "For the mode reference: where the good answer stands."),
        "expect": yes_no("Expected", "For assertions; no means that the statement must not hold.", keep=True),
        "score_scale": strict(
            "Score scale",
            {
                "min": number("Lowest score", default=1, keep=True),
                "max": number("Highest score", default=5, keep=True),
            },
            "Scores are mapped from this scale to 0 to 1.",
            keep=True,
        ),
        "consensus": CONSENSUS,
        "position_debiasing": yes_no("Rotate positions", "For n_wise: each sample starts with another agent."),
        "output_schema": free_map("Output schema", "JSON Schema that the reply must fulfil.", keep=True),
        "anti_gaming_clauses": texts("Warnings to the judge", "Sentences added to the end of the prompt."),
        "timeout_ms": whole(
            "Time limit (ms)",
            "For one reply.",
            exclusiveMinimum=0,
            rule="E721",
            default=60000,
            keep=True,
            widget="milliseconds",
        ),
    },
    "A model that judges what plain checks cannot.",
    required=["key", "mode"],
    allOf=[
        *(asking(says("mode", mode), must_say(name, "E704")) for mode, name in JUDGE_TEXTS.items()),
        asking(
            says("mode", "reference"),
            {
                **must_say("reference_from", "E705"),
                "allOf": [{"properties": {"reference_from": {"pattern": REFERENCE_OR_BLANK, "x-rules": "E706"}}}],
            },
        ),
        asking(
            says("model"),
            {"properties": {"models": {"maxItems": 0, "x-rules": "E708"}}},
            asking(_models(1), otherwise=must_say("model", "E707")),
        ),
        asking(
            _models(2),
            must_say("consensus", "E712", type="object"),
            {"properties": {"consensus": {"type": "null", "x-rules": "E713"}}},
        ),
        asking(says("mode", "assertion"), _combined_not_by("median", "mean"), _combined_not_by("majority_vote")),
    ],
)

# A judge counts only in a spec that asks judges, and by a dimension of its own.
_COUNTS = joining(
    {"judge_mode": ("deterministic", "hybrid")}, ("scorecard", "dimensions"), "judge_key", {"source": "llm_judge"}
)
JUDGE: Schema = offering(_JUDGE, "mode", _KINDS, joins=_COUNTS)
JUDGES: Schema = items(
    "LLM judges", JUDGE, "Judging models; needed by the judge modes llm_judge and hybrid.", declares="judges"
)
