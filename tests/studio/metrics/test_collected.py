"""The one registry that `/metrics` and the page of operations read."""

import pytest

from studio.metrics.collected import everything


@pytest.mark.django_db
def test_it_has_figures_of_rows_and_of_requests():
    names = {family.name for family in everything().collect()}
    assert {"packwright_packs", "packwright_http_requests", "packwright_http_request_seconds"} <= names
