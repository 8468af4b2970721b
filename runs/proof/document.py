"""What was found out about cases, as values and as JSON (docs/proof.md)."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from runs.proof.probes import Code


class CaseState(StrEnum):
    """What is known of a case: it is proven, was proven before its content changed, lacks something for a proof, or
    accepts what is wrong or refuses what is right."""

    PROVEN = "proven"
    STALE = "stale"
    UNPROVEN = "unproven"
    REFUTED = "refuted"


_ORDER = tuple(CaseState)


def worst(states: Iterable[CaseState]) -> CaseState:
    """The state of several cases together; without any, nothing is proven."""
    return max(states, key=_ORDER.index, default=CaseState.UNPROVEN)


def mean_strength(strengths: Iterable[float | None]) -> float | None:
    """The strength of several cases together: the mean of those that have one, None without any."""
    known = [strength for strength in strengths if strength is not None]
    return round(sum(known) / len(known), 4) if known else None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a case is not proven: `probe` names what showed it. Where the author accepts it, `accepted` says why."""

    code: Code
    message: str
    probe: str = ""
    accepted: str = ""

    def as_dict(self) -> dict[str, str]:
        shape = {"code": self.code.value, "message": self.message, "probe": self.probe}
        return {**shape, "accepted": self.accepted} if self.accepted else shape


@dataclass(frozen=True, slots=True)
class Spread:
    """What judges made of the same answer, graded several times: how many gradings gave a verdict, how many of them
    passed, and the lowest and highest score, from 0 to 1 (None where none has one)."""

    gradings: int
    passed: int
    lowest: float | None
    highest: float | None


@dataclass(frozen=True, slots=True)
class CaseProof:
    """What was found out about a case. `strength` is the share of mutants refused and equal answers accepted, 0 to 1;
    None where there was none of either. `tried` is the number of answers; `wrong` counts those that must be refused,
    and `refused` those of them that are. `spread` is that of the right answer, where judges were asked."""

    input_set: str
    challenge_key: str
    case_key: str
    state: CaseState
    reasons: tuple[Reason, ...] = ()
    accepted: tuple[Reason, ...] = ()
    strength: float | None = None
    tried: int = 0
    wrong: int = 0
    refused: int = 0
    spread: Spread | None = None

    def as_dict(self) -> dict[str, Any]:
        """The entry of `pack prove --json`."""
        return {
            "input_set": self.input_set,
            "challenge_key": self.challenge_key,
            "case_key": self.case_key,
            "state": self.state.value,
            "strength": self.strength,
            "tried": self.tried,
            "wrong": self.wrong,
            "refused": self.refused,
            "spread": asdict(self.spread) if self.spread is not None else None,
            "reasons": [reason.as_dict() for reason in self.reasons],
            "accepted": [reason.as_dict() for reason in self.accepted],
        }


def read_proof(stored: Mapping[str, Any]) -> CaseProof:
    """The proof that `as_dict` made a mapping of. Raises KeyError, TypeError or ValueError for any other mapping."""
    parts = {name: tuple(_reason(each) for each in stored[name]) for name in ("reasons", "accepted")}
    # Proofs of earlier releases have no spread.
    spread = Spread(**stored["spread"]) if stored.get("spread") else None
    whole: dict[str, Any] = {**stored, **parts, "state": CaseState(stored["state"]), "spread": spread}
    return CaseProof(**whole)


def _reason(stored: Mapping[str, str]) -> Reason:
    parts: dict[str, Any] = {**stored, "code": Code(stored["code"])}
    return Reason(**parts)
