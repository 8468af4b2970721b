"""Who reaches most views, and how."""

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse
from django.urls import reverse

from packs.views.shared.signed_in import signed_in


@signed_in("GET")
def view(request, word):
    return HttpResponse(word)


def answer(rf, method, user):
    request = rf.generic(method, "/there/")
    request.user = user
    return view(request, "done")


def test_people_without_an_account_are_led_to_where_they_sign_in(rf):
    response = answer(rf, "GET", AnonymousUser())
    assert (response.status_code, response.url) == (302, reverse("studio:sign-in") + "?next=/there/")


def test_a_view_answers_its_methods_alone(rf):
    assert answer(rf, "GET", User()).content == b"done"
    assert answer(rf, "POST", User()).status_code == 405
