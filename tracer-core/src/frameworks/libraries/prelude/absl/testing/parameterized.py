"""Tests with parameters: the first sets of each are run."""

from absl.testing import absltest
from unittest._run import MOST_CASES


class TestCase(absltest.TestCase):
    pass


def _with(cases):
    def decorate(function):
        def run(self):
            for case in list(cases)[:MOST_CASES]:
                if isinstance(case, dict):
                    function(self, **{k: v for k, v in case.items() if k != "testcase_name"})
                elif isinstance(case, (tuple, list)):
                    function(self, *(case[1:] if cases is not None and named and isinstance(case[0], str) else case))
                else:
                    function(self, case)

        return run

    named = False
    return decorate


def parameters(*cases):
    return _with(list(cases[0]) if len(cases) == 1 and not isinstance(cases[0], (dict, tuple, str)) and hasattr(cases[0], "__iter__") else cases)


def named_parameters(*cases):
    if len(cases) == 1 and not isinstance(cases[0], (dict, tuple, str)) and hasattr(cases[0], "__iter__"):
        cases = list(cases[0])
    return _with([c if isinstance(c, dict) else tuple(c[1:]) for c in cases])


def product(*sequences, **choices):
    import itertools

    sequences = [*sequences, *([{name: value} for value in values] for name, values in choices.items())]
    merged = []
    for parts in itertools.product(*sequences):
        case = {}
        for part in parts:
            case.update(part)
        merged.append(case)
    return _with(merged)
