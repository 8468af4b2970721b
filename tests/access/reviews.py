"""What pages and endpoints of reviews need."""

from packs.access import Permission
from tests.access.needs import Need, Place, Row, act, shown
from tests.access.world import World, as_json, ask_review, queue_in

CURATE, READ, REVIEW = Permission.CURATE, Permission.READ, Permission.REVIEW


def run(world: World) -> list[Place]:
    return [{"pk": world.run.pk}]


def asked(world: World) -> list[Place]:
    return [{"pk": ask_review(world).pk}]


def queue(world: World) -> list[Place]:
    return [{"pk": queue_in(world).pk}]


def queued(world: World) -> list[Place]:
    return [{"pk": queue_in(world).requests.get().pk}]


def trial(world: World) -> list[Place]:
    return [{"pk": world.trial.pk}]


def overruling(world: World) -> dict:
    return {"data": {"key": world.trial.grades.first().key, "verdict": "fail", "reason": "It is wrong."}}


ASPECT = {"name": "Right?", "passing": ["yes"]}
REVIEW_PAGES = {
    "runs:agreement": shown(run),
    "runs:reviews": Row({"GET": Need.ACCOUNT}),
    # The pack of the world has no grader that people are asked for, so nobody's review can be taken.
    "runs:review": Row(
        {"GET": READ, "POST": REVIEW},
        asked,
        {"POST": lambda world: {"data": {"comment": "Fine"}}},
        content=frozenset({409}),
    ),
    # Not all reviews are in.
    "runs:review-adjudicate": act(
        CURATE, queued, lambda world: {"data": {"score:Right?": "1"}}, content=frozenset({409})
    ),
    "runs:queue-dispute": shown(queue),
    "runs:correct": act(REVIEW, trial, lambda world: {"data": {"act": "comment", "text": "It is Leeds."}}),
    "runs:overrule": act(REVIEW, trial, overruling),
    "runs:trial-proof": Row(
        {"GET": Permission.READ, "POST": Permission.EDIT},
        trial,
        {"POST": lambda world: {"data": {"name": "wrong"}}},
    ),
    "runs:review-skip": act(REVIEW, queued, lambda world: {"data": {"reason": "I wrote it."}}),
    "runs:queue-new": Row(
        {"GET": REVIEW, "POST": REVIEW},
        run,
        {"POST": lambda world: {"data": {"name": "New", "aspect-0-name": "Right?"}}},
    ),
    "runs:queue": shown(queue),
    "runs:queue-next": shown(queue),
    "runs:queue-close": act(REVIEW, queue),
}
REVIEW_ENDPOINTS = {
    "runs-api:run-agreement": shown(run),
    "runs-api:reviews": Row({"GET": Need.ACCOUNT}, key=REVIEW),
    "runs-api:review": shown(asked),
    "runs-api:review-give": act(
        REVIEW,
        asked,
        lambda world: as_json({"scores": {"overall": 4}}),
        content=frozenset({409}),
    ),
    "runs-api:review-adjudicate": act(
        CURATE, queued, lambda world: as_json({"scores": {"Right?": True}}), content=frozenset({409})
    ),
    "runs-api:run-gold": shown(run),
    # The trial has ended without an answer.
    "runs-api:trial-proof": act(
        Permission.EDIT, trial, lambda world: as_json({"name": "wrong"}), content=frozenset({422})
    ),
    "runs-api:trial-overrule": act(REVIEW, trial, lambda world: as_json(overruling(world)["data"])),
    "runs-api:review-skip": act(REVIEW, queued, lambda world: as_json({"reason": "I wrote it."})),
    "runs-api:run-queues": Row(
        {"GET": READ, "POST": REVIEW}, run, {"POST": lambda world: as_json({"name": "New", "aspects": [ASPECT]})}
    ),
    "runs-api:queue": shown(queue),
    "runs-api:queue-next": act(REVIEW, queue),
    "runs-api:queue-close": act(REVIEW, queue),
}
