"""The thread of five steps, marked by what the draft is."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from packs.editing import Change, apply, remove_node
from packs.editing.proposals import propose
from packs.formats import FORMATS, adapter_of
from packs.formats.beginning import EXAMPLE
from packs.formats.document import NodeKind
from packs.importing import create_pack
from packs.publish import publish
from packs.views.creation.thread import thread_of
from runs.jobs.trials.tryouts import Given, try_answer

LABELS = ["Cases", "Checks", "Try", "Problems", "Publish"]


@pytest.fixture(params=list(FORMATS))
def pack(request, team, author):
    return create_pack(team, author, request.param, "A pack", first=EXAMPLE)


def done(pack):
    pack.refresh_from_db()
    return [step.label for step in thread_of(pack) if step.is_done]


def coming(pack):
    return next(step.label for step in thread_of(pack) if step.is_next)


def test_a_new_pack_is_to_be_tried_and_then_published(pack, author):
    assert [step.label for step in thread_of(pack)] == LABELS
    assert (done(pack), coming(pack)) == (["Cases", "Checks", "Problems"], "Try")
    try_answer(author, pack.cases.get(), Given("Leeds"))
    assert (done(pack), coming(pack)) == (["Cases", "Checks", "Try", "Problems"], "Publish")
    publish(pack, author)
    assert thread_of(pack) == []


def test_what_is_taken_away_is_to_be_done_again(pack, author):
    ((kind, (pointer, *others)), *_) = adapter_of(pack.format).CHECKS_AT.items()
    row = pack if kind is NodeKind.PACK else pack.cases.get()
    for place in (pointer, *others):
        apply(pack, [Change(kind, row.pk, place)], author)
    assert coming(pack) == "Checks"
    remove_node(pack, NodeKind.CASE, pack.cases.get().pk, author)
    assert coming(pack) == "Cases"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the plan is that of SQLite")
def test_the_first_case_is_found_without_sorting_all_cases(pack):
    with CaptureQueriesContext(connection) as asked:
        thread_of(pack)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
        assert not [step for *_, step in cursor.fetchall() if "TEMP B-TREE" in step or "SCAN" in step]


def test_the_draft_of_a_proposal_is_not_published_and_has_no_steps(pack, author):
    assert thread_of(propose(pack, author, "Other words").draft) == []


def test_every_step_leads_to_a_page(pack, as_author, author, as_administrator):
    for _ in range(2):
        assert [as_administrator.get(step.url).status_code for step in thread_of(pack)] == [200] * len(LABELS)
        for case in pack.cases.all():
            remove_node(pack, NodeKind.CASE, case.pk, author)


def test_the_pack_and_the_workbench_show_it_until_the_first_version(pack, as_author, author):
    where = [pack.team.slug, pack.slug]
    pages = [reverse("packs:overview", args=where), thread_of(pack)[0].url, reverse("packs:thread", args=where)]
    assert all('aria-current="step"' in as_author.get(url).text for url in pages)
    publish(pack, author)
    assert not any("thread__step" in as_author.get(url).text for url in pages)


def test_it_takes_one_query(pack, django_assert_num_queries):
    with django_assert_num_queries(1):
        thread_of(pack)
