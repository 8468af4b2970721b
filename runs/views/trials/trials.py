"""One trial: its verdict, output and scorecard, and the stored document that scoring reads."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from packs.access import AnyUser, Permission, permissions_on
from packs.audit import about
from packs.formats import kinds
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.engine.budgets import LIMITS
from runs.grading.judges.judgements import judgements_of
from runs.grading.scoring.overruling import OVERRULED, overruling_in
from runs.jobs.trials.dependencies import STOP_REASON as DEPENDENCY_FAILED
from runs.models import FINAL_STATUSES, Trial, TrialStatus
from runs.models.trials import PRECISE_ENOUGH, STOPPED_ON_ERROR, TRIAL_COST_LIMIT
from runs.replay.causes import CONFIGURATION_ERROR, CONTENT_FILTER, LENGTH, NOT_RECORDED, PROVIDER_ERROR, RUN_BUDGET
from runs.results.calibrating import doubtful_judges
from runs.results.playback import answer_so_far
from runs.results.proofs import proof_of
from runs.views.results.runs import spell
from runs.views.reviews.corrections import correction_of
from runs.views.reviews.reviews import boxes_of
from runs.views.reviews.turns import turn_of
from runs.views.trials.answers import question_of, segments_of
from runs.views.trials.chats import chat_of, has_turns
from runs.views.trials.dimensions import six_dimensions, tracked_shown
from runs.views.trials.judges import judges_shown
from runs.views.trials.payloads import compare, show, tree
from runs.views.trials.reasons import reasons_left

MINUTE = 60
TEXT = "text/plain; charset=utf-8"
# What is shown of the other trials of a case.
RIVAL = ("pk", "status", "stop_reason", "fault", "score", "number", "run_agent__name")
# Of an answer that is being written the end is shown.
LIVE_CHARACTERS = 4000
# Columns that may hold megabytes; a page reads those that it shows.
HEAVY = (
    "scorecard",
    "final_output",
    "run__scorecard",
    "run__metadata",
    "run__version__document",
    "run__version__challenges",
    "run__version__assets",
    "run__version__files",
    "run__input_set__document",
    "run_agent__config",
    "run_agent__summary",
    "case__document",
    "case__stored",
)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a trial ended as it did and who is to act on it: tone and icon of a notice, its title, what to do."""

    tone: str
    icon: str
    title: str
    advice: str


CAUSES: Mapping[tuple[str, str], Cause] = {
    ("failed", ""): Cause(
        "red", "circle-x", "The agent did not pass", "The graders judged its work; see which ones below."
    ),
    ("failed", "agent"): Cause(
        "red", "circle-x", "The agent failed", "It broke off, or its answer is such that it cannot be judged."
    ),
    ("undecided", ""): Cause(
        "amber",
        "circle-help",
        "Undecided",
        "Something needed for a verdict is unavailable; nobody failed. Judges that did not answer can be asked again.",
    ),
    ("undecided", "person"): Cause(
        "amber", "eye", "Waits for reviews", "People judge this trial. It has its verdict when enough of them have."
    ),
    ("error", "pack"): Cause(
        "amber", "package", "The pack is wrong", "This says nothing of the agent: a grader or a case has to be fixed."
    ),
    ("error", "machine"): Cause(
        "amber", "server-off", "The studio failed", "The agent is not to blame. Fix what is said here and try again."
    ),
    ("error", ""): Cause(
        "amber", "triangle-alert", "The trial could not be judged", "Evidence that graders need is missing."
    ),
    ("error", "person"): Cause(
        "amber", "user", "Nobody answered in time", "A person was to play the user. Try the trial again when one can."
    ),
    ("cancelled", ""): Cause("grey", "ban", "Cancelled", "The run was cancelled before this trial ended."),
}
# Causes that the reason of the end tells, whatever the status.
STOPS: Mapping[str, Cause] = {
    RUN_BUDGET: Cause(
        "grey", "ban", "The run had used up its budget", "This trial was not started. Start a run with a larger budget."
    ),
    STOPPED_ON_ERROR: Cause(
        "grey", "ban", "Stopped after an error", "Fix the error, retry that trial, then the cancelled trials."
    ),
    PROVIDER_ERROR: Cause(
        "amber", "server-off", "The provider failed", "The agent is not to blame. Try the trial again when it answers."
    ),
    CONFIGURATION_ERROR: Cause(
        "amber", "settings", "The configuration is wrong", "This says nothing of the agent. Fix it and try again."
    ),
    NOT_RECORDED: Cause("grey", "ban", "Not tried", "There is nothing of the agent for this case to be judged."),
    TRIAL_COST_LIMIT: Cause(
        "grey", "ban", "Not tried", "The earlier trials cost what the pack allows for this case. Their verdict counts."
    ),
    PRECISE_ENOUGH: Cause(
        "grey", "ban", "Not tried", "The pass rates were already known as exactly as the start of the run asked for."
    ),
    DEPENDENCY_FAILED: Cause(
        "amber",
        "skip-forward",
        "Skipped: a case that it depends on broke",
        "This says nothing of the agent at this case. Fix the other one and retry the errors.",
    ),
}
# Replies that were cut off, by the finish reason.
CUT_OFF: Mapping[str, Cause] = {
    LENGTH: Cause(
        "amber",
        "triangle-alert",
        "The answer was cut off: it reached its longest length",
        "It was graded as it is. Give the agent more tokens for an answer, and try the trial again.",
    ),
    CONTENT_FILTER: Cause(
        "amber",
        "triangle-alert",
        "The provider's content filter cut the answer off",
        "It was graded as it is. The model itself may have said more.",
    ),
}
# What a grader's command was and wrote, with the titles under which that is shown.
OUTPUTS = {"test_command": "Command", "stdout": "Standard output", "stderr": "Standard error"}
# How a severity of the security report is shown.
TONES = {"critical": "red", "high": "orange", "medium": "amber", "low": "grey"}
KINDS = {
    "planted_secret_leaked": "Planted secret leaked",
    "forbidden_output_matched": "Forbidden text",
    "forbidden_egress": "Forbidden host",
    "adversarial_accepted": "Attack not refused",
}


def cause_of(trial: Trial) -> Cause | None:
    """Why a trial ended as it did; None for one that simply passed or has not ended."""
    if trial.status in (TrialStatus.CANCELLED, TrialStatus.ERROR) and trial.stop_reason in STOPS:
        return STOPS[trial.stop_reason]
    if trial.status == TrialStatus.FAILED and trial.fault and trial.stop_reason in LIMITS:
        title = f"Stopped at its limit of {LIMITS[trial.stop_reason]}"
        advice = "The agent used up what the task allows; what it left until then was judged all the same."
        return Cause("amber", "circle-slash", title, advice)
    return CAUSES.get((trial.status, trial.fault)) or CAUSES.get((trial.status, ""))


def is_explained(trial: Trial) -> bool:
    """Whether the reasons of graders say all that the cause of a trial's end would."""
    return cause_of(trial) is CAUSES["failed", ""] and bool(trial.scorecard.get("validator_details"))


def security_shown(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The security report with words and colours; None where the pack has no security policy."""
    if not report:
        return None
    incidents = [
        {
            **incident,
            "title": KINDS.get(incident["kind"], incident["kind"]),
            "tone": TONES.get(incident["severity"], "grey"),
            "excerpt": show(incident["excerpt"]).text,
        }
        for incident in report["incidents"]
    ]
    checks = [
        (report["secrets_checked"], "planted secret"),
        (report["patterns_checked"], "forbidden text"),
        (report["egress_checked"], "check of a host"),
        (report["prompts_checked"], "attack with a refusal"),
    ]
    return {**report, "incidents": incidents, "checks": [f"{count} × {name}" for count, name in checks if count]}


def find_trial(user: AnyUser, pk: int, *shown: str) -> Trial:
    """A trial with what a page says of it, of the heavy columns those that it shows, and the user's `role`.

    Raises Http404 for users who may not see it.
    """
    related = ("run__version__pack__team", "run__input_set", "run_agent", "case")
    rows = Trial.objects.visible_to(user).with_role().select_related(*related)
    rows = rows.defer(*(name for name in HEAVY if name not in shown))
    found: Trial = get_object_or_404(rows, pk=pk)
    about(found.run.version.pack.team)
    return found


def describe(trial: Trial, here: str) -> dict[str, Any]:
    """What every page about a trial shows; `here` is the name of the page, which its neighbours keep."""
    siblings = Trial.objects.filter(run=trial.run_id).only("pk", "case_key")
    return {
        "trial": trial,
        "run": trial.run,
        "pack": trial.run.version.pack,
        "here": here,
        "before": siblings.filter(pk__lt=trial.pk).order_by("-pk").first(),
        "after": siblings.filter(pk__gt=trial.pk).order_by("pk").first(),
        "is_final": trial.status in FINAL_STATUSES,
    }


@signed_in("GET")
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Verdict, final output, scorecard and the other trials of the same case."""
    found = find_trial(request.user, pk, "scorecard", "final_output")
    is_final, may = found.status in FINAL_STATUSES, permissions_on(request.user, found)
    rivals = Trial.objects.filter(run=found.run_id, case_position=found.case_position).exclude(pk=found.pk)
    judges = judges_shown(found, found.scorecard.get("llm_judge_details", []))
    card, output = card_shown(found.scorecard, found.error), show(found.final_output)
    turns = chat_of(found)[1] if has_turns(found) else []
    context = {
        **describe(found, "runs:trial"),
        **card,
        "cause": cause_of(found),
        "is_explained": is_explained(found),
        "cut_off": CUT_OFF.get(found.finish_reason),
        "duration": spell_seconds(found.seconds),
        "output": output,
        "segments": segments_of(output, card["grades"]),
        "so_far": answer_so_far(found)[-LIVE_CHARACTERS:] if found.status == TrialStatus.RUNNING else "",
        "judges": judges,
        "doubts": doubtful_judges(found.run.version.pack) if any(judgements_of(found.scorecard)) else {},
        "awaits_ranking": any(judge["is_awaited"] for judge in judges),
        "has_silent_judges": is_final and any(judge["is_silent"] for judge in judges),
        "question": question_of(found),
        "turns": turns,
        **turn_of(request.user, found),
        "correction": correction_of(may, found) if is_final else None,
        "proof": proof_of(may, found),
        "review_boxes": boxes_of(request.user, found),
        "overruled": {key: note for key, note in overruling_in(found.scorecard).items() if note},
        "may_overrule": is_final and Permission.REVIEW in may,
        "attempts": found.attempts.order_by("number").only("number", "status", "trial"),
        "rivals": rivals.select_related("run_agent").only(*RIVAL)[:50],
    }
    return render_page(request, "runs/trial/page.html", "runs/trial/_result.html", context)


def card_shown(card: Mapping[str, Any], error: str) -> dict[str, Any]:
    """A scorecard, ready to be shown; `error` is said elsewhere already."""
    return {
        "card": card,
        "reasons": reasons_left(card, error),
        "dimensions": [(key, {"score": None, **shown}) for key, shown in card.get("dimensions", {}).items()],
        "grades": [grade_shown(grade) for grade in card.get("validator_details", [])],
        "metrics": [metric_shown(metric) for metric in card.get("metric_details", [])],
        "six": six_dimensions(card),
        "tracked": tracked_shown(card),
        "security": security_shown(card.get("security_report", {})),
    }


def spell_seconds(seconds: float | None) -> str:
    """How long a trial took: to the hundredth of a second up to a minute, then in its two largest units."""
    if seconds is None or seconds >= MINUTE:
        return spell(None if seconds is None else timedelta(seconds=seconds))
    return f"{seconds:.2f} s"


def is_likeness(kind: str) -> bool:
    """Whether all of the expected text counts for a kind of grader, so that every difference is worth seeing."""
    return kind in kinds.KINDS and kinds.KINDS[kind].gold is kinds.Gold.WHOLE


def grade_shown(grade: Mapping[str, Any]) -> dict[str, Any]:
    """A grade with its texts ready to be shown and, where they should be alike, compared."""
    evidence = grade.get("evidence", {})
    texts = {name: show(evidence[name]) for name in ("actual", "expected") if isinstance(evidence.get(name), str)}
    outputs = [(title, show(evidence[name])) for name, title in OUTPUTS.items() if evidence.get(name)]
    known = {"kind", "actual", "expected", "truncated", "source_field", OVERRULED, *OUTPUTS}
    row = evidence.get("row")
    rest = {name: value for name, value in evidence.items() if name not in known}
    alike = grade.get("verdict") == "fail" and is_likeness(grade["type"]) and len(texts) > 1
    return {
        **grade,
        **texts,
        "is_cut": evidence.get("truncated", False),
        "outputs": outputs,
        "overruled": evidence.get(OVERRULED),
        "checks": list(checks_of(row)) if isinstance(row, Mapping) else [],
        "found": show(rest) if rest else None,
        "pieces": compare(evidence["actual"], evidence["expected"]) if alike else [],
        "status": grade["state"] if grade["state"] != "available" else grade.get("verdict", "undecided"),
        "is_open": grade.get("verdict") != "pass" or OVERRULED in evidence,
    }


def checks_of(row: Mapping[str, Any], above: str = "") -> Iterator[dict[str, str]]:
    """What an assertion looked at; where it has members, what each of them did."""
    members = row.get("members", ())
    for member in members:
        yield from checks_of(member, f"{above}{member.get('name')}: ")
    for check in () if members else row.get("checks", ()):
        reported = {"text": f"{above}{check.get('text')}", "evidence": show(check.get("evidence", "")).text}
        yield {"status": "pass" if check.get("passed") else "fail", **reported}


def metric_shown(metric: Mapping[str, Any]) -> dict[str, Any]:
    values = [metric[name] for name in ("numeric_value", "boolean_value", "text_value") if name in metric]
    return {**metric, "value": show(values[0]).text if values else ""}


@signed_in("GET")
def output(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole final output as a plain text."""
    return HttpResponse(find_trial(request.user, pk).final_output, content_type=TEXT)


@signed_in("GET")
def stored(request: HttpRequest, pk: int) -> HttpResponse:
    """The stored document of the trial's case: what scoring and replay read. `?download` gives it as a file."""
    found = find_trial(request.user, pk)
    document = found.case.stored if found.case else None
    if "download" in request.GET and document is not None:
        answer = HttpResponse(json.dumps(document, indent=2, ensure_ascii=False), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="case-{found.case_id}.json"'
        return answer
    context = {
        **describe(found, "runs:stored"),
        "has_document": document is not None,
        "tree": tree(document),
        "raw": show(document),
    }
    return render(request, "runs/trial/stored.html", context)
