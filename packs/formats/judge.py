"""What a language model is asked about a trial, in words that no format owns."""

from dataclasses import dataclass
from typing import Any

Json = Any


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """One LLM judge: `mode` is rubric, reference, assertion, n_wise or pairwise.

    `text` is the rubric, assertion or prompt. A judge with a `grader` asks for that grader, which reads its result as
    evidence. A pairwise one compares its context with the reference, which it shows first where `reference_first`; one
    that ranks shows the candidates in reverse then.
    `temperature` None leaves the choice to the provider. `aggregate` says how several grades of one model become
    one: median, mean or majority; empty for what is usual in the mode.
    """

    key: str
    mode: str
    models: tuple[str, ...]
    text: str
    samples: int = 3
    context: tuple[str, ...] = ()
    reference: str = ""
    reference_first: bool = False
    grader: str = ""
    scale_min: float = 1.0
    scale_max: float = 5.0
    expect: bool = True
    consensus: dict[str, Json] | None = None
    position_debiasing: bool = False
    output_schema: dict[str, Json] | None = None
    anti_gaming_clauses: tuple[str, ...] = ()
    timeout_seconds: float = 60.0
    temperature: float | None = None
    aggregate: str = ""
