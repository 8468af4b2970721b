"""Matrices of results with known difficulty and discrimination, for tests of what cases are worth."""

from math import exp

from runs.statistics.items import Matrix


def chance(ability, difficulty, slope):
    """The chance to pass, by the two-parameter logistic model."""
    return 1 / (1 + exp(-slope * (ability - difficulty)))


def generated(rng, agents=9, cases=80, trials=5, never=20, wrong=3):
    """A matrix like a public one of 9 agents by 80 tasks: of its cases the first `never` nobody solves, the next
    `wrong` weaker agents solve more often, and agents get stronger from the first to the last."""
    abilities = [-1.6 + 3.2 * place / max(1, agents - 1) for place in range(agents)]
    rows = []
    for case in range(cases):
        difficulty, slope = rng.gauss(0, 1.2), rng.uniform(0.8, 2)
        if case < never:
            chances = [0.0] * agents
        elif case < never + wrong:
            chances = [chance(ability, 0, -2.5) for ability in abilities]
        else:
            chances = [chance(ability, difficulty, slope) for ability in abilities]
        rows.append([tuple(rng.random() < one for _ in range(trials)) for one in chances])
    return matrix(rows)


def matrix(rows):
    return Matrix([f"agent {at}" for at in range(len(rows[0]))], [f"case {at}" for at in range(len(rows))], rows)


def shuffled(rng, given):
    """The same cases with their cells among other agents: what those had to do with each other is gone."""
    return matrix([rng.sample(list(row), len(row)) for row in given.cells])
