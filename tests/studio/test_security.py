import re

import pytest


def policy_of(client, url):
    return client.get(url).headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_each_answer_has_a_nonce_of_its_own(client):
    nonces = {re.search(r"'nonce-([^']+)'", policy_of(client, "/healthz")).group(1) for _ in range(3)}
    assert len(nonces) == 3


@pytest.mark.django_db
def test_pages_run_no_inline_script(client):
    assert "unsafe" not in policy_of(client, "/healthz")


@pytest.mark.django_db
def test_no_other_site_may_frame_a_page(client):
    assert "frame-ancestors 'none'" in policy_of(client, "/curation/")
