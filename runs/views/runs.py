"""Runs."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


@login_required
def run_list(request: HttpRequest) -> HttpResponse:
    return redirect("studio:home")


@login_required
def run_page(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")


@login_required
def configuration(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")


@login_required
def cancel_run(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")


@login_required
def run_again(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect("studio:home")


@login_required
def export_run(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    return redirect("studio:home")

