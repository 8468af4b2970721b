"""Reviews by people: the queue of trials that wait for them, and the form in which one is given."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from packs.access import AnyUser, Permission, permissions
from packs.models import Pack
from packs.views.shared.fragments import is_by_script, render_page
from packs.views.shared.signed_in import signed_in
from runs.grading.graders.reviews import Aspect, Kind
from runs.jobs.scores.claiming import claim, skip
from runs.jobs.scores.reviewing import MAX_COMMENT, ReviewRefused, asked_of, review
from runs.models import Adjudication, Review, ReviewQueue, ReviewRequest, Run, Trial
from runs.models.reviews import ReviewRequestQuerySet
from runs.results.queues import progress_of
from runs.views.reviews.corrections import correction_of
from runs.views.trials.payloads import show

PAGE_ROWS = 50
SHOWN_ON_HOME = 5
# Of requests whose last place others take at the same time, so many are tried.
TRIED = 50
# What a list shows of a trial and its run; their other columns can be large.
SHOWN = (
    *("queue__name", "queue__rubric", "queue__run", "grader_key", "needed", "asked_at", "settled_at", "withdrawn_at"),
    *("trial__case_key", "trial__case", "trial__number", "trial__status", "trial__run_agent__name", "trial__run__name"),
    *("trial__run__status", "trial__run__team__name", "trial__run__version__number"),
    *("trial__run__version__pack__title", "trial__run__version__pack__slug", "trial__run__version__pack__team__slug"),
)
FILTERS = ("pack", "run", "queue", "show")
PACK = ("slug", "title", "team__slug")


def request_rows(user: AnyUser) -> ReviewRequestQuerySet:
    """Requests that the user may see, with how many reviews each has and whether one of them is the user's."""
    mine = Review.objects.filter(request=OuterRef("pk"), reviewer=user.pk)
    rows: ReviewRequestQuerySet = ReviewRequest.objects.visible_to(user)
    related = ("queue", "trial__run__version__pack__team", "trial__run__team", "trial__run_agent")
    rows = rows.select_related(*related).only(*SHOWN)
    shown: ReviewRequestQuerySet = rows.annotate(given=Count("reviews"), is_mine=Exists(mine))
    return shown


def narrowed(rows: ReviewRequestQuerySet, query: Mapping[str, Any]) -> ReviewRequestQuerySet:
    """The filters of the address: a pack is `team/slug`, a run or a queue its number."""
    if pack := query.get("pack"):
        team, _, slug = pack.partition("/")
        rows = rows.filter(trial__run__version__pack__team__slug=team, trial__run__version__pack__slug=slug)
    for name, column in (("run", "trial__run"), ("queue", "queue")):
        number = query.get(name, "")
        if number.isdecimal() and len(number) < 19:
            rows = rows.filter(**{column: int(number)})
    return rows


def open_for(user: AnyUser) -> ReviewRequestQuerySet:
    """Requests that wait for this user: they may review, have not yet, and a place among the reviewers is free."""
    rows: ReviewRequestQuerySet = ReviewRequest.objects.reviewable_by(user).waiting().not_reviewed_by(user)
    return rows.open_to(user).free_for(user, timezone.now())


def take_next(user: User, queue: ReviewQueue) -> ReviewRequest | None:
    """The next request of a queue that waits for a person, who then has a place; None where none does."""
    waiting = open_for(user).filter(queue=queue).order_by("pk")[:TRIED]
    return next((found for found in waiting if claim(found, user)), None)


def reviews_for(user: AnyUser, **where: Any) -> dict[str, Any]:
    """What a notice says of the reviews that wait for the user: how many, and the first of them."""
    total = open_for(user).filter(**where).count()
    first = request_rows(user).filter(pk__in=open_for(user).filter(**where).values("pk")) if total else ()
    return {"total": total, "first": first[:SHOWN_ON_HOME]}


def kept_filters(query: Mapping[str, Any]) -> str:
    """The filters of the address as a query with its question mark; empty without any."""
    kept = QueryDict(mutable=True)
    kept.update({name: query[name] for name in FILTERS if query.get(name)})
    return f"?{kept.urlencode()}" if kept else ""


@signed_in("GET")
def review_list(request: HttpRequest) -> HttpResponse:
    """Trials that wait for reviews: those that wait for the user, or with `show=all` all that they may see."""
    user, query = request.user, request.GET
    everything = narrowed(ReviewRequest.objects.visible_to(user).waiting(), query)
    own = narrowed(open_for(user), query)
    chosen = everything if query.get("show") == "all" else own
    rows = request_rows(user).filter(pk__in=chosen.values("pk")).order_by("pk")
    waiting = ReviewRequest.objects.visible_to(user).waiting()
    runs = Run.objects.filter(pk__in=waiting.values("trial__run")).order_by("-pk").values_list("pk", "name")
    packs = Pack.objects.filter(pk__in=waiting.values("trial__run__version__pack")).by_title()
    context = {
        "page": Paginator(rows, PAGE_ROWS).get_page(query.get("page")),
        "own": own.count(),
        "all": everything.count(),
        "chosen": {name: query.get(name, "") for name in FILTERS},
        "runs": [(str(pk), name) for pk, name in runs[:200]],
        "packs": [(f"{pack.team.slug}/{pack.slug}", str(pack)) for pack in packs.select_related("team").only(*PACK)],
        "filters": kept_filters(query),
    }
    return render_page(request, "runs/reviews/list.html", "runs/reviews/_rows.html", context)


def seen_reviews(found: ReviewRequest, user: AnyUser) -> list[Review]:
    """What others said: nothing before the user has said something, and in a queue before all have."""
    given = list(found.reviews.select_related("reviewer"))
    is_blind = found.state == "waiting" and (found.queue_id or all(row.reviewer_id != user.pk for row in given))
    return [] if is_blind else [row for row in given if row.reviewer_id != user.pk]


def box_context(user: AnyUser, found: Any, typed: Mapping[str, Any] | None = None, problem: str = "") -> dict[str, Any]:
    """What the form shows: what is to be scored, what the user said, and what others did where that may be seen.

    `found` is a row of `request_rows`; `typed` is what was sent and could not be taken.
    """
    asked = asked_of(found)
    own = found.reviews.filter(reviewer=user.pk).first()
    said = typed or {"scores": own.scores if own else {}, "comment": own.comment if own else ""}
    may = permissions(user, found.trial.run.team)
    return {
        "request_row": found,
        "task": asked.task,
        "aspects": entries_of(asked.aspects, said["scores"]),
        "own": own,
        "comment": said["comment"],
        "others": [{"row": row, "scores": words_of(asked.aspects, row.scores)} for row in seen_reviews(found, user)],
        "said": words_of(asked.aspects, own.scores) if own else [],
        "may_review": Permission.REVIEW in may,
        "problem": problem,
        **(adjudication_shown(found, asked.aspects, may) if found.queue and found.state == "settled" else {}),
    }


def adjudication_shown(found: ReviewRequest, aspects: Sequence[Aspect], may: Collection[Permission]) -> dict[str, Any]:
    """What was decided of a trial that people reviewed, and the form in which it is."""
    row = Adjudication.objects.filter(request=found).select_related("adjudicator").first()
    scores = row.scores if row else {}
    return {
        "adjudication": row,
        "decided": words_of(aspects, scores),
        "to_decide": entries_of(aspects, scores),
        "may_adjudicate": Permission.CURATE in may,
    }


def entries_of(aspects: Sequence[Aspect], scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The aspects in a form, each with what was said of it."""
    return [entry_of(aspect, scores.get(aspect.key)) for aspect in aspects]


def entry_of(aspect: Aspect, value: Any) -> dict[str, Any]:
    """An aspect in the form, with what was said of it; passages stand one on a line."""
    if aspect.kind is Kind.PASSAGES:
        texts = (part["text"] if isinstance(part, Mapping) else part for part in value or ())
        value = "\n".join(" ".join(text.split()) for text in texts)
    return {"aspect": aspect, "score": value}


def words_of(aspects: Sequence[Aspect], scores: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was said of each aspect, in words."""
    return [(aspect.name, aspect.word_of(scores[aspect.key])) for aspect in aspects if aspect.key in scores]


def boxes_of(user: AnyUser, trial: Trial) -> list[dict[str, Any]]:
    """The forms on a trial's page, one for each request of a grader or a queue; most trials have none."""
    rows = request_rows(user).current().filter(trial=trial).order_by("pk")
    return [box_context(user, found) for found in rows]


@signed_in("GET", "POST")
def review_page(request: HttpRequest, pk: int) -> HttpResponse:
    """One trial with the form for its review; what was sent leads on to the next one that waits.

    Who opens a trial that waits for them keeps a place among its reviewers for a while.
    """
    found = get_object_or_404(request_rows(request.user), pk=pk)
    if request.method == "POST":
        return take(request, found)
    if open_for(request.user).filter(pk=pk).exists():
        claim(found, cast(User, request.user))
    return show_review(request, found)


def take(request: HttpRequest, found: ReviewRequest) -> HttpResponse:
    """Take a review. Where that is not possible, the page says why and keeps what was typed."""
    if Permission.REVIEW not in permissions(request.user, found.trial.run.team):
        raise PermissionDenied
    comment = request.POST.get("comment", "").replace("\r\n", "\n").strip()
    scores = {aspect.key: value_of(aspect, request.POST) for aspect in asked_of(found).aspects}
    typed = {"scores": scores, "comment": comment}
    if len(comment) > MAX_COMMENT:
        return show_review(request, found, 422, typed, "The comment is too long.")
    try:
        is_settled = review(found, cast(User, request.user), scores, comment)
    except ReviewRefused as refused:
        again = get_object_or_404(request_rows(request.user), pk=found.pk)
        status = 422 if refused.code == "invalid_scores" else 409
        return show_review(request, again, status, typed, refused.message)
    if found.queue is None:
        reported = "That was the last review needed: the trial was judged." if is_settled else "Your review was kept."
        messages.success(request, reported)
    return go_on(request, found)


@signed_in("POST")
def skip_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a trial to others, and go on to the next one. Parameters: reason."""
    found = get_object_or_404(request_rows(request.user), pk=pk)
    if Permission.REVIEW not in permissions(request.user, found.trial.run.team):
        raise PermissionDenied
    try:
        skip(found, cast(User, request.user), request.POST.get("reason", ""))
    except ReviewRefused as refused:
        return show_review(request, found, 422 if refused.code == "no_reason" else 409, problem=refused.message)
    return go_on(request, found)


def value_of(aspect: Aspect, data: QueryDict) -> Any:
    """What a form says of an aspect; the number of a scale is a number, and each line of passages one of them."""
    text = data.get(f"score:{aspect.key}", "").replace("\r\n", "\n")
    if aspect.kind is Kind.PASSAGES:
        return [line for line in text.split("\n") if line.strip()]
    if aspect.kind in (Kind.TEXT, Kind.LABEL):
        return text
    return int(text) if text.isdecimal() and len(text) < 3 else None


def go_on(request: HttpRequest, found: ReviewRequest) -> HttpResponse:
    """Back to the trial where the review was given there, else on to what waits next.

    A script that has fetched the next page ahead is told its address, and how far the queue is by now. The place that
    was kept when the page was fetched is kept anew.
    """
    if request.POST.get("from") == "trial":
        return redirect("runs:trial", found.trial_id)
    waiting = narrowed(open_for(request.user), request.GET).order_by("pk")
    following = waiting.filter(pk__gt=found.pk).first() or waiting.first()
    address = address_after(found, following, kept_filters(request.GET))
    if not is_by_script(request):
        return HttpResponseRedirect(address)
    if following:
        claim(following, cast(User, request.user))
    shown = {"progress": found.queue and progress_of(found.queue), "left": waiting.count()}
    return JsonResponse({"next": address, "progress": render_to_string("runs/reviews/_progress.html", shown)})


def address_after(found: ReviewRequest, following: ReviewRequest | None, filters: str) -> str:
    """The page after a review: the next trial, else the queue or the list."""
    if following is None and found.queue_id:
        return reverse("runs:queue", args=[found.queue_id])
    page = reverse("runs:review", args=[following.pk]) if following else reverse("runs:reviews")
    return page + filters


def show_review(
    request: HttpRequest, found: Any, status: int = 200, typed: Mapping[str, Any] | None = None, problem: str = ""
) -> HttpResponse:
    trial, query = found.trial, request.GET
    context = {
        "box": box_context(request.user, found, typed, problem),
        **neighbours(request.user, found, query),
        "trial": trial,
        "run": trial.run,
        "output": show(trial.final_output),
        "filters": kept_filters(query),
        "correction": correction_of(permissions(request.user, trial.run.team), trial),
        "queue": found.queue,
        "may_skip": found.state == "waiting" and not found.is_mine,
        "progress": progress_of(found.queue) if found.queue else None,
    }
    return render_page(request, "runs/reviews/review.html", "runs/reviews/review.html", context, status)


def neighbours(user: AnyUser, found: ReviewRequest, query: Mapping[str, Any]) -> dict[str, Any]:
    """The requests before and after this one in the queue, and how many wait there."""
    chosen = ReviewRequest.objects.visible_to(user).waiting() if query.get("show") == "all" else open_for(user)
    rows = narrowed(chosen, query)
    return {
        "before": rows.filter(pk__lt=found.pk).order_by("-pk").values_list("pk", flat=True).first(),
        "after": rows.filter(pk__gt=found.pk).order_by("pk").values_list("pk", flat=True).first(),
        "left": rows.count(),
    }
