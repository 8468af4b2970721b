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
