"""A real headless Chromium against a live server; each test has its own data and its own session."""

import os

import pytest
from django.conf import settings as django_settings
from playwright.sync_api import expect

from packs.views.workbench.outline import MAX_UNFILTERED
from tests.packs.drafts import draft_of, pack_text
from tests.services import BROWSER, StartedStudio

# Playwright runs an event loop in the test's thread; the ORM calls of a test are made between its steps.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Long, for busy machines: a test waits for a condition, never for a time.
TIMEOUT_MS = 300_000
expect.set_options(timeout=TIMEOUT_MS)
# What htmx says of a request that was under way when its page was left.
LEFT_BEHIND = ("htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")


def asked_too_late(message):
    """Whether a page asked for its workers just while its session ended."""
    return "401" in message.text and "/workers/" in f"{message.text} {message.location['url']}"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return browser_type_launch_args | BROWSER


@pytest.fixture(scope="session")
def base_url():
    """Addresses are written out; the plug-in's own fixture of this name warns with this pytest."""
    return ""


@pytest.fixture
def errors():
    """What the page's console and its content policy complained about."""
    return []


@pytest.fixture
def listen(errors):
    """Collect what a page complains about: `listen(page)`."""

    def attach(page):
        def note(message):
            if message.type == "error" and not message.text.startswith(LEFT_BEHIND) and not asked_too_late(message):
                errors.append(message.text)

        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))

    return attach


@pytest.fixture
def new_context(new_context, request):
    """Makes browser contexts whose pages wait as long as everything else does; they are closed after the test."""

    def make(**options):
        context = new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        # Of requests that follow at once on a page's first route, some slip past it.
        if request.node.get_closest_marker("intercepts"):
            context.route("**/nothing/is/here/", lambda route: route.abort())
        return context

    return make


@pytest.fixture
def open_as(live_server, context, listen):
    """A page of the live server as a signed-in user: `open_as(client, "/packs/")`."""

    def open_page(client, path):
        context.add_cookies(
            [
                {
                    "name": django_settings.SESSION_COOKIE_NAME,
                    "value": client.cookies[django_settings.SESSION_COOKIE_NAME].value,
                    "url": live_server.url,
                }
            ]
        )
        shown = context.new_page()
        listen(shown)
        shown.goto(f"{live_server.url}{path}")
        return shown

    return open_page


@pytest.fixture
def open_apart(new_context, live_server, listen):
    """A page in a browser of its own: `open_apart(client, "/packs/")`."""

    def open_page(client, path):
        context = new_context()
        name = django_settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
        shown = context.new_page()
        listen(shown)
        shown.goto(f"{live_server.url}{path}")
        return shown

    return open_page


@pytest.fixture(scope="session")
def studio(tmp_path_factory):
    """A studio as `manage.py up` starts it, with its samples, and with what earlier tests left in it."""
    started = StartedStudio(tmp_path_factory.mktemp("studio") / "data")
    started.wait_for("Packwright is ready")
    started.wait_for_worker()
    yield started
    started.stop()


@pytest.fixture
def draft(transactional_db, team):
    return draft_of(team)


@pytest.fixture
def many(transactional_db, team):
    """A draft with more cases than the outline lists without a filter."""
    return draft_of(team, pack_text(MAX_UNFILTERED + 1))


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()
