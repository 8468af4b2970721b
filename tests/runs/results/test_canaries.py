"""The canary of a pack, stamped on its page and found again in answers."""

import pytest

from packs.editing import undo
from packs.importing import import_pack
from packs.publish import publish
from runs.launch.launching import launch
from runs.models import Trial
from runs.results.canaries import canary_of, sightings_of
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
PAGE = "/proofs/default/planted/"


def test_it_is_stamped_once_and_found_in_answers(as_author, team, author, agents):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds", "York"], asked="Answer exactly."), "planted")
    assert (canary_of(pack), "Stamp a canary" in as_author.get(PAGE).content.decode()) == ("", True)
    as_author.post(f"{PAGE}canary/")
    as_author.post(f"{PAGE}canary/")
    canary = as_author.get(f"/api/v1/packs/{pack.pk}/proof/").json()["canary"]
    assert canary == canary_of(pack)
    run = launch(author, publish(pack, author), [agents["echo"]])
    first, second = Trial.objects.filter(run=run).order_by("pk")
    Trial.objects.filter(pk=first.pk).update(status="failed", final_output=f"I know {canary.upper()}")
    Trial.objects.filter(pk=second.pk).update(status="failed", final_output="I know nothing")
    found = sightings_of(pack)
    assert (found.read, found.trials) == (2, [first.pk])
    assert "1 of the newest 2 answers have it" in as_author.get(PAGE).content.decode()
    marked = ["has the canary" in as_author.get(f"/runs/trials/{pk}/").content.decode() for pk in (first.pk, second.pk)]
    assert marked == [True, False]
    pack.refresh_from_db()
    undo(pack, author)
    assert canary_of(pack) == ""
