"""The webhooks of a team: its administrators say where notices go, and see what came of them."""

import secrets
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.models import Team
from packs.notices import KINDS
from packs.views.shared.lookup import find_team
from packs.views.shared.signed_in import signed_in
from runs.agents.endpoints.addresses import AllowList
from runs.jobs.notices.noting import send_again
from runs.models import Delivery, Webhook
from runs.models.sealing import seal

MOST = 20
SHOWN = 100


class WebhookForm(forms.Form):
    """Where notices go, and which."""

    url = forms.CharField(label="Address", max_length=500, widget=forms.URLInput)
    kinds = forms.MultipleChoiceField(
        label="Send",
        choices=[(code, kind.event) for code, kind in KINDS.items()],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data)
        self.team = team

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if problem := AllowList.read(settings.ENDPOINT_HOSTS).problem(url):
            raise ValidationError(problem)
        if self.team.webhooks.count() >= MOST:
            raise ValidationError(f"A team has at most {MOST} webhooks.")
        return url


def find_webhook(user: Any, slug: str, pk: int) -> Webhook:
    row: Webhook = get_object_or_404(Webhook.objects.select_related("team"), team=find_team(user, slug), pk=pk)
    return row


@signed_in("GET", "POST")
def webhooks(request: HttpRequest, team: str) -> HttpResponse:
    """The webhooks of a team. POST makes one and shows its secret in this answer, the only time it can be seen."""
    row = find_team(request.user, team)
    form = WebhookForm(row, request.POST if request.method == "POST" else None)
    made = ""
    if form.is_bound and form.is_valid():
        made = secrets.token_urlsafe(32)
        Webhook.objects.create(
            team=row,
            url=form.cleaned_data["url"],
            kinds=form.cleaned_data["kinds"],
            sealed_secret=seal(made),
            created_by=cast("User", request.user),
        )
        form = WebhookForm(row)
    context = {"team": row, "webhooks": row.webhooks.all(), "form": form, "new_secret": made}
    return render(request, "runs/notices/webhooks.html", context, status=422 if form.errors else 200)


@signed_in("GET")
def webhook(request: HttpRequest, team: str, pk: int) -> HttpResponse:
    """What was sent to a webhook, and what came of it."""
    row = find_webhook(request.user, team, pk)
    deliveries = row.deliveries.select_related("notice")[:SHOWN]
    context = {"team": row.team, "webhook": row, "deliveries": deliveries, "most": len(settings.WEBHOOK_PAUSES) + 1}
    return render(request, "runs/notices/webhook.html", context)


@signed_in("POST")
def webhook_act(request: HttpRequest, team: str, pk: int, what: str) -> HttpResponse:
    """`pause`, `resume` or `delete` a webhook."""
    row = find_webhook(request.user, team, pk)
    if what not in ("pause", "resume", "delete"):
        raise Http404
    if what == "delete":
        row.delete()
        messages.success(request, f"Nothing is sent to {row} any more.")
        return redirect("runs:webhooks", team)
    row.is_active = what == "resume"
    row.save(update_fields=["is_active"])
    return redirect("runs:webhook", team, pk)


@signed_in("POST")
def resend(request: HttpRequest, team: str, pk: int, delivery: int) -> HttpResponse:
    """Send a notice again."""
    row = get_object_or_404(Delivery, webhook=find_webhook(request.user, team, pk), pk=delivery)
    send_again(row)
    messages.success(request, "It is sent again.")
    return redirect("runs:webhook", team, pk)
