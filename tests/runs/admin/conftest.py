"""Staff of both sorts."""

from tests.packs.admin.conftest import as_superuser, curator, superuser

__all__ = ["as_superuser", "curator", "superuser"]
