"""Notices: who gets what happened, and the mails and webhooks that carry it."""
