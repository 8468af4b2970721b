"""The tables of allauth. Nothing else of it is in use by itself: no middleware, no signals, no pages."""

from allauth.account.apps import AccountConfig
from allauth.socialaccount.apps import SocialAccountConfig


class Accounts(AccountConfig):  # type: ignore[misc]
    def ready(self) -> None:
        """Ask for no middleware: pages that use allauth tell it the request themselves."""


class Identities(SocialAccountConfig):  # type: ignore[misc]
    def ready(self) -> None:
        """Look for no providers: there is one, which settings describe (`studio.oidc.provider`)."""
