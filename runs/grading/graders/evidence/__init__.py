"""Evidence: everything that graders may look at, built once per trial (challenge-pack d.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from packs.formats.case_values import CaseValues
from packs.formats.task import EvidenceCase
from runs.grading.graders.contract import Resolved
from runs.grading.graders.evidence.calls import ToolCall
from runs.grading.graders.evidence.captures import CapturedFile, Entry, Execution, Listing
from runs.grading.graders.evidence.recording import SCORING_SOURCE, Event, Recording, is_of_judges, record
from runs.grading.graders.evidence.story import story
from runs.grading.graders.evidence.transcript import Turn, from_mismatch, transcript, turn_expectations
from runs.grading.graders.values import TooDeep, as_count, loose_text, plain_json, to_text

__all__ = [
    "FINAL_OUTPUT",
    "SCORING_SOURCE",
    "CapturedFile",
    "Entry",
    "Event",
    "Evidence",
    "Execution",
    "Judged",
    "Listing",
    "ToolCall",
    "Turn",
    "build_evidence",
    "is_of_judges",
]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge says, from 0 to 1; None where it `abstained`, or where it could not be asked."""

    score: float | None
    reason: str = ""
    abstained: bool = False


FINAL_OUTPUT = frozenset({"final_output", "run.final_output"})


class Evidence:
    """The cases in scope and the recording of one trial, addressed by evidence references.

    `judged` is what judges said that were asked for graders, by their keys.
    """

    def __init__(
        self, cases: Sequence[CaseValues], recording: Recording, judged: Mapping[str, Judged] | None = None
    ) -> None:
        self.cases = cases
        self.recording = recording
        self.judged = judged or {}

    def with_judged(self, judged: Mapping[str, Judged]) -> "Evidence":
        """The same evidence with what judges say of it."""
        return Evidence(self.cases, self.recording, judged)

    def has_replies(self, grader: str) -> bool:
        """Whether what judges said for a grader came with a trial that took place elsewhere."""
        listed = self.recording.supplied.get("judge")
        items = [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list) else []
        return any(item.get("grader", grader) == grader for item in items)

    def resolve(self, reference: str) -> Resolved:
        """What a reference stands for; unavailable with a reason, and marked when it is no reference at all."""
        try:
            return self._resolve(reference)
        except TooDeep as error:
            return Resolved(None, f"the value of {reference!r} has no text: {error}")

    def _resolve(self, reference: str) -> Resolved:
        if reference in FINAL_OUTPUT:
            return self._final_output()
        if reference == "trial" or reference.startswith("literal:"):
            return Resolved(story(self.recording) if reference == "trial" else reference.removeprefix("literal:"))
        if reference.startswith("file:"):
            return self._file(reference.removeprefix("file:"))
        if reference.startswith(("transcript.", "turn.")):
            return self._conversation(reference)
        if reference == "challenge_input" or reference.startswith(("case.", "artifact.")):
            return self._case(reference)
        return Resolved(None, f"{reference!r} is not an evidence reference", malformed=True)

    def _final_output(self) -> Resolved:
        recording = self.recording
        if recording.final_output is None:
            return Resolved(None, "the agent gave no final output")
        return Resolved(recording.final_output, source=recording.output_source or recording.model_source)

    def _case(self, reference: str) -> Resolved:
        if not self.cases:
            return Resolved(None, "no case is in scope")
        if len(self.cases) > 1:
            return Resolved(None, f"ambiguous: {len(self.cases)} cases are in scope")
        found = self.cases[0].find(reference)
        if not found.is_available:
            return Resolved(None, found.reason, malformed=found.malformed)
        return Resolved(_input_text(found.value) if reference == "challenge_input" else to_text(found.value))

    def _file(self, key: str) -> Resolved:
        if not key.strip():
            return Resolved(None, "file: needs the key of a post-execution check", malformed=True)
        captured = self.recording.files.get(key)
        if captured is not None:
            if captured.exists:
                return Resolved(captured.content, source=captured.source)
            return Resolved(None, f"there is no file at {captured.path!r}", captured.source)
        listing = self.recording.listings.get(key)
        if listing is not None:
            return Resolved(listing.as_text(), source=listing.source)
        return Resolved(None, f"nothing was captured for check {key!r}")

    def is_missing_file(self, reference: str) -> bool:
        """Whether the file behind a `file:` reference was looked for and not there."""
        captured = self.recording.files.get(reference.removeprefix("file:"))
        return captured is not None and not captured.exists

    def _conversation(self, reference: str) -> Resolved:
        turns: Sequence[Turn] = self.recording.turns
        if reference == "turn.expectations":
            return Resolved(turn_expectations(turns)) if turns else Resolved(None, "there was no conversation")
        if reference.startswith("transcript.last_n:"):
            count = _turn_count(reference.removeprefix("transcript.last_n:"))
            if count is None:
                return Resolved(None, "transcript.last_n: needs a whole number above 0", malformed=True)
            turns = turns[-count:]
        elif reference == "transcript.from_mismatch":
            turns = from_mismatch(turns)
            if not turns:
                return Resolved(None, "no turn of the conversation mismatches")
        elif reference != "transcript.full":
            return Resolved(None, f"{reference!r} is not an evidence reference", malformed=True)
        return Resolved(transcript(turns)) if turns else Resolved(None, "there was no conversation")


def _input_text(payload: object) -> str:
    """A payload as loose text, else as JSON text. Raises TooDeep."""
    text = loose_text(payload)
    return plain_json(payload) if text is None else text


def _turn_count(text: str) -> int | None:
    text = text.strip()
    if not text.removeprefix("+").isdecimal() or len(text) > 18:
        return None
    return as_count(int(text)) or None


def build_evidence(cases: Sequence[EvidenceCase], events: Iterable[Event]) -> Evidence:
    """Evidence of one trial from the cases in scope and its events, in any order.

    An event is a mapping in the shape of challenge-pack h.1; only `event_type`, `sequence_number`, `occurred_at` (a
    datetime or an ISO 8601 text) and `payload` are read.
    """
    return Evidence([CaseValues(case) for case in cases], record(events))
