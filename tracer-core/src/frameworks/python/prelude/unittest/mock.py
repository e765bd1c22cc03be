"""Objects that stand in for others, and note how they are called."""

import builtins
import functools
import importlib
import inspect
import os

from _jitlens.python import unknown

FILTER_DIR = True


class _Sentinel:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"sentinel.{self.name}"


class _Sentinels:
    def __init__(self):
        self.__dict__["_made"] = {}

    def __getattr__(self, name):
        if name == "__bases__":
            raise AttributeError(name)
        return self._made.setdefault(name, _Sentinel(name))


sentinel = _Sentinels()
DEFAULT = sentinel.DEFAULT
_MISSING = sentinel.MISSING


class _Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return "<ANY>"


ANY = _Any()


class _Call(tuple):
    """A call: what was called, where that matters, and its arguments."""

    def __new__(cls, value=(), name="", parent=None, two=False, from_kall=True):
        args, kwargs = (), {}
        for part in value:
            if isinstance(part, str):
                name = part
            elif isinstance(part, dict):
                kwargs = part
            else:
                args = tuple(part)
        return tuple.__new__(cls, (args, kwargs) if two else (name, args, kwargs))

    def __init__(self, value=(), name=None, parent=None, two=False, from_kall=True):
        self._mock_name = name
        self._mock_parent = parent

    @property
    def args(self):
        return self[-2]

    @property
    def kwargs(self):
        return self[-1]

    def _parts(self):
        return tuple(self) if len(self) == 3 else ("", *self)

    def __eq__(self, other):
        if not isinstance(other, tuple) or len(other) not in (1, 2, 3) and not isinstance(other, _Call):
            return NotImplemented
        mine, theirs = self._parts(), _Call(other)._parts() if not isinstance(other, _Call) else other._parts()
        if mine[0] and theirs[0] and mine[0] != theirs[0]:
            return False
        return mine[1:] == theirs[1:]

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = None

    def __call__(self, /, *args, **kwargs):
        name = self._mock_name
        return _Call(("" if name is None else name, args, kwargs), "()" if name is None else name + "()", self)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        own = self._mock_name
        return _Call(name=name if own is None else f"{own}.{name}", parent=self)

    def count(self, /, *args, **kwargs):
        return self.__getattr__("count")(*args, **kwargs)

    def index(self, /, *args, **kwargs):
        return self.__getattr__("index")(*args, **kwargs)

    def __repr__(self):
        name, args, kwargs = self._parts()
        name = "call" + ("" if not name else name if name.startswith("()") else "." + name)
        return _signature(name, args, kwargs)


def _signature(name, args, kwargs):
    return f"{name}({', '.join([repr(a) for a in args] + [f'{k}={v!r}' for k, v in kwargs.items()])})"


call = _Call(name=None)
call._mock_name = None
_PLAIN = ("return_value", "side_effect", "called", "call_count", "call_args", "call_args_list", "mock_calls", "method_calls")
_MISSPELLED = ("assert", "assret", "asert", "aseert", "assrt")


class NonCallableMock:
    # Each has a class of its own, which may be given special methods.
    def __new__(cls, *args, **kwargs):
        return object.__new__(type(cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": cls.__module__}))

    def __init__(
        self, spec=None, wraps=None, name=None, spec_set=None, side_effect=None, return_value=DEFAULT, parent=None,
        _spec_state=None, _new_name="", _new_parent=None, _spec_as_instance=False, _eat_self=None, unsafe=False, **kwargs,
    ):
        own = self.__dict__
        own["_mock_children"] = {}
        own["_mock_name"] = name
        own["_mock_new_name"] = _new_name or name or ""
        own["_mock_parent"] = parent
        own["_mock_new_parent"] = parent if _new_parent is None else _new_parent
        own["_mock_wraps"] = wraps
        own["_mock_unsafe"] = unsafe
        own["_mock_sealed"] = False
        own["_mock_return_value"] = return_value
        own["_mock_side_effect"] = None
        self._mock_add_spec(spec if spec_set is None else spec_set, spec_set is not None)
        self._forget()
        self.side_effect = side_effect
        if kwargs:
            self.configure_mock(**kwargs)

    def _mock_add_spec(self, spec, is_strict):
        own = self.__dict__
        own["_spec_class"] = None
        if spec is not None and not isinstance(spec, (list, tuple)):
            own["_spec_class"] = spec if isinstance(spec, type) else type(spec)
            spec = dir(spec)
        own["_mock_methods"] = spec
        own["_spec_set"] = is_strict

    def mock_add_spec(self, spec, spec_set=False):
        self._mock_add_spec(spec, spec_set)

    @property
    def __class__(self):
        return type(self) if self._spec_class is None else self._spec_class

    def _forget(self):
        own = self.__dict__
        own["_mock_called"] = False
        own["_mock_call_count"] = 0
        own["_mock_call_args"] = None
        own["_mock_call_args_list"] = []
        own["_mock_mock_calls"] = []
        own["_mock_method_calls"] = []

    called = property(lambda self: self._mock_called, lambda self, value: self.__dict__.update(_mock_called=value))
    call_count = property(lambda self: self._mock_call_count, lambda self, value: self.__dict__.update(_mock_call_count=value))
    call_args = property(lambda self: self._mock_call_args, lambda self, value: self.__dict__.update(_mock_call_args=value))
    call_args_list = property(
        lambda self: self._mock_call_args_list, lambda self, value: self.__dict__.update(_mock_call_args_list=value)
    )
    mock_calls = property(lambda self: self._mock_mock_calls, lambda self, value: self.__dict__.update(_mock_mock_calls=value))
    method_calls = property(lambda self: self._mock_method_calls, lambda self, value: self.__dict__.update(_mock_method_calls=value))

    @property
    def return_value(self):
        if self._mock_return_value is DEFAULT:
            self.__dict__["_mock_return_value"] = self._child("()")
        return self._mock_return_value

    @return_value.setter
    def return_value(self, value):
        self.__dict__["_mock_return_value"] = value
        self._adopt(value, "()")

    @property
    def side_effect(self):
        return self._mock_side_effect

    @side_effect.setter
    def side_effect(self, value):
        is_many = value is not None and not callable(value) and not isinstance(value, BaseException)
        self.__dict__["_mock_side_effect"] = iter(value) if is_many else value

    def _child(self, name, /, **options):
        if self._mock_sealed:
            raise AttributeError(f"Cannot set {self._full_name()}.{name}")
        return self._get_child_mock(_new_parent=self, _new_name=name, **options)

    def _get_child_mock(self, /, **kwargs):
        # The program's own class is the first that is not made for one object.
        cls = type(self).__mro__[1]
        if issubclass(cls, NonCallableMock) and not issubclass(cls, CallableMixin):
            cls = MagicMock if issubclass(cls, NonCallableMagicMock) else Mock
        elif issubclass(cls, PropertyMock):
            cls = MagicMock
        return cls(**kwargs)

    def _adopt(self, value, name):
        if isinstance(value, NonCallableMock) and value._mock_new_parent is None and not value._mock_name and value is not self:
            is_attribute = name != "()" and not name.startswith("__")
            value.__dict__.update(_mock_new_parent=self, _mock_new_name=name)
            if is_attribute:
                value.__dict__.update(_mock_parent=self, _mock_name=name)

    def __getattr__(self, name):
        if name in ("_mock_methods", "_mock_unsafe", "_mock_children", "_mock_sealed"):
            raise AttributeError(name)
        if self._mock_methods is not None:
            if name not in self._mock_methods:
                raise AttributeError(f"Mock object has no attribute {name!r}")
        elif name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if not self._mock_unsafe and (self._mock_methods is None or name not in self._mock_methods) and name.startswith(_MISSPELLED):
            raise AttributeError(
                f"{name!r} is not a valid assertion. Use a spec for the mock if {name!r} is meant to be an attribute."
            )
        if name not in self._mock_children:
            made = self._child(name, parent=self, name=name)
            if self._mock_wraps is not None:
                made.__dict__["_mock_wraps"] = getattr(self._mock_wraps, name)
            self._mock_children[name] = made
        if self._mock_children[name] is _MISSING:
            raise AttributeError(name)
        return self._mock_children[name]

    def __setattr__(self, name, value):
        if name in _PLAIN or name in self.__dict__ or name in ("_mock_methods", "_spec_class"):
            return object.__setattr__(self, name, value)
        if self._spec_set and self._mock_methods is not None and name not in self._mock_methods:
            raise AttributeError(f"Mock object has no attribute '{name}'")
        if name == "__class__":
            self.__dict__["_spec_class"] = value
        elif name.startswith("__") and name.endswith("__"):
            is_plain = inspect.isfunction(value)
            setattr(type(self), name, value if is_plain or not isinstance(value, NonCallableMock) else _Kept(value))
            self._adopt(value, name)
        else:
            self._adopt(value, name)
            object.__setattr__(self, name, value)

    def __delattr__(self, name):
        if name in self.__dict__:
            object.__delattr__(self, name)
        elif self._mock_children.get(name) is _MISSING:
            raise AttributeError(name)
        self._mock_children[name] = _MISSING

    def __dir__(self):
        return sorted([*(self._mock_methods or ()), *self._mock_children, *dir(type(self))])

    def attach_mock(self, mock, attribute):
        mock.__dict__["_mock_parent"] = mock.__dict__["_mock_new_parent"] = None
        mock.__dict__["_mock_name"] = ""
        setattr(self, attribute, mock)

    def configure_mock(self, /, **kwargs):
        for path, value in sorted(kwargs.items(), key=lambda item: item[0].count(".")):
            target = self
            *steps, last = path.split(".")
            for step in steps:
                target = getattr(target, step)
            setattr(target, last, value)

    def reset_mock(self, visited=None, *, return_value=False, side_effect=False):
        self._forget()
        if return_value:
            self.__dict__["_mock_return_value"] = DEFAULT
        if side_effect:
            self.__dict__["_mock_side_effect"] = None
        for child in [*self._mock_children.values(), self._mock_return_value]:
            if isinstance(child, NonCallableMock) and child is not self:
                child.reset_mock(return_value=return_value, side_effect=side_effect)

    def _full_name(self):
        parts, at = [], self
        while at is not None:
            parts.insert(0, at._mock_new_name or at._mock_name or "mock")
            at = at._mock_new_parent
        text = parts[0]
        for part in parts[1:]:
            text += part if part == "()" else "." + part
        return text

    def __repr__(self):
        return f"<{type(self).__name__} name={self._full_name()!r} id='{id(self)}'>"

    def _note(self, args, kwargs):
        own = self.__dict__
        own["_mock_called"] = True
        own["_mock_call_count"] = self._mock_call_count + 1
        own["_mock_call_args"] = noted = _Call((args, kwargs), two=True)
        self._mock_call_args_list.append(noted)
        self._mock_mock_calls.append(_Call(("", args, kwargs)))
        # Calls of special methods, and of what calls give, are no calls of methods.
        name, at, is_method, method = self._mock_new_name, self._mock_new_parent, self._mock_parent is not None, self._mock_name
        while at is not None:
            if is_method:
                at._mock_method_calls.append(_Call((method, args, kwargs)))
                is_method = at._mock_parent is not None
                method = f"{at._mock_name}.{method}"
            at._mock_mock_calls.append(_Call((name, args, kwargs)))
            if at._mock_new_name:
                name = at._mock_new_name + ("" if name.startswith("()") else ".") + name
            at = at._mock_new_parent

    def _called_name(self):
        return self._mock_name or (self._mock_new_name if self._mock_new_name != "()" else "") or "mock"

    def assert_not_called(self):
        if self.call_count:
            raise AssertionError(
                f"Expected '{self._called_name()}' to not have been called. Called {self.call_count} times.\nCalls: {self.mock_calls!r}."
            )

    def assert_called(self):
        if not self.call_count:
            raise AssertionError(f"Expected '{self._called_name()}' to have been called.")

    def assert_called_once(self):
        if self.call_count != 1:
            calls = f"\nCalls: {self.mock_calls!r}." if self.call_count else ""
            raise AssertionError(
                f"Expected '{self._called_name()}' to have been called once. Called {self.call_count} times.{calls}"
            )

    def assert_called_with(self, /, *args, **kwargs):
        expected = _signature(self._called_name(), args, kwargs)
        if self.call_args is None:
            raise AssertionError(f"expected call not found.\nExpected: {expected}\n  Actual: not called.")
        if self.call_args != _Call((args, kwargs), two=True):
            actual = _signature(self._called_name(), *self.call_args)
            raise AssertionError(f"expected call not found.\nExpected: {expected}\n  Actual: {actual}")

    def assert_called_once_with(self, /, *args, **kwargs):
        if self.call_count != 1:
            calls = f"\nCalls: {self.mock_calls!r}." if self.call_count else ""
            raise AssertionError(f"Expected '{self._called_name()}' to be called once. Called {self.call_count} times.{calls}")
        return self.assert_called_with(*args, **kwargs)

    def assert_any_call(self, /, *args, **kwargs):
        if _Call((args, kwargs), two=True) not in self.call_args_list:
            raise AssertionError(f"{_signature(self._called_name(), args, kwargs)} call not found")

    def assert_has_calls(self, calls, any_order=False):
        calls, there = list(calls), list(self.mock_calls)
        if any_order:
            missing = []
            for one in calls:
                if one in there:
                    there.remove(one)
                else:
                    missing.append(one)
            if missing:
                raise AssertionError(f"{self._called_name()!r} does not contain all of {tuple(missing)!r} in its call list, found {there!r} instead")
        elif not any([there[at : at + len(calls)] == calls for at in range(len(there) - len(calls) + 1)]):
            raise AssertionError(f"Calls not found.\nExpected: {calls!r}\n  Actual: {there!r}")


class _Kept:
    """A mock in the place of a special method."""

    def __init__(self, mock):
        self.mock = mock

    def __get__(self, instance, owner=None):
        return self.mock


class CallableMixin(NonCallableMock):
    def __call__(self, /, *args, **kwargs):
        self._note(args, kwargs)
        effect = self._mock_side_effect
        if effect is not None:
            if isinstance(effect, BaseException) or isinstance(effect, type) and issubclass(effect, BaseException):
                raise effect
            if callable(effect):
                result = effect(*args, **kwargs)
            else:
                result = next(effect)
                if isinstance(result, BaseException) or isinstance(result, type) and issubclass(result, BaseException):
                    raise result
            if result is not DEFAULT:
                return result
        if self._mock_return_value is not DEFAULT:
            return self._mock_return_value
        if self._mock_wraps is not None:
            return self._mock_wraps(*args, **kwargs)
        return self.return_value


class Mock(CallableMixin):
    pass


class _Magic:
    """A special method of which each object has a mock of its own, once it is asked for."""

    def __init__(self, name, make):
        self.name = name
        self.make = make

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.name not in instance._mock_children:
            made = instance._child(self.name)
            if self.make is not None:
                made.return_value = self.make(instance)
            instance._mock_children[self.name] = made
        return instance._mock_children[self.name]


class _MagicIteration(_Magic):
    """Each iteration begins anew."""

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.name not in instance._mock_children:
            made = instance._child(self.name)

            def again():
                items = made.__dict__["_mock_return_value"]
                return iter([]) if items is DEFAULT else iter(items)

            made.side_effect = again
            instance._mock_children[self.name] = made
        return instance._mock_children[self.name]


class _Magics:
    __lt__ = _Magic("__lt__", lambda mock: NotImplemented)
    __gt__ = _Magic("__gt__", lambda mock: NotImplemented)
    __le__ = _Magic("__le__", lambda mock: NotImplemented)
    __ge__ = _Magic("__ge__", lambda mock: NotImplemented)
    __int__ = _Magic("__int__", lambda mock: 1)
    __index__ = _Magic("__index__", lambda mock: 1)
    __float__ = _Magic("__float__", lambda mock: 1.0)
    __complex__ = _Magic("__complex__", lambda mock: 1j)
    __bool__ = _Magic("__bool__", lambda mock: True)
    __len__ = _Magic("__len__", lambda mock: 0)
    __contains__ = _Magic("__contains__", lambda mock: False)
    __exit__ = _Magic("__exit__", lambda mock: False)
    __iter__ = _MagicIteration("__iter__", None)
    __enter__ = _Magic("__enter__", None)
    __getitem__ = _Magic("__getitem__", None)
    __setitem__ = _Magic("__setitem__", None)
    __delitem__ = _Magic("__delitem__", None)
    __neg__ = _Magic("__neg__", None)
    __pos__ = _Magic("__pos__", None)
    __abs__ = _Magic("__abs__", None)
    __invert__ = _Magic("__invert__", None)
    __add__ = _Magic("__add__", None)
    __radd__ = _Magic("__radd__", None)
    __sub__ = _Magic("__sub__", None)
    __rsub__ = _Magic("__rsub__", None)
    __mul__ = _Magic("__mul__", None)
    __rmul__ = _Magic("__rmul__", None)
    __matmul__ = _Magic("__matmul__", None)
    __rmatmul__ = _Magic("__rmatmul__", None)
    __truediv__ = _Magic("__truediv__", None)
    __rtruediv__ = _Magic("__rtruediv__", None)
    __floordiv__ = _Magic("__floordiv__", None)
    __rfloordiv__ = _Magic("__rfloordiv__", None)
    __mod__ = _Magic("__mod__", None)
    __rmod__ = _Magic("__rmod__", None)
    __pow__ = _Magic("__pow__", None)
    __rpow__ = _Magic("__rpow__", None)
    __and__ = _Magic("__and__", None)
    __or__ = _Magic("__or__", None)


class NonCallableMagicMock(_Magics, NonCallableMock):
    pass


class MagicMock(_Magics, Mock):
    pass


class PropertyMock(Mock):
    def __get__(self, obj, obj_type=None):
        return self()

    def __set__(self, obj, val):
        self(val)


def AsyncMock(*args, **kwargs):
    return unknown("", "a mock of a coroutine")


def create_autospec(spec, *args, **kwargs):
    return unknown("", "a mock with the signatures of what it stands for")


ThreadingMock = AsyncMock


def seal(mock):
    mock.__dict__["_mock_sealed"] = True
    for child in mock._mock_children.values():
        if isinstance(child, NonCallableMock):
            seal(child)


def mock_open(mock=None, read_data=""):
    return unknown("", "a mock of a file")


def _imported(path):
    name, *steps = path.split(".")
    found = importlib.import_module(name)
    for step in steps:
        name += "." + step
        if not hasattr(found, step):
            importlib.import_module(name)
        found = getattr(found, step)
    return found


class _patch:
    _active = []

    def __init__(self, find, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs):
        if new_callable is not None and new is not DEFAULT:
            raise ValueError("Cannot use 'new' and 'new_callable' together")
        self.find = find
        self.attribute = attribute
        self.new = new
        self.spec = spec if spec_set is None else spec_set
        self.create = create
        self.autospec = autospec
        self.new_callable = new_callable
        self.kwargs = kwargs
        self.attribute_name = None
        self.others = []

    def _made(self, original):
        if self.new is not DEFAULT:
            return self.new
        if self.autospec is not None and self.autospec is not False:
            return unknown("", "a mock with the signatures of what it stands for")
        if self.new_callable is not None:
            return self.new_callable(**self.kwargs)
        if inspect.iscoroutinefunction(original):
            return unknown("", "a mock of a coroutine")
        spec = original if self.spec is True else self.spec
        return MagicMock(name=self.attribute, **({} if spec is None else {"spec": spec}), **self.kwargs)

    def __enter__(self):
        self.target = target = self.find()
        is_own = self.attribute in getattr(target, "__dict__", {})
        original = target.__dict__[self.attribute] if is_own else getattr(target, self.attribute, DEFAULT)
        is_builtin = inspect.ismodule(target) and hasattr(builtins, self.attribute)
        if original is DEFAULT and not self.create and not is_builtin:
            raise AttributeError(f"{target} does not have the attribute {self.attribute!r}")
        new = self._made(original)
        self.before = (is_own, original)
        if target is builtins:
            # What Python finds there is not asked of the module.
            return unknown("", "what stands in for a builtin")
        setattr(target, self.attribute, new)
        given = {self.attribute_name: new} if self.attribute_name is not None else None
        for other in self.others:
            made = other.__enter__()
            if given is not None and other.new is DEFAULT:
                given[other.attribute_name] = made
        return new if given is None else given

    def __exit__(self, *error):
        for other in reversed(self.others):
            other.__exit__(*error)
        is_own, original = self.before
        if self.target is builtins:
            return False
        if is_own:
            setattr(self.target, self.attribute, original)
        else:
            delattr(self.target, self.attribute)
            if not self.create and original is not DEFAULT and not hasattr(self.target, self.attribute):
                setattr(self.target, self.attribute, original)
        return False

    def start(self):
        new = self.__enter__()
        self._active.append(self)
        return new

    def stop(self):
        if self in self._active:
            self._active.remove(self)
            return self.__exit__(None, None, None)

    def copy(self):
        made = _patch(self.find, self.attribute, self.new, self.spec, self.create, None, self.autospec, self.new_callable, self.kwargs)
        made.attribute_name = self.attribute_name
        made.others = [other.copy() for other in self.others]
        return made

    def __call__(self, function):
        if isinstance(function, type):
            for name in dir(function):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(function, name)):
                    setattr(function, name, self.copy()(getattr(function, name)))
            return function
        if inspect.iscoroutinefunction(function):
            return unknown("", "a coroutine that is patched")
        if hasattr(function, "patchings"):
            function.patchings.append(self)
            return function

        @functools.wraps(function)
        def patched(*args, **kwargs):
            entered = []
            try:
                for one in patched.patchings:
                    new = one.__enter__()
                    entered.append(one)
                    if one.attribute_name is not None:
                        kwargs.update(new)
                    elif one.new is DEFAULT:
                        args += (new,)
                return function(*args, **kwargs)
            finally:
                for one in reversed(entered):
                    one.__exit__(None, None, None)

        patched.patchings = [self]
        return patched


def patch(
    target, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, *, unsafe=False, **kwargs
):
    path, dot, attribute = target.rpartition(".")
    if not dot or not path:
        raise TypeError(f"Need a valid target to patch. You supplied: {target!r}")
    return _patch(lambda: _imported(path), attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)


def _patch_object(
    target, attribute, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, *, unsafe=False, **kwargs
):
    if isinstance(target, str):
        raise TypeError(f"{target!r} must be the actual object to be patched, not a str")
    return _patch(lambda: target, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)


def _patch_multiple(target, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, **kwargs):
    find = (lambda: _imported(target)) if isinstance(target, str) else (lambda: target)
    if not kwargs:
        raise ValueError("Must supply at least one keyword argument with patch.multiple")
    made = []
    for attribute, new in kwargs.items():
        one = _patch(find, attribute, new, spec, create, spec_set, autospec, new_callable, {})
        one.attribute_name = attribute
        made.append(one)
    first, *first.others = made
    return first


def _entries(table):
    # Of the environment, what the program has set.
    return dict(dict.items(table)) if table is os.environ else {key: table[key] for key in table}


def _clear(table):
    for key in _entries(table):
        del table[key]


class _patch_dict:
    def __init__(self, in_dict, values=(), clear=False, **kwargs):
        self.in_dict = in_dict
        self.values = {**dict(values), **kwargs}
        self.clear = clear

    def __enter__(self):
        if isinstance(self.in_dict, str):
            self.in_dict = _imported(self.in_dict)
        self.before = _entries(self.in_dict)
        if self.clear:
            _clear(self.in_dict)
        for key, value in self.values.items():
            self.in_dict[key] = value
        return self.in_dict

    def __exit__(self, *error):
        _clear(self.in_dict)
        for key, value in self.before.items():
            self.in_dict[key] = value
        return False

    start = __enter__

    def stop(self):
        return self.__exit__(None, None, None)

    def __call__(self, function):
        if isinstance(function, type):
            for name in dir(function):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(function, name)):
                    setattr(function, name, _patch_dict(self.in_dict, self.values, self.clear)(getattr(function, name)))
            return function

        @functools.wraps(function)
        def patched(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return patched


def _stop_all():
    for one in list(reversed(_patch._active)):
        one.stop()


patch.object = _patch_object
patch.multiple = _patch_multiple
patch.dict = _patch_dict
patch.stopall = _stop_all
patch.TEST_PREFIX = "test"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`unittest.mock.{name}` is not modelled")
