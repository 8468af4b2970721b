import pytest
from django.urls import reverse

from packs.publish import publish
from tests.packs.drafts import draft_of, pack_text


@pytest.fixture
def version(team, author):
    return publish(draft_of(team, pack_text(cases=60)), author, notes="First.")


def url(name, *more):
    return reverse(f"packs:{name}", args=["default", "parcels", *more])


def test_the_list_shows_every_version(as_author, version):
    assert [row.number for row in as_author.get(url("versions")).context["page"]] == [1]


def test_a_version_shows_its_cases_in_pages(as_author, version):
    first = as_author.get(url("version", 1)).context["page"]
    second = as_author.get(url("version", 1), {"page": 2}).context["page"]
    assert len(first) == 50
    assert [case.key for case in second][-1] == "case-59"


def test_cases_are_found_by_key_and_set(as_author, version):
    page = as_author.get(url("version", 1), {"q": "case-5", "set": "hubs"}).context["page"]
    assert page.paginator.count == 11
    assert as_author.get(url("version", 1), {"set": "other"}).context["page"].paginator.count == 0


def test_a_case_shows_its_stored_document_and_its_neighbours(as_author, version):
    case = version.cases.get(key="case-1")
    context = as_author.get(url("version-case", 1, case.pk)).context
    assert '"case_key": "case-1"' in context["stored"]
    assert (context["before"].key, context["after"].key) == ("case-0", "case-2")


def test_hostile_content_is_text_on_the_page(as_author, author, team):
    text = pack_text(cases=1).replace(b"Hub case-0", b"'<script>alert(1)</script>'")
    published = publish(draft_of(team, text, slug="hostile"), author)
    response = as_author.get(reverse("packs:version-case", args=["default", "hostile", 1, published.cases.get().pk]))
    assert "<script>alert" not in response.text
    assert "&lt;script&gt;alert" in response.text


def test_a_stranger_finds_nothing(as_stranger, version):
    case = version.cases.first()
    for address in (url("versions"), url("version", 1), url("version-case", 1, case.pk)):
        assert as_stranger.get(address).status_code == 404


def test_the_list_of_cases_does_not_read_their_documents(as_author, version, django_assert_max_num_queries):
    with django_assert_max_num_queries(15) as queries:
        as_author.get(url("version", 1))
    assert not any('"stored"' in query["sql"] for query in queries.captured_queries)
