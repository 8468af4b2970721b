"""A trial as a chat, page by page, ready to be shown."""

from typing import Any

from django.core.paginator import Page, Paginator

from runs.models import Event, Trial
from runs.replay.talk import Said, Turn
from runs.results.playback import index_of, talk_at, talk_places
from runs.views.trials.payloads import show

PAGE_STEPS = 200
# A call is one line; longer ones and their answers open.
SHORT_CALL = 120


def chat_of(trial: Trial, number: str = "") -> tuple[Page[Any], list[dict[str, Any]]]:
    """One page of the conversation of a trial."""
    index = index_of(trial)
    page = Paginator(talk_places(trial, index), PAGE_STEPS).get_page(number)
    return page, [turn_shown(turn) for turn in talk_at(trial, index, list(page.object_list))]


def turn_shown(turn: Turn) -> dict[str, Any]:
    return {"turn": turn, "said": [said_shown(said) for said in turn.said]}


def said_shown(said: Said) -> dict[str, Any]:
    text, answer = show(said.text), show(said.answer)
    return {"said": said, "text": text, "answer": answer, "line": text.text[:SHORT_CALL]}


def has_turns(trial: Trial) -> bool:
    """Whether the trial is a conversation with a simulated user."""
    return Event.objects.filter(trial=trial, event_type="turn.user.message").exists()
