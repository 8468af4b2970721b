import jsonschema_rs

from studio.views.reference import described


def operations():
    return [one for ways in described()["paths"].values() for one in ways.values()]


def test_a_body_has_one_media_type_and_an_example_that_fits():
    wrong = []
    for one in operations():
        for media, content in one.get("requestBody", {"content": {}})["content"].items():
            if media == "application/octet-stream":
                continue
            validator = jsonschema_rs.Draft202012Validator(
                {**content["schema"], "components": described()["components"]}
            )
            examples = content.get("examples", {}).values()
            fits = len(examples) == 1 and all(validator.is_valid(example["value"]) for example in examples)
            if not fits:
                wrong.append((one["operationId"], media, examples))
        if len(one.get("requestBody", {"content": [""]})["content"]) != 1:
            wrong.append(one["operationId"])
    assert wrong == []


def test_an_example_of_an_answer_fits():
    shown = []
    for one in operations():
        for status in ("200", "201"):
            content = one["responses"].get(status, {}).get("content", {}).get("application/json", {})
            for example in content.get("examples", {}).values():
                schema = {**content["schema"], "components": described()["components"]}
                jsonschema_rs.Draft202012Validator(schema).validate(example["value"])
                shown.append(one["operationId"])
    assert {"packs_show", "packs_publish", "runs_summary"} <= set(shown)
