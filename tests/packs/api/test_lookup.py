import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from packs.api.lookup import etag_of, is_known, require_match
from packs.api.trouble import Refused


def request(**headers):
    return Request(APIRequestFactory().get("/", headers=headers))


@pytest.mark.parametrize("given", ['"3"', 'W/"3"', '"1", "3"', "*"])
def test_the_revision_that_was_read_may_be_edited(given):
    require_match(request(**{"If-Match": given}), 3)


@pytest.mark.parametrize(("given", "status"), [(None, 428), ('"2"', 412), ("3", 412), ("", 412)])
def test_an_edit_must_name_the_present_revision(given, status):
    headers = {} if given is None else {"If-Match": given}
    with pytest.raises(Refused) as refused:
        require_match(request(**headers), 3)
    assert refused.value.status_code == status


def test_what_the_client_has_is_known_by_its_etag():
    assert is_known(request(**{"If-None-Match": f"{etag_of(1)}, {etag_of(2)}"}), etag_of(2))
    assert not is_known(request(), etag_of(2))
