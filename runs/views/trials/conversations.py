"""The page of a trial as a chat: the whole conversation with every call and its result."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.views.shared.signed_in import signed_in
from runs.views.trials.answers import question_of
from runs.views.trials.chats import chat_of
from runs.views.trials.trials import cause_of, describe, find_trial, is_explained


@signed_in("GET")
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """A trial as a chat. Parameter: page."""
    found = find_trial(request.user, pk)
    page, turns = chat_of(found, request.GET.get("page", ""))
    context = {
        **describe(found, "runs:conversation"),
        "question": question_of(found) if page.number == 1 else None,
        "page": page,
        "turns": turns,
        "cause": None if is_explained(found) else cause_of(found),
    }
    return render(request, "runs/trial/conversation.html", context)
