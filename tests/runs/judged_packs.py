"""Challenge packs with LLM judges, made from the packs of `tests.runs.studio_packs`."""

from tests.runs.studio_packs import pack_text

RUBRIC = "{key: tone, mode: rubric, model: gpt-small, samples: 2, context_from: [final_output], rubric: Be kind.}"
RANKING = (
    "{key: best, mode: n_wise, model: gpt-small, samples: 2, context_from: [final_output], prompt: Which is best?}"
)


def judged_text(cases, *judges, limits="", **more):
    """A pack whose only gate is what its first judge says; the others count as well."""
    judges = judges or (RUBRIC,)
    keys = [judge.split("key: ")[1].split(",")[0] for judge in judges]
    card = [
        f"        - {{key: {key}, source: llm_judge, judge_key: {key}, "
        f"better_direction: higher, gate: {str(key == keys[0]).lower()}, pass_threshold: 0.5}}"
        for key in keys
    ]
    spec = ["    judge_mode: hybrid", "    llm_judges:", *(f"      - {judge}" for judge in judges)]
    text = pack_text({"default": cases}, **more)
    text = text.replace("    judge_mode: deterministic", "\n".join(spec))
    limit = [f"      judge_limits: {limits}"] if limits else []
    return text.replace("      dimensions: [correctness]", "\n".join([*limit, "      dimensions:", *card]))
