"""The proof of cases over the API: in the lists of packs and versions."""

import pytest

from packs.companion import PROOFS
from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.models import Pack
from packs.publish import publish
from runs.jobs.proofs import draft_of, prove_rows
from runs.models.proofs import standing_of, standing_of_version
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
API = "/api/v1"
LOOSE = {"says": ("contains", *TIDY[1:])}
TIGHT = {"says": TIDY}
NUMBER = "/version/number"
KIND = "/version/evaluation_spec/validators/0/type"


def made(team, author, name, validators=TIGHT, tried=2):
    pack = import_pack(team, author, challenge(validators, ["Leeds", "York"], asked="Answer exactly."), name, slug=name)
    subject = draft_of(pack)
    if tried:
        prove_rows(subject, subject.rows[:tried])
    return pack


def changed(pack, author, pointer, value, case=None):
    row = (NodeKind.PACK, pack.pk) if case is None else (NodeKind.CASE, case.pk)
    apply(pack, [Change(*row, pointer, value)], author)
    return pack


@pytest.fixture
def packs(team, author):
    made(team, author, "proven")
    made(team, author, "loose", LOOSE)
    made(team, author, "half", tried=1)
    made(team, author, "untried", tried=0)
    changed(made(team, author, "renumbered"), author, NUMBER, 7)
    changed(made(team, author, "retyped"), author, KIND, "contains")
    edited = made(team, author, "edited")
    changed(edited, author, "/expectations/0/value", "Hull", edited.cases.first())
    import_pack(team, author, challenge(TIGHT, []), "empty", slug="empty")


def listed(client, **asked):
    return {row["slug"]: row["proof"] for row in client.get(f"{API}/packs/", asked).json()["results"]}


def test_the_list_of_packs_says_what_their_pages_say_and_narrows_to_a_state(
    as_author, packs, django_assert_max_num_queries
):
    found = listed(as_author)
    assert found == {pack.slug: standing_of(pack).summary.as_dict() for pack in Pack.objects.all()}
    assert {slug: proof["state"] for slug, proof in found.items()} == {
        "proven": "proven",
        "loose": "refuted",
        "half": "unproven",
        "untried": "unproven",
        "renumbered": "proven",
        "retyped": "stale",
        "edited": "stale",
        "empty": "unproven",
    }
    assert found["half"]["counts"] == {"proven": 1, "stale": 0, "unproven": 1, "refuted": 0}
    for state in PROOFS:
        assert listed(as_author, proof=state) == {slug: each for slug, each in found.items() if each["state"] == state}
    assert as_author.get(f"{API}/packs/", {"proof": "good"}).status_code == 400
    with django_assert_max_num_queries(10):
        listed(as_author)


def test_so_does_the_list_of_versions(as_author, team, author):
    pack = made(team, author, "planted", LOOSE)
    versions = [publish(pack, author, number=1)]
    changed(pack, author, KIND, TIDY[0])
    versions.append(publish(Pack.objects.get(pk=pack.pk), author, number=2))
    subject = draft_of(pack)
    prove_rows(subject, subject.rows)
    versions.append(publish(Pack.objects.get(pk=pack.pk), author, number=3))
    url = f"{API}/packs/{pack.pk}/versions/"
    found = {row["number"]: row["proof"] for row in as_author.get(url).json()["results"]}
    assert found == {each.number: standing_of_version(each).summary.as_dict() for each in versions}
    assert {number: proof["state"] for number, proof in found.items()} == {1: "refuted", 2: "unproven", 3: "proven"}
    assert [row["number"] for row in as_author.get(url, {"proof": "unproven"}).json()["results"]] == [2]
