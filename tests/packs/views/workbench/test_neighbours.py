from tests.packs.drafts import draft_of, pack_text
from tests.packs.views.workbench.pages import Page


def test_cases_know_the_ones_before_and_after_in_their_set(node_page, draft):
    first, second, third = draft.cases.order_by("position")
    between = node_page(f"cases/{second.pk}").response.context["neighbours"]
    assert between.before.endswith(f"/cases/{first.pk}/")
    assert between.after.endswith(f"/cases/{third.pk}/")
    assert node_page(f"cases/{first.pk}").response.context["neighbours"].before == ""
    assert node_page(f"cases/{third.pk}").response.context["neighbours"].after == ""


def test_the_pack_has_no_neighbours(node_page):
    shown = node_page("pack").response.context["neighbours"]
    assert (shown.before, shown.after) == ("", "")


def test_the_neighbours_of_a_case_may_stand_on_another_page_of_the_outline(as_author, team):
    large = draft_of(team, pack_text(130), slug="large")
    cases = list(large.cases.order_by("position"))
    for at in (49, 50, 99):
        shown = Page(as_author, large, f"cases/{cases[at].pk}").response.context["neighbours"]
        assert shown.before.endswith(f"/cases/{cases[at - 1].pk}/")
        assert shown.after.endswith(f"/cases/{cases[at + 1].pk}/")
    assert not Page(as_author, large, f"cases/{cases[129].pk}").response.context["neighbours"].after
