"""The cells of the grid of a run, as they are drawn."""

from runs.statistics.estimates import PassEstimate
from runs.views.results.grid import CaseRow, Cell
from studio.templatetags.heat import heat_cells


def test_a_cell_leads_to_its_trials_and_says_in_words_what_it_shows():
    joint = PassEstimate("pass@k", 2, ("passed", "failed", "error"))
    cells = [Cell(("passed",), None, 7), Cell(), Cell(("passed", "failed", "error"), joint, 8)]
    drawn = heat_cells(CaseRow("a", "", 4, cells), ["/x/1/", "/x/2/", "/x/3/"])
    first, second, third = drawn.removesuffix("</td>").split("</td>")
    assert 'href="/x/1/4/" data-open title="Passed"' in first
    assert "#check" in first
    assert second == '<td class="heat__cell">'
    assert 'class="heat heat--5" href="/x/3/4/" title="1 of 2 passed, pass@2: pass, flaky, 1 error"' in third
    assert [third.count(part) for part in ("#circle-check", ">1/2<", "#split", "#triangle-alert")] == [1] * 4
    assert "data-open" not in third


def test_what_a_pack_names_cannot_become_markup():
    joint = PassEstimate("<b>", 1, ("passed",))
    assert "<b>" not in heat_cells(CaseRow("a", "", 4, [Cell(("passed", "failed"), joint, 7)]), ["/x/"])
