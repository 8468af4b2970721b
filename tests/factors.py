"""Second factors for tests."""

from time import time

from studio.second_factor.codes import STEP_SECONDS, new_secret, totp_of
from studio.second_factor.keeping import turn_on


def give_factor(user):
    """Turn a second factor on: its secret, and the recovery codes."""
    secret = new_secret()
    return secret, turn_on(user, secret, step=0)


def code_of(secret, steps=0):
    """What the app shows now, or so many steps later."""
    return totp_of(secret).generate(time() + steps * STEP_SECONDS).decode()


def wrong_code(secret):
    """Six digits that are no code of about now."""
    near = {code_of(secret, steps) for steps in range(-3, 4)}
    return next(code for code in (f"{number:06}" for number in range(10)) if code not in near)
