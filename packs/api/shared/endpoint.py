"""What every endpoint of the API holds a request to before it does anything."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from packs.formats.advice import did_you_mean

# The words for yes and no in an address; other than numbers and enumerations they have no shape of their own.
YES, NO = ("true", "1", "yes"), ("false", "0", "no")


class Endpoint(APIView):
    """A view that refuses query parameters which its description does not have: a mistyped filter that is passed over
    in silence would answer with everything."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Sign in, check rights, then the query. Raises ValidationError at each parameter that is not known."""
        super().initial(request, *args, **kwargs)
        known = {parameter.name: parameter for parameter in self.query_of(request.method or "")}
        wrong: dict[str, ValidationError] = {}
        for name in request.query_params:
            if name not in known:
                wrong[name] = unknown("parameter", name, list(known))
            elif trouble := trouble_of(known[name], request.query_params[name]):
                wrong[name] = ValidationError(trouble, code="invalid")
        if wrong:
            raise ValidationError({name: error.detail for name, error in wrong.items()})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say how much is left of the limit on requests, where there is one."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        for name, value in getattr(self, "headers_of_limit", {}).items():
            answer[name] = value
        return answer

    def query_of(self, method: str) -> Iterator[OpenApiParameter]:
        """The query parameters that the description (`extend_schema`) of a method declares."""
        handler = getattr(self, "get" if method == "HEAD" else method.lower(), None)
        schema = getattr(handler, "kwargs", {}).get("schema")
        if schema is None:
            return
        described = schema()
        described.view = self
        for parameter in described.get_override_parameters():
            if parameter.location == OpenApiParameter.QUERY:
                yield parameter


def unknown(what: str, name: str, known: list[str]) -> ValidationError:
    """The refusal of a name that is not known, with the known name that is most like it."""
    advice = did_you_mean(name, known, f"Known: {', '.join(known)}." if known else "None is known here.")
    return ValidationError(f"There is no {what} {name[:100]!r}. {advice}", code=f"unknown_{what}")


def trouble_of(parameter: OpenApiParameter, given: str) -> str:
    """What keeps a value from being what its parameter takes; nothing where it can be, or is left empty."""
    if parameter.type is bool and given and given.lower() not in YES + NO:
        return f"Use {YES[0]} or {NO[0]}, not {given[:100]!r}."
    return ""


def says_yes(request: Request, name: str) -> bool:
    """Whether a parameter of the query that is true or false was given as true."""
    return str(request.query_params.get(name, "")).lower() in YES
