//! Special methods of builtin types by their names: `list.__add__(a, b)`, `super().__or__(other)`.
//!
//! A table says which type has which. What a method does is what the operator does that it implements; where the operator would ask
//! the other side next, it gives `NotImplemented`.

use std::rc::Rc;

use super::{constructors, define_method};
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::interp::operator::{self, Way};
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, NativeFn, Value};

const SEQUENCE: &str = "__getitem__ __len__ __iter__ __contains__";
const CONCATENATED: &str = "__add__ __mul__ __rmul__";
const COMPARED: &str = "__eq__ __ne__ __lt__ __le__ __gt__ __ge__";
const COMBINED: &str = "__and__ __rand__ __or__ __ror__ __sub__ __rsub__ __xor__ __rxor__";
const NUMBER: &str = "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __rpow__ __neg__ \
                      __pos__ __abs__ __bool__ __hash__";
const REAL: &str = "__floordiv__ __rfloordiv__ __mod__ __rmod__ __divmod__ __rdivmod__ __round__";
const BITS: &str =
    "__and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__ __invert__";

/// Adds the special methods of the types that have names.
pub fn install(it: &Rc<Interp>) {
    let t = &it.types;
    let methods: [(&Rc<Class>, &[&'static str]); 11] = [
        (&t.int, &[NUMBER, REAL, BITS, COMPARED]),
        (&t.float, &[NUMBER, REAL, COMPARED]),
        (&t.complex, &[NUMBER, COMPARED]),
        (&t.str_, &[SEQUENCE, CONCATENATED, COMPARED, "__mod__ __rmod__"]),
        (&t.bytes, &[SEQUENCE, CONCATENATED, COMPARED, "__mod__ __rmod__ __hash__"]),
        (&t.list, &[SEQUENCE, CONCATENATED, COMPARED, "__setitem__ __delitem__ __iadd__ __imul__ __reversed__"]),
        (&t.tuple, &[SEQUENCE, CONCATENATED, COMPARED, "__hash__"]),
        (&t.dict, &[SEQUENCE, COMPARED, "__setitem__ __delitem__ __or__ __ror__ __ior__ __reversed__"]),
        (&t.set, &["__len__ __iter__ __contains__", COMBINED, COMPARED, "__iand__ __ior__ __isub__ __ixor__"]),
        (&t.frozenset, &["__len__ __iter__ __contains__ __hash__", COMBINED, COMPARED]),
        (&t.range, &[SEQUENCE, COMPARED, "__reversed__ __bool__ __hash__"]),
    ];
    for (class, names) in methods {
        add(class, names);
    }
    for class in [&t.list, &t.tuple, &t.dict, &t.set, &t.frozenset] {
        let with = constructors::class_method(it, |it, args| {
            let [class, parameters] = args.exactly("__class_getitem__")?;
            it.with_parameters(&class, &parameters)
        });
        class.attrs.write().insert(sym!("__class_getitem__"), with);
    }
    for class in [&t.list, &t.dict, &t.set] {
        class.attrs.write().insert(sym!("__hash__"), Value::None);
    }
    of_objects(&t.object);
}

/// Adds those of a view of a dict.
pub fn of_view(class: &Rc<Class>) {
    add(class, &["__len__ __iter__ __contains__ __reversed__"]);
    if class.root == Root::Set {
        add(class, &[COMBINED, COMPARED]);
    }
}

/// What every object has.
fn of_objects(object: &Rc<Class>) {
    for name in ["__lt__", "__le__", "__gt__", "__ge__"] {
        define_method(object, name, |_, _| Ok(Value::NotImplemented));
    }
    define_method(object, "__dir__", |it, args| call_builtin(it, "dir", args));
    define_method(object, "__sizeof__", |_, _| {
        Ok(Value::unknown_of(crate::python::Guess::Int, "how large an object is in memory"))
    });
    for name in ["__reduce__", "__reduce_ex__", "__getstate__"] {
        define_method(object, name, |_, _| Err(Halt::unknown("how an object is copied or pickled")));
    }
    super::define_static(object, "__subclasshook__", |_, _| Ok(Value::NotImplemented));
}

fn add(class: &Rc<Class>, names: &[&'static str]) {
    for name in names.iter().flat_map(|names| names.split_ascii_whitespace()) {
        let method = method(class, name);
        class.attrs.write().insert(Symbol::from(name), method);
    }
}

/// The method of a type that has this name.
fn method(class: &Rc<Class>, name: &'static str) -> Value {
    if let Some((op, way)) = operator::named(name) {
        return of_two(class, name, move |it, a, b| binary(it, op, way, a, b));
    }
    if let Some(op) = comparison(name) {
        return of_two(class, name, move |it, a, b| compare(it, op, a, b));
    }
    match name {
        "__getitem__" => of_two(class, name, |it, value, index| match value {
            Value::Instance(instance) => it.inner_item(value, instance, index),
            value => it.getitem(value, index),
        }),
        "__contains__" => of_two(class, name, |it, value, item| it.contains(value.base(), item)),
        "__delitem__" => of_two(class, name, |it, value, index| {
            it.delitem(value.base(), index)?;
            Ok(Value::None)
        }),
        "__divmod__" => of_two(class, name, divmod),
        "__rdivmod__" => of_two(class, name, |it, a, b| match numbers_fit(a.base(), b) {
            true => divmod(it, b, a),
            false => Ok(Value::NotImplemented),
        }),
        "__setitem__" => NativeFn::method(name, |it, args| {
            let [value, index, new] = args.exactly("__setitem__")?;
            it.setitem(value.base(), &index, new)?;
            Ok(Value::None)
        }),
        "__round__" => NativeFn::method(name, |it, args| call_builtin(it, "round", args)),
        "__len__" => of_one(class, name, |it, value| Ok(Value::size(it.len(value)?))),
        "__iter__" => of_one(class, name, |it, value| it.iterate(value)),
        "__bool__" => of_one(class, name, |it, value| Ok(Value::Bool(it.truth(value)?))),
        "__neg__" => of_one(class, name, |it, value| it.unary(UnaryOp::Neg, value)),
        "__pos__" => of_one(class, name, |it, value| it.unary(UnaryOp::Pos, value)),
        "__invert__" => of_one(class, name, |it, value| it.unary(UnaryOp::Invert, value)),
        "__abs__" => of_one(class, name, |it, value| call_builtin(it, "abs", Args::of([value.clone()]))),
        "__hash__" => of_one(class, name, |it, value| call_builtin(it, "hash", Args::of([value.clone()]))),
        "__reversed__" => of_one(class, name, |it, value| call_builtin(it, "reversed", Args::of([value.clone()]))),
        _ => unreachable!("{name} has an operator"),
    }
}

/// A method of the builtin value that the receiver is or holds.
fn of_one(class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, &Value) -> Step<Value>) -> Value {
    let class = Rc::downgrade(class);
    NativeFn::method(name, move |it, args| {
        let [value] = args.exactly(name)?;
        check_receiver(it, class.upgrade(), name, &value)?;
        body(it, value.base())
    })
}

/// A method of the receiver and another value.
fn of_two(
    class: &Rc<Class>,
    name: &'static str,
    body: impl Fn(&Rc<Interp>, &Value, &Value) -> Step<Value> + 'static,
) -> Value {
    let class = Rc::downgrade(class);
    NativeFn::method(name, move |it, args| {
        let [value, other] = args.exactly(name)?;
        check_receiver(it, class.upgrade(), name, &value)?;
        body(it, &value, &other)
    })
}

fn check_receiver(it: &Rc<Interp>, class: Option<Rc<Class>>, name: &str, value: &Value) -> Step<()> {
    match class {
        Some(class) if !value.base().is_unknown() && !it.class_of(value).derives(&class) => Err(Halt::type_error(
            format!("descriptor '{name}' requires a '{}' object but received a '{}'", class.name, it.type_name(value)),
        )),
        _ => Ok(()),
    }
}

fn call_builtin(it: &Rc<Interp>, name: &str, args: Args) -> Step<Value> {
    let function = it.builtins.borrow().get(&Symbol::from(name)).cloned();
    it.call(&function.unwrap_or(Value::None), args)
}

fn divmod(it: &Rc<Interp>, a: &Value, b: &Value) -> Step<Value> {
    match numbers_fit(a.base(), b) {
        true => call_builtin(it, "divmod", Args::of([a.base().clone(), b.base().clone()])),
        false => Ok(Value::NotImplemented),
    }
}

/// Whether the number `b` is one that the type of `a` works with.
fn numbers_fit(a: &Value, b: &Value) -> bool {
    match (a, Number::of(b)) {
        (_, None) => b.is_unknown(),
        (Value::Complex(_), Some(_)) => true,
        (Value::Float(_), Some(number)) => !matches!(number, Number::Complex(_)),
        (_, Some(number)) => matches!(number, Number::Int(_) | Number::Big(_)),
    }
}

fn binary(it: &Rc<Interp>, op: BinaryOp, way: Way, a: &Value, b: &Value) -> Step<Value> {
    let (own, other) = (a.base(), b.base());
    let fits = match own {
        _ if own.is_unknown() || other.is_unknown() => true,
        // Whatever they are given they try, and say themselves what they do not take.
        Value::Str(_) | Value::Bytes(_) if way == Way::Reflected && op == BinaryOp::Mod => {
            std::mem::discriminant(own) == std::mem::discriminant(other)
        }
        Value::Str(_) | Value::Bytes(_) | Value::List(_) | Value::Tuple(_) => {
            if op == BinaryOp::Mul {
                it.index(other)?;
            }
            true
        }
        Value::Dict(_) => way == Way::InPlace || matches!(other, Value::Dict(_)),
        Value::Set(_) | Value::FrozenSet(_) => matches!(other, Value::Set(_) | Value::FrozenSet(_)),
        _ => numbers_fit(own, other),
    };
    match way {
        _ if !fits => Ok(Value::NotImplemented),
        Way::InPlace => {
            it.in_place(op, own, other)?;
            Ok(a.clone())
        }
        Way::Reflected if op != BinaryOp::Mul => it.binary(op, other, own),
        _ => it.binary(op, own, other),
    }
}

fn comparison(name: &str) -> Option<CompareOp> {
    Some(match name {
        "__eq__" => CompareOp::Eq,
        "__ne__" => CompareOp::NotEq,
        "__lt__" => CompareOp::Lt,
        "__le__" => CompareOp::LtE,
        "__gt__" => CompareOp::Gt,
        "__ge__" => CompareOp::GtE,
        _ => return None,
    })
}

fn compare(it: &Rc<Interp>, op: CompareOp, a: &Value, b: &Value) -> Step<Value> {
    let (own, other) = (a.base(), b.base());
    let is_ordered = !matches!(op, CompareOp::Eq | CompareOp::NotEq);
    let fits = match own {
        _ if own.is_unknown() || other.is_unknown() => true,
        Value::Dict(_) | Value::Range(_) | Value::Complex(_) if is_ordered => false,
        Value::Set(_) | Value::FrozenSet(_) => matches!(other, Value::Set(_) | Value::FrozenSet(_)),
        _ if Number::of(own).is_some() => numbers_fit(own, other),
        _ => std::mem::discriminant(own) == std::mem::discriminant(other),
    };
    if fits { it.compare(op, own, other) } else { Ok(Value::NotImplemented) }
}
