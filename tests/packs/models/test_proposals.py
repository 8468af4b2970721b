from packs.editing.proposals import propose
from packs.models import Proposal
from tests.packs.drafts import draft_of


def test_the_proposals_of_a_pack_go_with_it(team, author):
    draft = draft_of(team)
    propose(draft, author, "Better names")
    draft.delete()
    assert not Proposal.objects.exists()
