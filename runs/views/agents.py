"""Agents."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


@login_required
def agent_list(request: HttpRequest) -> HttpResponse:
    return redirect("studio:home")


@login_required
def new_agent(request: HttpRequest, kind: str) -> HttpResponse:
    return redirect("studio:home")


@login_required
def agent_page(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")


@login_required
def agent_state(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")


@login_required
def test_agent(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")

