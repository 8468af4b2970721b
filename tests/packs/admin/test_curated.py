"""What all pages of curation have in common."""

import pytest
from django.contrib import admin
from django.urls import reverse

from packs.models import Pack, PackStatus
from tests.packs.drafts import draft_of

MODELS = [model for model in admin.site._registry if model._meta.app_label in {"packs", "runs", "auth"}]


def list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_list_opens_searches_and_sorts_while_it_is_empty(as_superuser, model):
    url = list_of(model)
    columns = admin.site._registry[model].list_display
    assert as_superuser.get(url, {"q": "x"}).status_code == 200
    assert as_superuser.get(url, {"o": ".".join(str(index + 1) for index in range(len(columns)))}).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_lists_count_what_their_filters_would_leave(as_superuser, model):
    assert as_superuser.get(list_of(model), {"_facets": "True"}).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_no_list_is_open_to_who_is_not_staff(as_administrator, as_nobody, model):
    for client in (as_administrator, as_nobody):
        assert client.get(list_of(model)).status_code == 302


def test_the_first_page_names_the_studio(as_superuser):
    page = as_superuser.get(reverse("admin:index")).content.decode()
    assert "Packwright" in page


def test_a_question_names_the_first_of_many_rows_and_counts_the_rest(as_superuser, team):
    rows = [draft_of(team, b"pack: {slug: x}\n", slug=f"pack-{number:03}") for number in range(103)]
    everything = {"action": "archive_packs", "_selected_action": [str(rows[0].pk)], "select_across": "1"}
    page = as_superuser.post(reverse("admin:packs_pack_changelist"), everything)
    assert (len(page.context["names"]), page.context["hidden"], page.context["count"]) == (100, 3, 103)
    as_superuser.post(reverse("admin:packs_pack_changelist"), everything | {"confirmed": "yes"})
    assert Pack.objects.filter(status=PackStatus.ARCHIVED).count() == 103


def test_a_very_long_document_is_cut_and_says_so(as_superuser, team):
    draft = draft_of(team)
    draft.document = {"text": "x" * 200_000}
    draft.save()
    page = as_superuser.get(reverse("admin:packs_pack_change", args=[draft.pk])).content.decode()
    assert "100016 more characters" in page


def test_markup_in_documents_is_shown_and_not_obeyed(as_superuser, team):
    draft = draft_of(team, title="<script>a</script>")
    draft.document = {"text": "<script>b</script>"}
    draft.save()
    page = as_superuser.get(reverse("admin:packs_pack_change", args=[draft.pk])).content.decode()
    assert "<script>a" not in page
    assert "<script>b" not in page
    assert "&lt;script&gt;b" in page
