def test_an_unknown_address_is_answered_in_the_studios_own_words(as_author):
    response = as_author.get("/packs/default/no-such-pack/")
    assert response.status_code == 404
    assert 'href="/"' in response.content.decode()


def test_a_form_without_its_token_is_explained(client, author):
    client.handler.enforce_csrf_checks = True
    client.force_login(author)
    response = client.post("/theme/", {"theme": "dark"})
    assert response.status_code == 403
    assert 'href="/"' in response.content.decode()
