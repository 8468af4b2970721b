"""What the verifiers of benchmark packs say of a task or an answer with which nothing can be verified."""

from runs.grading.graders.contract import Judgement, evaluator_error, pack_error

CONFIG_ERROR = "ConfigError"


def unusable(field: str, gist: str) -> Judgement:
    """The pack's author must fix a field (benchmark-pack 9.1, rule 2)."""
    return pack_error(f"{field} {gist}", error_type=CONFIG_ERROR, field=field)


def no_candidate(gist: str) -> Judgement:
    """The agent left nothing that could be verified (benchmark-pack 10.1, C28 and C30)."""
    return evaluator_error(gist, error_type=CONFIG_ERROR, field="candidate")
