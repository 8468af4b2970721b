"""What the page is about that the palette is opened on."""

import pytest
from django.test import RequestFactory

from studio.views.whereabouts import Whereabouts, whereabouts


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://testserver/packs/default/parcels/edit/cases/1/?at=/key", Whereabouts("default", "parcels")),
        ("/runs/12/metrics/", Whereabouts(run=12)),
        ("/runs/trials/12/", Whereabouts()),
        ("/nowhere/", Whereabouts()),
        ("http://[", Whereabouts()),
        ("", Whereabouts()),
    ],
)
def test_it_is_read_from_the_address_of_the_page(address, expected):
    assert whereabouts(RequestFactory().get("/search/", headers={"HX-Current-URL": address})) == expected
