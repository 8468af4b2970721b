"""What happened that concerns a person, and how they want to hear of it."""

from collections.abc import Iterator
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from packs.notices import KINDS
from packs.views.shared.signed_in import signed_in
from runs.models import Notification, NotificationChoice, StoredNotice

ROWS = 50
WAYS = ("in_studio", "by_mail")


def sets_addresses() -> bool:
    """Whether people set their address for mail themselves: where mail is sent, and no directory finds their account by
    it."""
    return bool(settings.SMTP) and not settings.OIDC_ISSUER


class ChoicesForm(forms.Form):
    """How a person wants to hear of each kind; without a server for mail in the studio only."""

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data)
        self.user = user
        self.ways = WAYS if settings.SMTP else WAYS[:1]
        known = {row.kind: row for row in NotificationChoice.objects.filter(user=user)}
        for kind in KINDS:
            row = known.get(kind, NotificationChoice())
            for way in self.ways:
                self.fields[f"{way}:{kind}"] = forms.BooleanField(required=False, initial=getattr(row, way))

    def rows(self) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
        """The label of each kind, with name and state of its boxes."""
        for kind, about in KINDS.items():
            yield about.label, [(f"{way}:{kind}", bool(self[f"{way}:{kind}"].value())) for way in self.ways]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.user.email and any(given.get(f"by_mail:{kind}") for kind in KINDS):
            who = "Add it on the page of your account." if sets_addresses() else "An administrator can add it."
            self.add_error(None, f"Your account has no address for mail. {who}")
        return given

    @property
    def has_mail(self) -> bool:
        return "by_mail" in self.ways

    @transaction.atomic
    def save(self) -> None:
        for kind in KINDS:
            wanted = {way: self.cleaned_data[f"{way}:{kind}"] for way in self.ways}
            NotificationChoice.objects.update_or_create(user=self.user, kind=kind, defaults=wanted)


def notices_for(user: Any) -> QuerySet[StoredNotice]:
    """What a person may look at: notices of the own teams, and of the own account."""
    own = Notification.objects.filter(user=user, notice__team=None).values("notice")
    return StoredNotice.objects.filter(Q(pk__in=StoredNotice.objects.visible_to(user).values("pk")) | Q(pk__in=own))


def notifications_of(user: Any) -> QuerySet[Notification]:
    """What a person sees in the studio, newest first; nothing of teams that they have left."""
    return Notification.objects.shown_to(user).select_related("notice__team")


@signed_in("GET", "POST")
def notifications(request: HttpRequest) -> HttpResponse:
    """The list, and what to hear of. POST keeps the choices; answers 422 where mail has no address to go to."""
    user = cast("User", request.user)
    form = ChoicesForm(user, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, "Kept.")
        return redirect("runs:notifications")
    context = {
        "page": Paginator(notifications_of(user), ROWS).get_page(request.GET.get("page")),
        "form": form,
        "sets_addresses": sets_addresses(),
    }
    return render(request, "runs/notices/notifications.html", context, status=422 if form.errors else 200)


@signed_in("POST")
def read_all(request: HttpRequest) -> HttpResponse:
    """Mark everything as read."""
    Notification.objects.filter(user=cast("User", request.user), read_at=None).update(read_at=timezone.now())
    return redirect("runs:notifications")


@signed_in("GET")
def follow(request: HttpRequest, pk: int) -> HttpResponse:
    """Go on to the page of a notice, which is read then."""
    user = cast("User", request.user)
    notice = get_object_or_404(notices_for(user), pk=pk)
    Notification.objects.filter(notice=notice, user=user, read_at=None).update(read_at=timezone.now())
    try:
        return redirect(reverse(notice.place, args=notice.args))
    except NoReverseMatch:
        raise Http404 from None
