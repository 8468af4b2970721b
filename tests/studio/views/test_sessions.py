import pytest
from django.urls import reverse

from tests.people import PASSWORD

SIGN_IN = "studio:sign-in"


def attempt(client, user, password=PASSWORD, **data):
    return client.post(reverse(SIGN_IN), {"username": user.username, "password": password, **data})


def test_the_right_password_leads_home(as_nobody, author):
    assert attempt(as_nobody, author).url == reverse("studio:home")
    assert as_nobody.get(reverse("studio:home")).status_code == 200


def test_a_wrong_password_is_said_without_saying_what_was_wrong(as_nobody, author):
    response = attempt(as_nobody, author, "wrong")
    assert response.status_code == 422
    assert response.context["form"].non_field_errors()


def test_signing_in_leads_on_to_the_page_that_was_asked_for(as_nobody, author):
    wanted = as_nobody.get(reverse("packs:new"))
    page = as_nobody.get(wanted.url)
    assert attempt(as_nobody, author, next=page.context["next"]).url == reverse("packs:new")


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "javascript:alert(1)"])
def test_nobody_is_led_to_another_site(as_nobody, author, elsewhere):
    assert attempt(as_nobody, author, next=elsewhere).url == reverse("studio:home")


def test_signing_out_needs_a_post_and_ends_the_session(as_author):
    assert as_author.get(reverse("studio:sign-out")).status_code == 405
    as_author.post(reverse("studio:sign-out"))
    assert as_author.get(reverse("studio:home")).status_code == 302


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_chosen_theme_is_in_the_page_before_it_is_painted(as_author, theme):
    as_author.post(reverse("studio:theme"), {"theme": theme})
    assert f'data-theme="{theme}"' in as_author.get(reverse("studio:home")).text


def test_any_other_theme_is_the_one_of_the_system(as_author):
    as_author.post(reverse("studio:theme"), {"theme": "dark"})
    as_author.post(reverse("studio:theme"), {"theme": '"><script>'})
    assert "data-theme=" not in as_author.get(reverse("studio:home")).text


def test_a_forged_cookie_does_not_reach_the_page(as_author):
    as_author.cookies["theme"] = "evil"
    assert "evil" not in as_author.get(reverse("studio:home")).text


@pytest.mark.parametrize("onward", ["foo", "%ED%A0%80", "studio:nowhere"])
def test_onward_to_what_is_no_address_leads_home(as_author, onward):
    answered = as_author.get(f"/sign-in/?next={onward}")
    assert (answered.status_code, answered["Location"]) == (302, "/")
