"""Canonical forms: sums and products flattened and sorted, numbers folded exactly.

Like terms are not merged and nothing is multiplied out (challenge-pack d.3).
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from runs.grading.graders.mathematics.expressions import BadExpression, Expression, Number, Power, Product, Sum, Symbol

MAX_EXPONENT = 32
MAX_OPERAND_BITS = 256
# Short texts can state numbers without end, by many powers of ten in one product say.
MAX_FOLDED_BITS = 1_000_000

ZERO = Number(Fraction(0))
ONE = Number(Fraction(1))


def canonical(expression: Expression) -> str:
    """A text that two expressions share when they are equal in symbols. Raises BadExpression for endless numbers."""
    return _key(_canonical(expression))


def _canonical(expression: Expression) -> Expression:
    match expression:
        case Sum(terms):
            return _folded(map(_canonical, terms), Sum, Fraction(0), Fraction.__add__)
        case Product(factors):
            return _folded(map(_canonical, factors), Product, Fraction(1), Fraction.__mul__)
        case Power(base, exponent):
            return _power(_canonical(base), _canonical(exponent))
        case _:
            return expression


def _folded(
    parts: Iterable[Expression],
    kind: type[Sum] | type[Product],
    neutral: Fraction,
    fold: Callable[[Fraction, Fraction], Fraction],
) -> Expression:
    """One sum or product of parts: inner ones of the same kind taken in, their numbers folded into one."""
    number = neutral
    others: list[Expression] = []
    for part in parts:
        for item in _parts_of(part, kind):
            if isinstance(item, Number):
                number = _bounded(fold(number, item.value))
            else:
                others.append(item)
    if kind is Product and number == 0:
        return ZERO
    if number != neutral or not others:
        others.append(Number(number))
    return others[0] if len(others) == 1 else kind(tuple(sorted(others, key=_key)))


def _bounded(number: Fraction) -> Fraction:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_FOLDED_BITS:
        raise BadExpression("its numbers are too long")
    return number


def _parts_of(part: Expression, kind: type[Sum] | type[Product]) -> tuple[Expression, ...]:
    if kind is Sum and isinstance(part, Sum):
        return part.terms
    return part.factors if kind is Product and isinstance(part, Product) else (part,)


def _power(base: Expression, exponent: Expression) -> Expression:
    if isinstance(exponent, Number):
        if exponent.value == 0:
            return ONE
        if exponent.value == 1:
            return base
        if isinstance(base, Number) and _is_exact(base.value, exponent.value):
            return Number(Fraction(base.value ** int(exponent.value)))
    return Power(base, exponent)


def _is_exact(base: Fraction, exponent: Fraction) -> bool:
    """Whether a power stays a fraction of reasonable size."""
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT or (base == 0 and exponent < 0):
        return False
    return max(base.numerator.bit_length(), base.denominator.bit_length()) <= MAX_OPERAND_BITS


def _key(expression: Expression) -> str:
    match expression:
        case Number(value):
            # Hexadecimal, since decimal digits of very long numbers are costly and limited.
            return f"num:{value.numerator:x}/{value.denominator:x}"
        case Symbol(name):
            return f"sym:{name}"
        case Sum(terms):
            return f"add({','.join(map(_key, terms))})"
        case Product(factors):
            return f"mul({','.join(map(_key, factors))})"
        case Power(base, exponent):
            return f"pow({_key(base)},{_key(exponent)})"
