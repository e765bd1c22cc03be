"""Tests, as pytest and unittest find and call them. An engine calls them one by one; what they assert is not looked at."""

import inspect
import itertools
import sys

from _jitlens.python import unknown
from unittest import SkipTest, TestCase
from unittest.mock import DEFAULT

# Cases of one test: more of them tell little more.
MOST_CASES = 8


def cases(names, conftests):
    """Functions without arguments, one for each case of each test of a module, in order.

    `names` are pairs of a name and what it stands for; `conftests` such lists of the files beside and above, nearest first.
    """
    if _leave_out(dict(names).get("pytestmark", [])):
        return
    fixtures = {}
    for scope in [*reversed(conftests), names]:
        fixtures.update(_fixtures(scope))
    for name, value in names:
        if inspect.isclass(value):
            if issubclass(value, TestCase):
                yield from _of_test_case(value)
            elif name.startswith("Test"):
                yield from _of_class(value, fixtures)
        elif name.startswith("test") and callable(value) and not _is_fixture(value):
            yield from _of_function(value, lambda value=value: value, fixtures, [])


def _leave_out(marks):
    """Whether marks say that a test is not run, or that it fails."""
    return any(_leaves_out(mark) for mark in (marks if isinstance(marks, (list, tuple)) else [marks]))


def _leaves_out(mark):
    if _name(mark) == "skip":
        return True
    if _name(mark) not in ("skipif", "xfail"):
        return False
    conditions = getattr(mark, "mark", mark).args
    return not conditions or conditions[0] is not False


def _is_skipped(item):
    return any(getattr(item, name, False) for name in ("__unittest_skip__", "__unittest_expecting_failure__"))


def _is_fixture(value):
    return inspect.isfunction(value) and hasattr(value, "_fixture")


def _fixtures(names):
    return {value._fixture.get("name") or name: value for name, value in names if _is_fixture(value)}


def _members(cls):
    return [(name, getattr(cls, name, None)) for name in dir(cls)]


def _of_test_case(cls):
    if _is_skipped(cls) or _leave_out(getattr(cls, "pytestmark", [])):
        return
    prepared = []

    def bind(name):
        def run():
            if not prepared:
                prepared.append(True)
                cls.setUpClass()
            case = cls(name)
            case.setUp()
            getattr(case, name)()
            case.tearDown()

        return run

    for name, value in _members(cls):
        if name.startswith("test") and callable(value) and not _is_skipped(value) and not _leave_out(getattr(value, "pytestmark", [])):
            yield bind(name)


def _of_class(cls, fixtures):
    members = _members(cls)
    fixtures = {**fixtures, **_fixtures(members)}

    def bind(name):
        def bound():
            instance = cls()
            if hasattr(instance, "setup_method"):
                instance.setup_method(*[None][: len(inspect.signature(instance.setup_method).parameters)])
            return getattr(instance, name)

        return bound

    for name, value in members:
        if name.startswith("test") and callable(value):
            yield from _of_function(value, bind(name), fixtures, getattr(cls, "pytestmark", []))


def _of_function(function, bound, fixtures, marks):
    """One function for each case; `bound()` is what is called, `marks` are those of its class."""
    wanted = _parameters(function)
    marks = [*(marks if isinstance(marks, list) else [marks]), *getattr(function, "pytestmark", [])]
    if _leave_out(marks) or _is_skipped(function):
        return
    sets = [_parametrized(mark) for mark in marks if _name(mark) == "parametrize"]
    # Fixtures with parameters, of those that are asked for: one case for each.
    with_params = [name for name in _closure(wanted, fixtures) if fixtures[name]._fixture.get("params")]
    for name in with_params:
        sets.append([{name: param} for param in fixtures[name]._fixture["params"]])

    def bind(chosen):
        def run():
            made = {}
            given = {n: v for n, v in chosen.items() if n not in with_params}
            target = bound()
            arguments = {n: given[n] if n in given else _made(n, fixtures, chosen, made) for n in wanted if n != "self"}
            target(**arguments)

        return run

    for parts in itertools.islice(itertools.product(*sets), MOST_CASES):
        chosen = {}
        for part in parts:
            chosen.update(part)
        yield bind(chosen)


def _name(mark):
    return getattr(getattr(mark, "mark", mark), "name", None)


def _parameters(function):
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    names = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in kinds and p.default is p.empty]
    # Mocks that a decorator makes come first.
    given = sum([one.attribute_name is None and one.new is DEFAULT for one in getattr(function, "patchings", [])])
    first = names[:1] == ["self"]
    return names[:first] + names[first + given :]


def _parametrized(mark):
    mark = getattr(mark, "mark", mark)
    args = [*mark.args, *mark.kwargs.values()]
    names, values = args[0], args[1]
    values = [value for value in values if not _leave_out(getattr(value, "marks", []))]
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    if len(names) == 1:
        return [{names[0]: value[0] if type(value).__name__ == "ParameterSet" else value} for value in values]
    return [dict(zip(names, value)) for value in values]


def _closure(wanted, fixtures):
    """The fixtures that these need, and those that they need."""
    found, waiting = [], list(wanted)
    while waiting:
        name = waiting.pop(0)
        if name in fixtures and name not in found:
            found.append(name)
            waiting.extend(_parameters(fixtures[name]))
    return found


def _made(name, fixtures, chosen, made):
    """What a fixture gives."""
    if name not in fixtures:
        return unknown("", f"the fixture `{name}` of pytest")
    if name not in made:
        made[name] = unknown("", f"the fixture `{name}` asks for itself")
        function = fixtures[name]
        arguments = {}
        for wanted in _parameters(function):
            if wanted == "request":
                arguments[wanted] = sys.modules["pytest"].FixtureRequest(chosen.get(name))
            elif wanted != "self":
                arguments[wanted] = _made(wanted, fixtures, chosen, made)
        if "self" in _parameters(function):
            arguments["self"] = unknown("", "the class of a fixture")
        value = function(**arguments)
        made[name] = next(value) if inspect.isgenerator(value) else value
    return made[name]
