"""Connections: where models answer. Members read, administrators manage and test them."""

from dataclasses import dataclass, replace
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from packs.access import Permission, permissions
from packs.models import Team
from packs.quotas import QuotaReached
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.agents.endpoints.contract import EndpointFailed, ModelReply, ModelRequest
from runs.models import Connection
from runs.models.opening import open_endpoint
from runs.models.sealing import Unsealable, unseal
from runs.models.spending import Charged
from runs.quotas import heed_money
from runs.replay.redaction import Redactor
from runs.views.agents.advice import ADVICE
from runs.views.agents.agents import find_team
from runs.views.agents.connection_form import ConnectionForm
from runs.views.agents.kinds import PROVIDERS, connection_kinds

TEST_SECONDS = 20.0
TEST_MESSAGE = "Say in one sentence which model you are."
TEST_TOKENS = 200
SHOWN_CHARACTERS = 4000


@signed_in("GET")
def connection_list(request: HttpRequest) -> HttpResponse:
    """The connections of the user's teams, those in use first."""
    rows = Connection.objects.visible_to(request.user).select_related("team")
    rows = rows.order_by("-is_active", Lower("name"), "pk")
    mine = Team.objects.administrable_by(request.user).order_by("name")
    context = {"connections": rows, "teams": mine, "administered": set(mine.values_list("pk", flat=True))}
    return render(request, "runs/agents/connections.html", context)


def find_connection(user: Any, pk: int, needed: Permission) -> tuple[Connection, bool]:
    """A connection, and whether the user may manage it.

    Raises Http404 for strangers, PermissionDenied for members who may not do what is needed.
    """
    row: Connection = get_object_or_404(Connection.objects.visible_to(user).select_related("team"), pk=pk)
    may = permissions(user, row.team)
    if needed not in may:
        raise PermissionDenied
    return row, Permission.ADMINISTER in may


def keep(form: ConnectionForm) -> bool:
    """Save a valid form. False when another request took the name just now."""
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError:
        form.add_error("name", "This team has a connection of this name already.")
        return False
    return True


@sensitive_post_parameters("key")
@signed_in("GET", "POST")
def new_connection(request: HttpRequest) -> HttpResponse:
    """Make a connection; `kind` (GET) fills in what its provider has, and without it the gallery asks for one.

    Answers 422 to what cannot be one.
    """
    team, kind = find_team(request), request.GET.get("kind", "")
    if request.method == "GET" and not kind:
        context = {"team": team, "title": "New connection", "groups": connection_kinds(team), "connections": True}
        return render(request, "runs/agents/kinds.html", context)
    row = Connection(team=team, created_by=cast(User, request.user))
    if kind in PROVIDERS:
        provider = PROVIDERS[kind]
        row.base_url, row.provider, row.has_responses = provider.address, provider.provider, provider.has_responses
    form = ConnectionForm(request.POST if request.method == "POST" else None, instance=row)
    if form.is_bound and form.is_valid() and keep(form):
        messages.success(request, f"{row.name} is stored. Test it before agents use it.")
        warn_of_key(request, row, form)
        return redirect("runs:connection", row.pk)
    return show(request, row, form, may_manage=True)


@sensitive_post_parameters("key")
@signed_in("GET", "POST")
def connection_page(request: HttpRequest, pk: int) -> HttpResponse:
    """A connection; what is changed counts for the next call, also of runs that have started."""
    needed = Permission.ADMINISTER if request.method == "POST" else Permission.READ
    row, may_manage = find_connection(request.user, pk, needed)
    form = ConnectionForm(request.POST if request.method == "POST" else None, instance=row)
    if form.is_bound and form.is_valid() and keep(form):
        messages.success(request, f"{row.name} is saved.")
        warn_of_key(request, row, form)
        return redirect("runs:connection", pk)
    return show(request, row, form, may_manage=may_manage)


def warn_of_key(request: HttpRequest, row: Connection, form: ConnectionForm) -> None:
    """Say that a key which was just given is not hidden, where it is none that can be."""
    for warning in row.warnings if form.cleaned_data["key"] else ():
        messages.warning(request, warning)


def show(request: HttpRequest, row: Connection, form: ConnectionForm, **more: Any) -> HttpResponse:
    # A form that is refused has written into its row; the page names the stored one.
    stored = Connection.objects.get(pk=row.pk) if row.pk else row
    first = next(iter(stored.model_names), "")
    context = {"connection": stored, "form": form, "message": TEST_MESSAGE, "model": first, **more}
    return render(request, "runs/agents/connection.html", context, status=422 if form.errors else 200)


@signed_in("POST")
def connection_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a connection out of use, or back into it."""
    row, _ = find_connection(request.user, pk, Permission.ADMINISTER)
    row.is_active = request.POST.get("active") == "true"
    row.save(update_fields=["is_active", "updated_at"])
    messages.success(request, f"{row.name} is {'in use' if row.is_active else 'not in use any more'}.")
    return redirect("runs:connection", pk)


@dataclass(frozen=True, slots=True)
class Test:
    """What a connection answered to a message, or why it did not and what to do."""

    model: str
    reply: ModelReply | None = None
    trouble: str = ""
    advice: str = ""

    @property
    def text(self) -> str:
        return self.reply.text[:SHOWN_CHARACTERS] if self.reply else ""


def ask(row: Connection, model: str, message: str) -> Test:
    """Ask a model of a connection once, as agents do, but at once: a test is to show whether it works now."""
    Connection.objects.filter(pk=row.pk).update(rests_until=None)
    asked = ModelRequest(model, ({"role": "user", "content": message},), max_tokens=TEST_TOKENS, seconds=TEST_SECONDS)
    try:
        heed_money(row.team)
        return Test(model, shown(Charged(open_endpoint(row), row.team_id).ask(asked), row))
    except QuotaReached as reached:
        return Test(model, trouble=reached.message)
    except EndpointFailed as error:
        return Test(model, trouble=str(error), advice=ADVICE[error.trouble])
    except Unsealable as error:
        return Test(model, trouble=str(error), advice="Give the key again.")


def shown(reply: ModelReply, row: Connection) -> ModelReply:
    """A reply without the key, which a strange endpoint could repeat."""
    redactor = Redactor([unseal(row.sealed_key)])
    return replace(reply, text=redactor.text(reply.text), model=redactor.text(reply.model))


@signed_in("POST")
def test_connection(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask a model for real and show answer, times, tokens and cost."""
    row, _ = find_connection(request.user, pk, Permission.ADMINISTER)
    model = request.POST.get("model", "").strip()[:300]
    message = request.POST.get("message", "").strip()[:SHOWN_CHARACTERS] or TEST_MESSAGE
    context = {
        "connection": row,
        "form": ConnectionForm(instance=row),
        "message": message,
        "model": model,
        "may_manage": True,
        "test": ask(row, model, message) if model else Test("", trouble="Name a model."),
    }
    return render_page(request, "runs/agents/connection.html", "runs/agents/_connection_test.html", context)
