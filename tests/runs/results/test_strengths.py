"""How strong the graders of a pack are, version by version."""

import pytest

from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.publish import publish
from runs.jobs.proofs import draft_of, prove_rows
from runs.models import StoredProof
from runs.results.strengths import strength_chart
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
LOOSE = {"says": ("contains", *TIDY[1:])}
KIND = "/version/evaluation_spec/validators/0/type"


def test_a_tighter_version_refuses_more(as_author, team, author):
    pack = import_pack(team, author, challenge(LOOSE, ["Leeds", "York"], asked="Answer exactly."), "planted")
    assert strength_chart(pack) is None
    for number, kind in enumerate(("contains", TIDY[0]), start=1):
        apply(pack, [Change(NodeKind.PACK, pack.pk, KIND, kind)], author)
        pack.refresh_from_db()
        subject = draft_of(pack)
        prove_rows(subject, subject.rows)
        publish(pack, author, number=number)
    rows = [(label, version, value, n, of) for label, _, version, _, value, n, of in strength_chart(pack).rows]
    loose, none, tight, proven = rows
    assert loose[:2] == ("Wrong answers refused", "1")
    assert 0 < loose[2] < 1
    assert none == ("Cases proven", "1", 0.0, 0, 2)
    assert tight[:3] == ("Wrong answers refused", "2", 1.0)
    assert proven == ("Cases proven", "2", 1.0, 2, 2)
    url = f"/api/v1/packs/{pack.pk}/proof/strengths/"
    over_api = [(each["version"], each["refused"], each["wrong"]) for each in as_author.get(url).json()["versions"]]
    assert over_api == [(1, *loose[3:]), (2, *tight[3:])]
    assert "Strength over versions" in as_author.get("/proofs/default/planted/").content.decode()
    # What was kept before answers were counted is not drawn as none.
    StoredProof.objects.update(wrong=0, refused=0)
    assert {row[0] for row in strength_chart(pack).rows} == {"Cases proven"}
