"""Launching."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


@login_required
def new_run(request: HttpRequest) -> HttpResponse:
    return redirect("studio:home")

