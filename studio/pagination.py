"""How the API pages lists."""

from rest_framework.pagination import CursorPagination


class CursorPages(CursorPagination):
    """Pages in a stable order; `?limit=` up to 200 rows."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-id"
