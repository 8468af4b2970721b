"""What would only show when answers are verified, and what an author probably did not mean (benchmark-pack 14)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from packs.formats.answers import entry_values, normal
from packs.formats.benchmark_pack.families import DEFERRED
from packs.formats.benchmark_pack.header import section
from packs.formats.benchmark_pack.plan import is_reference
from packs.formats.benchmark_pack.reference import answers_of
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.leaks import CONTEXT, leaks_in
from packs.formats.rubrics import rubric_trouble
from packs.formats.values import is_finite, is_text, is_texts

INDEX_MATCHES_NO_CHOICE = Rule(
    "benchmark_pack.E521",
    "The position {answer} matches no choice: they count from 0 to {last}.",
    hint="Give the position, the letter or the text of a choice.",
    rule="answer-matches-no-choice",
)
TEXT_MATCHES_NO_CHOICE = Rule(
    "benchmark_pack.W521",
    "The answer {answer} is neither a choice nor the letter of one, so only an answer in exactly these words is right.",
    hint="Compare it with the choices; a position is written without quotes.",
    rule="answer-matches-no-choice",
)
DUPLICATE_CHOICE = Rule(
    "benchmark_pack.W522",
    "This choice says the same as an earlier one.",
    hint="Change one of the two: either letter may then be right.",
    rule="duplicate-choice",
)
LANGUAGE_NOT_VERIFIABLE = Rule(
    "benchmark_pack.W525",
    "Only python can be verified, not {language}.",
    hint="Write `python`, or leave the language out.",
    rule="language-not-verifiable",
)
PATH_ONLY_STATE = Rule(
    "benchmark_pack.W526",
    "An expected state of just a path is taken as the name of a hidden file.",
    hint="Add another key, such as `content`, if the path itself is meant.",
    rule="path-only-state",
)
LOOSE_ANSWER = Rule(
    "benchmark_pack.N527",
    "The accepted answer {answer} is so short that many wrong answers contain it.",
    hint="Give a tolerance for numbers, or accept longer words only.",
    rule="loose-accepted-answer",
)
ANSWER_SHOWN = Rule(
    "benchmark_pack.W528",
    "The hidden answer {answer} stands in what the agent sees ({form}).",
    hint="Check that the task does not give its answer away.",
    rule="answer-in-public",
)
NO_ALLOWED_PATHS = Rule(
    "benchmark_pack.N529",
    "Any file that is not sensitive may be changed by a patch.",
    hint="List `allow_paths` in the candidate policy to be stricter.",
    rule="no-allow-paths",
)
DEFERRED_FAMILY = Rule(
    "benchmark_pack.N530",
    "The family {family} has no verifier: answers stay without a verdict.",
    hint="Use one of the six active families to get verdicts.",
    rule="deferred-family",
)
UNKNOWN_FAMILY = Rule(
    "benchmark_pack.N531",
    "The family {family} is not known: all of `eval` is hidden, and answers stay without a verdict.",
    hint="Use one of the six active families to get verdicts.",
    rule="unknown-family",
)
LATER_FORM = Rule(
    "benchmark_pack.E532",
    "{what} is the form of a later revision.",
    hint="Convert the row: the old form says the same.",
    rule="later-form",
)

LEFT_OUT = 60


def advise(family: str, row: Document) -> Iterator[Finding]:
    """The advice on one row."""
    ask = _ADVICE.get(family)
    if ask is None:
        yield (DEFERRED_FAMILY if family in DEFERRED else UNKNOWN_FAMILY).at(("family",), family=repr(family))
        return
    given, expected = section(row, "input"), section(row, "eval")
    yield from ask(given, expected)
    yield from _check_leaks(family, row)


def _on_choices(given: Document, expected: Document) -> Iterator[Finding]:
    choices = given.get("choices")
    if not is_texts(choices):
        return
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        text = normal(choice)
        if text in seen:
            yield DUPLICATE_CHOICE.at(("input", "choices", index))
        seen.add(text)
    answer = expected.get("answer")
    for entry in answer if isinstance(answer, list) else [answer]:
        if is_finite(entry) and not entry_values(entry, choices):
            yield INDEX_MATCHES_NO_CHOICE.at(("eval", "answer"), answer=entry, last=len(choices) - 1)
        elif is_text(entry) and len(entry_values(entry, choices)) < 2:
            yield TEXT_MATCHES_NO_CHOICE.at(("eval", "answer"), answer=repr(entry[:LEFT_OUT]))


def _on_short_answer(given: Document, expected: Document) -> Iterator[Finding]:
    accepted = expected.get("accepted_answers")
    if not isinstance(accepted, list):
        return
    has_tolerance = "tolerance" in expected
    for index, answer in enumerate(accepted):
        is_bare = is_finite(answer) or (is_text(answer) and len(answer.strip()) == 1)
        if is_bare and not has_tolerance:
            yield LOOSE_ANSWER.at(("eval", "accepted_answers", index), answer=repr(answer))


def _on_free_response(given: Document, expected: Document) -> Iterator[Finding]:
    if "rubric" in expected:
        trouble = rubric_trouble(expected["rubric"])
        if trouble:
            yield replace(trouble, path=("eval", *trouble.path))


def _on_code(given: Document, expected: Document) -> Iterator[Finding]:
    language = given.get("language", "python")
    if is_text(language) and language != "python":
        yield LANGUAGE_NOT_VERIFIABLE.at(("input", "language"), language=repr(language[:LEFT_OUT]))


def _on_patch(given: Document, expected: Document) -> Iterator[Finding]:
    policy = section(section(expected, "tests"), "candidate_policy")
    if isinstance(expected.get("tests"), dict) and not policy.get("allow_paths"):
        yield NO_ALLOWED_PATHS.at(("eval", "tests"))
    if "candidate_policy" in expected:
        yield LATER_FORM.at(("eval", "candidate_policy"), what="A candidate policy beside the tests")


def _on_terminal(given: Document, expected: Document) -> Iterator[Finding]:
    checker = section(expected, "checker")
    if "command" not in checker and {"source", "path"} <= checker.keys():
        yield LATER_FORM.at(("eval", "checker"), what="A checker of a source and a path")
    if is_reference(expected.get("expected_state")):
        yield PATH_ONLY_STATE.at(("eval", "expected_state"))


_ADVICE: Mapping[str, Callable[[Document, Document], Iterator[Finding]]] = {
    "multiple_choice": _on_choices,
    "short_answer": _on_short_answer,
    "free_response": _on_free_response,
    "code_completion": _on_code,
    "repo_patch": _on_patch,
    "terminal_task": _on_terminal,
}


def _check_leaks(family: str, row: Document) -> Iterator[Finding]:
    """Hidden answers that stand in what the agent sees; the choices of a question are meant to."""
    given = section(row, "input")
    shown = {name: value for name, value in given.items() if name != "choices"}
    for leak in leaks_in(answers_of(family, row), lambda answer: [(CONTEXT, shown)]):
        yield ANSWER_SHOWN.at(leak.answer.path, answer=repr(leak.answer.text[:LEFT_OUT]), form=leak.form)
