"""The small parts that every page is made of: icons, status chips, times, bars. `docs/screens.md` shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.db.models import Model
from django.http import HttpRequest
from django.template.context import Context
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from packs.access import Permission, permissions_on
from packs.models import Pack, Team
from runs.engine.budgets import LIMITS
from runs.jobs.queue.workers import worker_health
from runs.models import Trial, TrialStatus
from runs.models.notices import MOST_UNREAD
from runs.models.runs import title_of
from runs.models.trials import NOT_TRIED
from runs.replay.causes import Fault
from runs.results.calibrating import Doubt, doubt_of, doubtful_judges
from runs.results.spelling import lasting
from runs.statistics.estimates import Joined
from runs.statistics.shares import Shares, shares_of, spelled
from studio.rooms import PLACES, RAIL, STAFF_RAIL, address, is_current

register = template.Library()
register.simple_tag(lasting, name="duration")


@dataclass(frozen=True, slots=True)
class Look:
    """How a status is shown: its word, its icon and the modifiers of `.chip`."""

    word: str
    icon: str
    tones: tuple[str, ...] = ()


STATUSES: Mapping[str, Look] = {
    "held": Look("Waits for other trials", "clock", ("dashed",)),
    "queued": Look("Queued", "clock"),
    "running": Look("Running", "loader", ("blue", "pulse")),
    "paused": Look("Paused", "pause", ("amber",)),
    "waiting": Look("Waits for a person", "user", ("amber", "pulse")),
    "scoring": Look("Scoring", "target", ("blue", "pulse")),
    "completed": Look("Completed", "circle-check"),
    "passed": Look("Passed", "circle-check", ("green",)),
    "pass": Look("Passed", "circle-check", ("green",)),
    "failed": Look("Failed", "circle-x", ("red",)),
    "fail": Look("Failed", "circle-x", ("red",)),
    "error": Look("Error", "triangle-alert", ("orange",)),
    "unavailable": Look("Unavailable", "circle-slash", ("orange",)),
    "undecided": Look("Undecided", "circle-help", ("amber",)),
    "incomplete": Look("Incomplete", "circle-dashed", ("amber",)),
    "not_evaluated": Look("Not evaluated", "circle-slash", ("dashed",)),
    "review": Look("Needs review", "eye", ("amber",)),
    "cancelled": Look("Cancelled", "ban", ("struck",)),
    "skipped": Look("Skipped", "skip-forward", ("dashed",)),
    "flaky": Look("Flaky", "split", ("violet",)),
    "open": Look("Not ended", "clock"),
    "left_out": Look("Not tried", "ban", ("dashed",)),
    "regressed": Look("Regressed", "arrow-down", ("red",)),
    "fixed": Look("Fixed", "arrow-up", ("green",)),
    "changed": Look("Other score", "arrow-up-down", ("blue",)),
    "added": Look("Added", "plus", ("green",)),
    "removed": Look("Removed", "minus", ("red",)),
    "renamed": Look("Renamed", "tag", ("violet",)),
    "moved": Look("Moved", "arrow-up-down", ("blue",)),
    "edited": Look("Changed", "pencil", ("amber",)),
    "new": Look("New", "plus", ("dashed",)),
    "gone": Look("Gone", "minus", ("dashed",)),
    "incomparable": Look("Not comparable", "circle-slash", ("dashed",)),
    "same": Look("Same", "check"),
    "importing": Look("Importing", "loader", ("blue", "pulse")),
    "refused": Look("Refused", "circle-x", ("red",)),
    "draft": Look("Draft", "square-pen"),
    "active": Look("Active", "circle-dot", ("green",)),
    "unused": Look("Not in use", "archive", ("dashed",)),
    "on": Look("On", "circle-dot", ("green",)),
    "off": Look("Off", "pause", ("amber",)),
    "runnable": Look("Runnable", "play", ("green",)),
    "deprecated": Look("Deprecated", "history", ("amber",)),
    "archived": Look("Archived", "archive", ("dashed",)),
    "approved": Look("Approved", "circle-check", ("green",)),
    "returned": Look("Sent back", "undo-2", ("amber",)),
    "asked": Look("Waits for a review", "eye", ("amber",)),
    "merged": Look("Merged", "check", ("green",)),
    "closed": Look("Closed", "x", ("dashed",)),
    "done": Look("Done", "check", ("green",)),
    "outdated": Look("Its field is gone", "history", ("amber",)),
    "proven": Look("Proven", "shield-check", ("green",)),
    "stale": Look("Stale", "history", ("amber",)),
    "unproven": Look("Unproven", "circle-dashed", ("dashed",)),
    "refuted": Look("Refuted", "circle-x", ("red",)),
    "valid": Look("Valid", "circle-check", ("green",)),
    "unchecked": Look("Not checked yet", "circle-dashed", ("dashed",)),
}


# A page has dozens of icons, nearly all alike. Text and markup of the same letters differ, hence by their types.
@register.simple_tag
@lru_cache(maxsize=1024, typed=True)
def icon(name: str, label: str = "", extra: str = "") -> SafeString:
    """An icon of the sprite. With `label` it is announced; otherwise it is decoration."""
    href = f"{static('dist/icons.svg')}#{name}"
    hidden = format_html('role="img" aria-label="{}"', label) if label else SafeString('aria-hidden="true"')
    return format_html('<svg class="icon {}" {}><use href="{}"/></svg>', extra, hidden, href)


def render_chip(look: Look, word: str = "") -> SafeString:
    tones = "".join(f" chip--{tone}" for tone in look.tones)
    return format_html(
        '<span class="chip{}">{}<span class="chip__word">{}</span></span>', tones, icon(look.icon), word or look.word
    )


@register.simple_tag
def chip(status: str, word: str = "") -> SafeString:
    """A status as colour, icon and word; a status without a look is shown as its own name."""
    known = STATUSES.get(str(status)) or Look(str(status).replace("_", " ").capitalize(), "circle")
    return render_chip(known, word)


@register.simple_tag
def run_chip(run: Any) -> SafeString:
    """The chip of a run. In one of which every trial is an error no agent has failed, so it does not look so."""
    status = run["status"] if isinstance(run, Mapping) else run.status
    return chip("error", "Errors only") if status == "failed" else chip(status)


@register.simple_tag
def place(name: str, *args: object) -> str:
    """The address of a page by its name in `PLACES`."""
    return address(PLACES[name], *args)


@register.simple_tag(takes_context=True)
def may(context: Context, permission: str, row: Model | None = None) -> bool:
    """Whether the user may do this with a row that was found `with_role`, or in any team without one: what would
    be refused is not offered."""
    user, needed = context["request"].user, Permission(permission)
    if row is not None:
        return needed in permissions_on(user, row)
    return Team.objects.allowed_to(user, needed).exists()


@register.simple_tag
def trial_chip(trial: Trial) -> SafeString:
    """The status of a trial; with whose trouble an error is, or at which limit the agent was stopped."""
    if trial.status == TrialStatus.ERROR and trial.fault:
        return chip(trial.status, f"Error: {trial.fault}")
    if trial.status == TrialStatus.FAILED and trial.stop_reason in LIMITS:
        return chip(trial.status, f"Failed: limit of {LIMITS[trial.stop_reason]}")
    if trial.status == TrialStatus.UNDECIDED and trial.fault == Fault.PERSON:
        return chip("review", "Waits for reviews")
    if trial.status == TrialStatus.CANCELLED and trial.stop_reason in NOT_TRIED:
        return chip(trial.status, f"Not tried: {NOT_TRIED[trial.stop_reason]}")
    return chip(trial.status)


# What trials say together, in the words of a single one.
VERDICTS = {"pass": "passed", "fail": "failed", "incomplete": "undecided"}


@register.simple_tag
def joint_chip(joint: Joined) -> SafeString:
    """What the trials of a case say together, with the rule that joins them."""
    # Nothing is said of trials of which none counts: `0 of 0` would have to be guessed at.
    words = ["open"] if joint.verdict == "incomplete" else []
    words += [joint.described] if joint.n else []
    words += ["flaky"] if joint.is_flaky else []
    return chip(VERDICTS[joint.verdict], ": ".join(filter(None, (joint.name, ", ".join(words)))))


@register.filter
def run_title(run: Any) -> str:
    """What a run is called, given as a row or as the API gives it."""
    return title_of(run["id"], run["name"]) if isinstance(run, Mapping) else title_of(run.pk, run.name)


@register.filter
def spaced(name: str) -> str:
    """A kind of node as words: `input_set` is an input set."""
    return name.replace("_", " ")


@register.simple_tag
def problems(errors: int, warnings: int, *, is_checked: bool = True) -> SafeString:
    """How many problems there are, errors first; where the check has not ended, that of no problems says so."""
    if errors:
        return render_chip(Look(f"{errors} error{'s'[: errors != 1]}", "circle-alert", ("red",)))
    if warnings:
        return render_chip(Look(f"{warnings} warning{'s'[: warnings != 1]}", "triangle-alert", ("amber",)))
    return chip("valid" if is_checked else "unchecked")


# Seconds of a unit, largest first.
UNITS = ((31_536_000, "y"), (2_592_000, "mo"), (86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
JUST_NOW_SECONDS = 10


def age(seconds: int) -> str:
    """How long ago in the largest unit that fits."""
    if seconds < JUST_NOW_SECONDS:
        return "just now"
    size, unit = next((size, unit) for size, unit in UNITS if seconds >= size)
    return f"{seconds // size} {unit} ago"


@register.simple_tag
def ago(moment: datetime | None) -> SafeString:
    """How long ago, short, with the exact moment as a tooltip; a dash for never."""
    if moment is None:
        return SafeString("–")
    words = age(int((timezone.now() - moment).total_seconds()))
    exact = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', exact.isoformat(), f"{exact:%d %b %Y, %H:%M:%S %Z}", words
    )


BAR_TONES = {
    "passed": "green",
    "failed": "red",
    "error": "orange",
    "undecided": "amber",
    "in_review": "amber",
    "cancelled": "grey",
    "not_tried": "grey",
    "running": "blue",
    "proven": "green",
    "refuted": "red",
    "stale": "amber",
    "unproven": "grey",
}


@register.simple_tag
def bar(counts: Mapping[str, int], total: int) -> SafeString:
    """Trials by status, or cases by what is known of them, as one bar.

    Widths are SVG attributes, since the content policy allows no style attributes.
    """
    parts, start = [], 0.0
    for status, tone in BAR_TONES.items():
        width = 100 * counts.get(status, 0) / total if total else 0
        parts.append((f"{start:.3f}", f"{width:.3f}", tone))
        start += width
    rects = format_html_join("", '<rect x="{}" width="{}" height="6" class="bar-{}"/>', parts)
    said = (
        ", ".join(f"{counts[status]} {spaced(status)}" for status in BAR_TONES if counts.get(status)) or "nothing yet"
    )
    return format_html(
        '<svg class="trialbar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>',
        f"{said} of {total}",
        rects,
    )


BANDS = ((0.8, "green"), (0.5, "amber"), (0.0, "red"))


@register.simple_tag
def percent(share: float | str | None, is_whole: bool = True) -> SafeString:
    """A share from 0 to 1 in per cent, a dash where there is none. It is coloured by its band, unless something is
    missing from it: what is not whole is neither good nor bad.

    Templates give an empty text for a value that is missing.
    """
    if share is None or isinstance(share, str):
        return SafeString('<span class="muted">–</span>')
    tone = next((tone for least, tone in BANDS if share >= least), "red") if is_whole else "part"
    return format_html('<span class="share share--{}">{}</span>', tone, spelled(share))


@register.filter
def per_cent(share: float | None) -> str:
    """A share from 0 to 1 in per cent, as plain text."""
    return spelled(share)


@register.simple_tag
def pass_rate(of: Shares | Mapping[str, int] | None) -> SafeString:
    """The pass rate of shares, or of counts by status, and beside it how much was judged unless everything was."""
    shares = of if isinstance(of, Shares) else shares_of(of or {})
    rate = percent(shares.pass_rate, not shares.missing)
    if not shares.missing:
        return rate
    return format_html('{} <span class="share__of">{} of {} judged</span>', rate, shares.judged, shares.planned)


@register.simple_tag(takes_context=True)
def rooms(context: dict[str, Any], for_staff: bool = False) -> list[dict[str, Any]]:
    """The entries of the rail: the room, its address, whether this page belongs to it."""
    request: HttpRequest = context["request"]
    view_name = request.resolver_match.view_name if request.resolver_match else ""
    entries = [(room, address(room.url_name)) for room in (STAFF_RAIL if for_staff else RAIL)]
    return [{"room": room, "url": url, "current": is_current(room, view_name)} for room, url in entries if url]


@register.inclusion_tag("parts/worker_pill.html")
def worker_pill() -> dict[str, Any]:
    """Whether workers live, kept up to date by polls."""
    return {"health": worker_health()}


@register.inclusion_tag("parts/bell.html", takes_context=True)
def bell(context: Context, oob: bool = False) -> dict[str, Any]:
    """How many notices are unread, as the query for the user of the session counted them; polls replace it (`oob`)."""
    unread = getattr(context.get("user"), "unread", 0)
    return {"unread": f"{MOST_UNREAD - 1}+" if unread >= MOST_UNREAD else unread, "oob": oob}


@register.filter
def actor(name: str) -> str:
    """Who plays the user of a conversation, in words."""
    return {"scripted": "a script", "llm": "a model", "human": "a person"}.get(name, str(name))


@register.simple_tag(takes_context=True)
def sort_link(context: dict[str, Any], name: str, current: str) -> dict[str, str]:
    """Address and `aria-sort` of a column head: a second click turns the order round."""
    params = context["request"].GET.copy()
    params.pop("page", None)
    params["sort"] = f"-{name}" if current == name else name
    order = {name: "ascending", f"-{name}": "descending"}.get(current, "none")
    return {"url": f"?{params.urlencode()}", "order": order}


@register.inclusion_tag("parts/doubts.html")
def doubts(pack: Pack) -> dict[str, Any]:
    """Which judges of a pack people disagree with too often, where scores of them stand; nothing where none is."""
    return {"pack": pack, "doubts": doubtful_judges(pack)}


@register.inclusion_tag("parts/doubt.html")
def doubt(known: Mapping[str, Doubt] | None, judge: str) -> dict[str, Any]:
    """The mark of one judge, or of a grader that asks judges, in view of the doubtful ones; nothing for any other."""
    return {"doubt": doubt_of(known or {}, judge)}
