from xml.etree import ElementTree

import pytest

from runs.results.charts import Chart, Column, charts_of
from runs.results.pictures.drawings import drawn
from tests.runs.noise import noisy_run

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [part.text for part in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.django_db
def test_every_chart_of_a_run_is_drawn_with_the_names_of_its_agents(team, author, version):
    charts = charts_of(noisy_run(team, author, version))
    assert len(charts) == 6
    for chart in charts:
        assert {"agent 0", "agent 1", "agent 2"} <= set(texts(drawn(chart)))


def test_an_interval_spans_what_its_row_says():
    columns = (Column("label", "Agent", "text"), *(Column(key, key, "share") for key in ("value", "low", "high")))
    svg = drawn(Chart("x", "intervals", "Rate", "", columns, (("a", 0.5, 0.25, 0.75), ("b", 1.0, None, None))))
    root = ElementTree.fromstring(svg)
    spans = [shape for shape in root.iter(f"{SVG}polyline") if shape.get("stroke-width") == "2.5"]
    (low, _), (high, _) = (map(float, point.split(",")) for point in spans[0].get("points").split())
    middle = float(next(root.iter(f"{SVG}circle")).get("cx"))
    assert len(spans) == 1
    assert middle == pytest.approx((low + high) / 2, abs=0.1)


def test_a_kind_that_only_pages_draw_has_no_picture():
    assert drawn(Chart("x", "items", "Items", "", (), ())) == ""
