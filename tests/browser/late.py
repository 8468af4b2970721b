"""Answers of the server that come when a test lets them go."""

import time

from tests.browser.conftest import TIMEOUT_MS


class Late:
    """Answers to a page, kept in the order in which it asked for them."""

    def __init__(self, page, pattern):
        self.page, self.kept, self.is_over, self.asked = page, [], False, 0
        page.route(pattern, self.keep)

    def keep(self, route):
        if self.is_over:
            route.continue_()
            return
        self.asked += 1
        turn = self.asked
        self.kept.append((turn, route, route.fetch(max_redirects=0, timeout=TIMEOUT_MS)))
        self.kept.sort(key=lambda each: each[0])
        # It may have ended while the server answered.
        if self.is_over:
            self.end()

    def wait(self, words=""):
        """Until an answer is kept, and the newest one holds these words. Fails when it does not come."""
        deadline = time.monotonic() + TIMEOUT_MS / 1000
        while not self.kept or words not in self.kept[-1][2].text():
            assert time.monotonic() < deadline, f"{self.asked} asked, {len(self.kept)} kept, none with {words!r}"
            self.page.wait_for_timeout(20)

    def release(self, at=0):
        _, route, answer = self.kept.pop(at)
        route.fulfill(response=answer)

    def end(self):
        """Let everything go, and keep nothing any more."""
        self.is_over = True
        while self.kept:
            self.release()
