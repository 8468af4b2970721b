from tests.runs.queues import begin_run


def test_programs_overrule_and_take_back(team, author, as_author):
    trial = begin_run(team, author, cases=1, answer="It is lost.").trials.get()
    key, address = trial.grades.get().key, f"/api/v1/trials/{trial.pk}/overrule/"

    def post(**data):
        return as_author.post(address, {"key": key, **data}, content_type="application/json")

    done = post(verdict="pass", score=0.75, reason="Nearly.").json()
    assert (done["status"], done["grades"][0]["score"]) == ("passed", 0.75)
    assert post().json()["status"] == "failed"
    assert post().status_code == 409
    assert post(verdict="pass").status_code == 422
    assert post(verdict="perhaps", reason="x").status_code == 400
