import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.access import Role
from packs.models import Membership, Pack
from tests.packs.drafts import pack_text
from tests.people import make_member

BY_SCRIPT = ({"HX-Request": "true"}, {"X-Requested-With": "fetch"})


def test_an_unknown_address_is_answered_in_the_studios_own_words(as_author):
    response = as_author.get("/packs/default/no-such-pack/")
    assert response.status_code == 404
    assert 'href="/"' in response.content.decode()


def test_a_form_without_its_token_is_explained(client, author):
    client.handler.enforce_csrf_checks = True
    client.force_login(author)
    response = client.post("/theme/", {"theme": "dark"})
    assert response.status_code == 403
    assert 'href="/"' in response.content.decode()


def test_the_address_of_an_act_is_explained_to_whoever_opens_it(as_author):
    response = as_author.get("/theme/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert 'href="/"' in response.content.decode()
    assert as_author.get("/theme/", headers={"Accept": "*/*"}).content == b""


@pytest.mark.parametrize("address", ["/packs/?q=%00", "/search/?q=a%00b", "/api/v1/packs/?q=%00"])
def test_a_zero_byte_in_an_address_is_refused_whatever_the_database(as_author, address):
    response = as_author.get(address)
    assert response.status_code == 400
    assert "%00" in response.content.decode()


def test_a_zero_byte_is_a_finding_for_programs(as_author):
    [found] = as_author.get("/api/v1/packs/?q=%00").json()["findings"]
    assert found["code"] == "api.zero_byte"


def test_the_page_about_a_long_address_says_so_in_its_title(as_author):
    page = as_author.get("/packs/?q=" + "x" * 8_001).content.decode()
    titles = re.findall(r"<(?:title|h1)>\s*The address is too long\s*[·<]", page)
    assert len(titles) == 2


@pytest.mark.parametrize("address", ["/packs/?q=", "/runs/?q=", "/search/?q=", "/api/v1/packs/?q="])
def test_a_search_beyond_all_bounds_is_refused(as_author, team, address):
    as_author.post("/api/v1/packs/", {"team": "default", "title": "Searched"}, content_type="application/json")
    assert as_author.get(address + "x" * 7_000).status_code == 200
    refused = as_author.get(address + "x" * 100_000)
    assert refused.status_code == 414
    assert "characters may follow the question mark" in refused.content.decode()


def test_a_refusal_names_the_administrators_who_can_help(as_author, author, administrator, team, other_team):
    Membership.objects.create(team=other_team, user=author, role=Role.VIEWER)
    boss = make_member(other_team, Role.ADMINISTRATOR)
    of_team = as_author.post(f"/team/{team.slug}/invitations/")
    assert (of_team.status_code, of_team.context["helpers"]) == (403, [(team, [str(administrator)])])
    assert 'aria-label="Rooms"' in of_team.text
    of_the_studio = as_author.get("/secrets/")
    assert of_the_studio.context["helpers"] == [(team, [str(administrator)]), (other_team, [str(boss)])]


@pytest.mark.parametrize("headers", BY_SCRIPT)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_script_without_a_session_is_told_so(client, db, headers, method):
    assert getattr(client, method)("/packs/", headers=headers).status_code == 401


def test_a_person_without_a_session_is_led_to_the_page_to_sign_in(client, db):
    response = client.get("/packs/")
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=")


@pytest.mark.parametrize("headers", BY_SCRIPT)
def test_a_script_with_a_session_gets_its_answer(as_author, headers):
    assert as_author.get("/packs/", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", BY_SCRIPT)
def test_other_redirects_are_left_as_they_are(as_author, headers):
    assert as_author.get("/sign-in/", headers=headers)["Location"] == "/"


@pytest.fixture
def _full(team):
    team.quota_storage_gb = 0
    team.save()


@pytest.mark.usefixtures("_full")
def test_a_page_says_which_quota_and_who_helps(as_author, team, administrator):
    file = SimpleUploadedFile("pack.yaml", pack_text())
    answer = as_author.post(reverse("packs:import"), {"team": team.pk, "files": [file]})
    assert answer.status_code == 403
    assert "Quota reached" in answer.text
    assert f"{administrator} can raise the quota." in answer.text


@pytest.mark.usefixtures("_full")
def test_the_api_gives_a_finding_with_a_stable_code(as_author, team):
    answer = as_author.post(f"/api/v1/packs/import/?team={team.slug}", pack_text(), content_type="application/yaml")
    [finding] = answer.json()["findings"]
    assert (answer.status_code, finding["code"], Pack.objects.count()) == (403, "storage_quota_reached", 0)
