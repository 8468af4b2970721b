"""Right and wrong answers that an author states for a case, beside its proof."""

from typing import cast

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse

from packs.access import Permission
from packs.editing import EditRefused
from packs.models import Case
from packs.views.shared.signed_in import signed_in
from runs.jobs.proofs import is_quick, prove_case, remove_answer, state_answer
from runs.views.packs.proofs import case_for, show_case
from runs.views.packs.stating import ANSWERS, Wish, read_wish


@signed_in("POST")
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """State, change or remove an answer in `proof.yaml`, and prove the case again where that takes no worker.

    Parameters: `name` (reference, right, wrong), `text`, pairs of `path` and `content`, `events` (JSON), `deletes`
    (true or nothing), `origin`, `instead` (the key of the answer that is changed), and `act`: `more` draws the form
    again with room for one more file, `remove` takes the answer of `instead` away.
    """
    case, act, wish = case_for(request, pk, Permission.EDIT), request.POST.get("act", ""), read_wish(request.POST)
    if act == "more":
        return show_case(request, case, wish=wish.with_room)
    if act != "remove" and wish.name not in ANSWERS:
        raise Http404
    try:
        kept(case, wish, cast(User, request.user), removes=act == "remove")
    except EditRefused as refused:
        return show_case(request, case, refused.message, 422, wish=None if act == "remove" else wish)
    return show_case(request, case)


def kept(case: Case, wish: Wish, user: User, *, removes: bool) -> None:
    """Raises EditRefused, ProofRefused."""
    if removes:
        remove_answer(case, wish.instead, user)
    else:
        state_answer(case, wish.name, wish.work, user, wish.origin, instead=wish.instead)
    if is_quick(case):
        prove_case(case)
