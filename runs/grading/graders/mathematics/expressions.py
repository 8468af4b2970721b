"""Reading plain expressions and working out their numeric value.

Operators + - * / and ^ (right-associative; a unary minus binds tighter, so -2^2 is 4), parentheses, sqrt() and names;
no other function and no implied product (challenge-pack d.3).
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

MAX_NESTING = 60
MAX_EXPONENT = 5_000

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]*)?)(?P<percent>%)?"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign>[-+*/^(){}]))"
)


class BadExpression(ValueError):
    """A text that is no expression."""


@dataclass(frozen=True, slots=True)
class Number:
    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    terms: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Product:
    factors: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Power:
    base: "Expression"
    exponent: "Expression"


Expression = Number | Symbol | Sum | Product | Power

MINUS_ONE = Number(Fraction(-1))
HALF = Number(Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    value: Fraction | None = None


END = _Token("end", "the end")


def _tokens(text: str) -> list[_Token]:
    tokens = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.end() == position:
            raise BadExpression(f"{text[position:].strip()[:1]!r} cannot be read")
        tokens.append(_token(match))
        position = match.end()
    return tokens


def _token(match: re.Match[str]) -> _Token:
    if match["number"]:
        value = _number(match["number"])
        return _Token("number", match["number"], value / 100 if match["percent"] else value)
    if match["name"]:
        return _Token("name", match["name"])
    return _Token("sign", {"{": "(", "}": ")"}.get(match["sign"], match["sign"]))


def _number(text: str) -> Fraction:
    mantissa, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > MAX_EXPONENT:
        raise BadExpression(f"the exponent of {text[:40]} is too large")
    try:
        return Fraction(text)
    except ValueError as error:
        raise BadExpression(f"{text[:40]!r} is not a number") from error


class _Parser:
    """A recursive descent; long chains are read in loops, so that only nesting costs stack."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self._nesting = 0

    def whole(self) -> Expression:
        expression = self._sum()
        if self._next is not END:
            raise BadExpression(f"{self._next.text!r} is not expected")
        return expression

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position] if self._position < len(self._tokens) else END

    def _take(self, signs: str) -> str:
        """The next token's sign when it is one of `signs`, which is then passed; else an empty text."""
        token = self._next
        if token.kind != "sign" or token.text not in signs:
            return ""
        self._position += 1
        return token.text

    def _sum(self) -> Expression:
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise BadExpression("it is nested too deeply")
        terms = [self._product()]
        while sign := self._take("+-"):
            term = self._product()
            terms.append(negated(term) if sign == "-" else term)
        self._nesting -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def _product(self) -> Expression:
        factors = [self._power()]
        while sign := self._take("*/"):
            factor = self._power()
            factors.append(inverted(factor) if sign == "/" else factor)
        return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _power(self) -> Expression:
        chain = [self._unary()]
        while self._take("^"):
            chain.append(self._unary())
        if len(chain) > MAX_NESTING:
            raise BadExpression("it has too many powers of powers")
        power = chain.pop()
        while chain:
            power = Power(chain.pop(), power)
        return power

    def _unary(self) -> Expression:
        minuses = 0
        while sign := self._take("+-"):
            minuses += sign == "-"
        operand = self._primary()
        return negated(operand) if minuses % 2 else operand

    def _primary(self) -> Expression:
        token = self._next
        self._position += 1
        if token.value is not None:
            return Number(token.value)
        if token.kind == "name":
            return self._named(token.text)
        if token.text == "(" and token.kind == "sign":
            return self._closed()
        raise BadExpression(f"{token.text!r} is not expected")

    def _named(self, name: str) -> Expression:
        if not self._take("("):
            return Symbol(name)
        argument = self._closed()
        if name != "sqrt":
            raise BadExpression(f"the function {name[:40]!r} is not known")
        return Power(argument, HALF)

    def _closed(self) -> Expression:
        inside = self._sum()
        if not self._take(")"):
            raise BadExpression("a parenthesis is not closed")
        return inside


def parse(text: str) -> Expression:
    """Read an expression in plain notation. Raises BadExpression."""
    return _Parser(_tokens(text)).whole()


def negated(expression: Expression) -> Expression:
    if isinstance(expression, Number):
        return Number(-expression.value)
    return Product((MINUS_ONE, expression))


def inverted(expression: Expression) -> Expression:
    if isinstance(expression, Number) and expression.value:
        return Number(1 / expression.value)
    return Power(expression, MINUS_ONE)


def evaluate(expression: Expression) -> float:
    """The numeric value, infinite or not a number where arithmetic says so. Raises BadExpression on a name."""
    match expression:
        case Number(value):
            return _as_float(value)
        case Symbol(name):
            raise BadExpression(f"{name[:40]!r} has no numeric value")
        case Sum(terms):
            return sum(evaluate(term) for term in terms)
        case Product(factors):
            return _product(evaluate(factor) for factor in factors)
        case Power(base, exponent):
            return _power(evaluate(base), evaluate(exponent))


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _product(factors: Iterable[float]) -> float:
    result = 1.0
    for factor in factors:
        result *= factor
    return result


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        return math.inf if base == 0 else math.nan
