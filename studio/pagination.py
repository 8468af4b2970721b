"""How the API pages lists."""

import re
from typing import Any

from django.core.exceptions import ValidationError as InvalidValue
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class CursorPages(CursorPagination):
    """Pages in a stable order; `?limit=` up to 200 rows."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-id"

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The rows of a page. Raises ValidationError for a cursor that no page gave."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValueError, InvalidValue) as error:
            if self.cursor_query_param not in request.query_params:
                raise
            message = "This is not a cursor. Take it from `next` or `previous` of another page."
            raise ValidationError({self.cursor_query_param: message}, code="invalid_cursor") from error

    def get_page_size(self, request: Request) -> int | None:
        """Rows of a page. Raises ValidationError for a limit that is no whole number from 1 to the largest page."""
        given = request.query_params.get(self.page_size_query_param, "")
        if given and not (re.fullmatch(r"[0-9]{1,4}", given) and 1 <= int(given) <= self.max_page_size):
            message = f"Give a whole number from 1 to {self.max_page_size}."
            raise ValidationError({self.page_size_query_param: message}, code="invalid_limit")
        return super().get_page_size(request)
