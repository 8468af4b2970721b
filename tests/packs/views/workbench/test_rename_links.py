import pytest

from packs.editing import Thing
from packs.importing import import_pack
from packs.views.workbench.addresses import ref_of
from packs.views.workbench.rename_links import rename_url, rename_urls
from tests.packs.formats.names.test_renames import PACK


@pytest.fixture
def case(team, author):
    return import_pack(team, author, {"pack.yaml": PACK.encode()}, "desk", slug="desk").cases.get(key="one")


def test_each_field_that_states_a_name_leads_to_its_own_rename(case):
    found = rename_urls(case.pack, case, case.document)
    assert set(found) == {
        "/case_key",
        "/payload/place",
        "/inputs/0/key",
        "/expectations/0/key",
        "/expectations/1/key",
    }
    assert found["/inputs/0/key"].endswith(f"?what=input&old=question&back=cases/{case.pk}")


def test_a_name_of_any_letters_fits_an_address(case):
    assert "old=a+%26+%3F%C3%A4" in rename_url(case.pack, Thing("inputs", "a & ?ä"), ref_of(case))
