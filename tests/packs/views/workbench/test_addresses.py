import pytest
from django.urls import resolve, reverse

from packs.editing import problems, remove_node
from packs.formats.document import Address, NodeKind
from packs.views.workbench.addresses import PACK, NodeConverter, NodeRef, find_node, node_url, ref_of, workbench_url
from tests.packs.drafts import draft_of, pack_text


@pytest.mark.parametrize("path", ["pack", "cases/12", "challenges/1", "sets/3", "assets/4"])
def test_a_node_has_one_address_both_ways(path):
    ref = NodeConverter().to_python(path)
    assert ref.path == path
    url = reverse("packs:edit-node", args=["t", "s", ref])
    assert resolve(url).kwargs["ref"] == ref


def test_a_finding_about_the_pack_leads_to_the_row_and_the_field(as_author, team):
    text = pack_text(3).decode().replace("difficulty: easy", "difficulty: odd")
    draft = draft_of(team, text.replace("case_key: case-2", "case_key: case-1").encode())
    found = list(problems(draft))
    assert found
    for problem in found:
        url = workbench_url(draft, problem.finding)
        desk = as_author.get(url).context["desk"]
        assert (desk.kind, desk.row.pk) == (problem.kind, problem.node)


def test_a_place_in_the_tree_leads_to_its_row(draft):
    second = draft.cases.order_by("position")[1]
    assert find_node(draft, Address(NodeKind.CASE, (0, 1))) == NodeRef(NodeKind.CASE, second.pk)
    assert find_node(draft, Address(NodeKind.CASE, (5, 0))) is None
    assert find_node(draft, Address(NodeKind.PACK)) == PACK


def test_what_has_gone_leads_to_the_first_page(draft, case, author):
    address = Address(NodeKind.CHALLENGE, (0,))
    remove_node(draft, NodeKind.CHALLENGE, draft.challenges.get().pk, author)
    assert workbench_url(draft, address) == "/packs/default/parcels/edit/"


def test_keys_with_odd_signs_survive_in_the_address(as_author, draft, case):
    url = node_url(draft, ref_of(case), "/payload/a b&c=~1%é")
    assert as_author.get(url).wsgi_request.GET["at"] == "/payload/a b&c=~1%é"


def test_the_workbench_opens_at_the_identity_of_the_pack(as_author, draft):
    desk = as_author.get("/packs/default/parcels/edit/", follow=True).context["desk"]
    assert desk.section.pointer == "/pack"
