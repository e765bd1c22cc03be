//! Builtin types as classes.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Attrs, Class, Guess, NativeFn, Value};

/// Names that the interpreter looks up often.
#[allow(missing_docs)]
pub struct Names {
    pub call: Symbol,
    pub new: Symbol,
    pub init: Symbol,
    pub get: Symbol,
    pub set: Symbol,
    pub getattr: Symbol,
    pub getattribute: Symbol,
    pub setattr: Symbol,
    pub delattr: Symbol,
    pub fget: Symbol,
    pub fset: Symbol,
    pub func: Symbol,
    pub thisclass: Symbol,
    pub self_: Symbol,
}

/// The builtin types.
#[allow(missing_docs)]
pub struct Types {
    pub names: Names,
    pub object: Rc<Class>,
    pub type_: Rc<Class>,
    pub none: Rc<Class>,
    pub ellipsis: Rc<Class>,
    pub not_implemented: Rc<Class>,
    pub bool_: Rc<Class>,
    pub int: Rc<Class>,
    pub float: Rc<Class>,
    pub complex: Rc<Class>,
    pub str_: Rc<Class>,
    pub bytes: Rc<Class>,
    pub tuple: Rc<Class>,
    pub list: Rc<Class>,
    pub dict: Rc<Class>,
    pub set: Rc<Class>,
    pub frozenset: Rc<Class>,
    pub range: Rc<Class>,
    pub slice: Rc<Class>,
    pub function: Rc<Class>,
    pub method: Rc<Class>,
    pub native: Rc<Class>,
    pub module: Rc<Class>,
    pub iterator: Rc<Class>,
    /// Those of iterators, by name, as they come to be asked for.
    pub iterators: RefCell<FxHashMap<&'static str, Rc<Class>>>,
    pub generator: Rc<Class>,
    pub coroutine: Rc<Class>,
    pub property: Rc<Class>,
    /// What stands in a class for a name of its `__slots__`.
    pub member: Rc<Class>,
    pub staticmethod: Rc<Class>,
    pub classmethod: Rc<Class>,
    pub super_: Rc<Class>,
    pub base_exception: Rc<Class>,
}

impl Types {
    /// The builtin types, without their members.
    pub fn new() -> Types {
        let object = class("object", &[], Root::Object);
        let of = |name: &str, root| class(name, std::slice::from_ref(&object), root);
        let int = of("int", Root::Int);
        Types {
            names: Names {
                call: sym!("__call__"),
                new: sym!("__new__"),
                init: sym!("__init__"),
                get: sym!("__get__"),
                set: sym!("__set__"),
                getattr: sym!("__getattr__"),
                getattribute: sym!("__getattribute__"),
                setattr: sym!("__setattr__"),
                delattr: sym!("__delattr__"),
                fget: sym!("fget"),
                fset: sym!("fset"),
                func: sym!("__func__"),
                thisclass: sym!("__thisclass__"),
                self_: sym!("__self__"),
            },
            type_: of("type", Root::Type),
            none: of("NoneType", Root::None),
            ellipsis: of("ellipsis", Root::Ellipsis),
            not_implemented: of("NotImplementedType", Root::NotImplemented),
            bool_: class("bool", std::slice::from_ref(&int), Root::Bool),
            int,
            float: of("float", Root::Float),
            complex: of("complex", Root::Complex),
            str_: of("str", Root::Str),
            bytes: of("bytes", Root::Bytes),
            tuple: of("tuple", Root::Tuple),
            list: of("list", Root::List),
            dict: of("dict", Root::Dict),
            set: of("set", Root::Set),
            frozenset: of("frozenset", Root::FrozenSet),
            range: of("range", Root::Range),
            slice: of("slice", Root::Slice),
            function: of("function", Root::Function),
            method: of("method", Root::Method),
            native: of("builtin_function_or_method", Root::Native),
            module: of("module", Root::Module),
            iterator: of("iterator", Root::Iterator),
            iterators: RefCell::default(),
            generator: of("generator", Root::Generator),
            coroutine: of("coroutine", Root::Object),
            property: of("property", Root::Property),
            member: of("member_descriptor", Root::Other),
            staticmethod: of("staticmethod", Root::StaticMethod),
            classmethod: of("classmethod", Root::ClassMethod),
            super_: of("super", Root::Super),
            base_exception: of("BaseException", Root::Exception),
            object,
        }
    }
}

impl Default for Types {
    fn default() -> Self {
        Types::new()
    }
}

/// A builtin class.
pub fn class(name: &str, bases: &[Rc<Class>], root: Root) -> Rc<Class> {
    Class::new(Symbol::from(name), sym!("builtins"), bases.to_vec(), Attrs::default(), root)
        .expect("one base is always in order")
}

/// Builtin functions that are classes in Python.
const NATIVE_CLASSES: [&str; 7] = ["bytearray", "enumerate", "filter", "map", "memoryview", "reversed", "zip"];

impl Interp {
    /// The type of a scalar of unknown value, where it is known.
    pub fn class_of_guess(&self, guess: Guess) -> Option<Rc<Class>> {
        let t = &self.types;
        Some(match guess {
            Guess::Bool => t.bool_.clone(),
            Guess::Int => t.int.clone(),
            Guess::Float => t.float.clone(),
            Guess::Complex => t.complex.clone(),
            Guess::Str => t.str_.clone(),
            Guess::Any => return None,
        })
    }
    /// The class that has what a value does: that of the model, where one stands for a class of a library.
    pub fn model_of(self: &Rc<Self>, value: &Value) -> Rc<Class> {
        match value {
            Value::Instance(instance) => instance.class(),
            other => self.class_of(other),
        }
    }

    /// Whether a value is a builtin function here that is a class in Python.
    pub(super) fn is_native_class(&self, value: &Value) -> bool {
        match value {
            Value::Native(native) => NATIVE_CLASSES.contains(&&*native.name) && self.is_builtin(native.name, value),
            _ => false,
        }
    }

    /// The class that such a function stands for: that of the iterators that it makes, where it makes some.
    pub(super) fn class_of_native(&self, native: &NativeFn) -> Rc<Class> {
        let t = &self.types;
        let name = NATIVE_CLASSES.into_iter().find(|name| *name == &*native.name).unwrap_or_default();
        let named = || match name {
            "bytearray" | "memoryview" => class(name, &[t.object.clone()], Root::Other),
            _ => class(name, &[t.iterator.clone()], Root::Iterator),
        };
        t.iterators.borrow_mut().entry(name).or_insert_with(named).clone()
    }

    /// `type(value)`
    pub fn class_of(self: &Rc<Self>, value: &Value) -> Rc<Class> {
        let t = &self.types;
        match value {
            Value::Unbound | Value::None => t.none.clone(),
            Value::Ellipsis => t.ellipsis.clone(),
            Value::NotImplemented => t.not_implemented.clone(),
            Value::Bool(_) => t.bool_.clone(),
            Value::Int(_) | Value::BigInt(_) => t.int.clone(),
            Value::Float(_) => t.float.clone(),
            Value::Complex(_) => t.complex.clone(),
            Value::Str(_) => t.str_.clone(),
            Value::Bytes(_) => t.bytes.clone(),
            Value::Tuple(_) => t.tuple.clone(),
            Value::List(_) => t.list.clone(),
            Value::Dict(_) => t.dict.clone(),
            Value::Set(_) => t.set.clone(),
            Value::FrozenSet(_) => t.frozenset.clone(),
            Value::Range(_) => t.range.clone(),
            Value::Slice(_) => t.slice.clone(),
            Value::Function(_) => t.function.clone(),
            Value::Method(_) => t.method.clone(),
            Value::Native(_) if self.is_native_class(value) => t.type_.clone(),
            Value::Native(_) => t.native.clone(),
            Value::Class(class) => class.metaclass.clone().unwrap_or_else(|| t.type_.clone()),
            Value::Instance(instance) => instance.class().public(),
            Value::Module(_) => t.module.clone(),
            Value::Iter(iter) if iter.is_generator() => t.generator.clone(),
            Value::Iter(iter) => {
                let named = || class(iter.name, &[t.iterator.clone()], Root::Iterator);
                t.iterators.borrow_mut().entry(iter.name).or_insert_with(named).clone()
            }
            Value::Array(array) => match self.array_hooks() {
                Ok(hooks) => hooks.class(self, array),
                Err(_) => t.object.clone(),
            },
            Value::Object(object) => object.class(self),
            Value::Unknown(unknown) => match unknown.guess {
                Guess::Any => t.object.clone(),
                Guess::Bool => t.bool_.clone(),
                Guess::Int => t.int.clone(),
                Guess::Float => t.float.clone(),
                Guess::Complex => t.complex.clone(),
                Guess::Str => t.str_.clone(),
            },
        }
    }

    /// `type(value).__name__`
    pub fn type_name(&self, value: &Value) -> String {
        match value {
            Value::Iter(iter) => iter.name.to_owned(),
            Value::Object(object) => object.type_name(),
            Value::Array(array) => array.type_name().to_owned(),
            Value::Class(class) => class.metaclass.as_ref().map_or("type".to_owned(), |m| m.name.to_string()),
            Value::Instance(instance) => instance.class().public().name.to_string(),
            Value::None | Value::Unbound => "NoneType".into(),
            Value::Ellipsis => "ellipsis".into(),
            Value::NotImplemented => "NotImplementedType".into(),
            Value::Bool(_) => "bool".into(),
            Value::Int(_) | Value::BigInt(_) => "int".into(),
            Value::Float(_) => "float".into(),
            Value::Complex(_) => "complex".into(),
            Value::Str(_) => "str".into(),
            Value::Bytes(_) => "bytes".into(),
            Value::Tuple(_) => "tuple".into(),
            Value::List(_) => "list".into(),
            Value::Dict(_) => "dict".into(),
            Value::Set(_) => "set".into(),
            Value::FrozenSet(_) => "frozenset".into(),
            Value::Range(_) => "range".into(),
            Value::Slice(_) => "slice".into(),
            Value::Function(_) => "function".into(),
            Value::Method(_) => "method".into(),
            Value::Native(_) => "builtin_function_or_method".into(),
            Value::Module(_) => "module".into(),
            Value::Unknown(_) => "object".into(),
        }
    }

    /// The type's name as Python's own messages print it: with the module for types written in C outside of builtins.
    pub fn operand_type_name(&self, value: &Value) -> String {
        match value {
            Value::Array(array) => array.qualified_type_name().to_owned(),
            Value::Object(object) => object.qualified_type_name(),
            Value::Instance(instance) if is_written_in_c(&instance.class().public()) => {
                let class = instance.class().public();
                format!("{}.{}", class.module, class.name)
            }
            other => self.type_name(other),
        }
    }

    /// `isinstance(value, class)`; the reason where that is not known.
    ///
    /// # Errors
    /// `TypeError` for what is no class.
    pub fn is_instance(self: &Rc<Self>, value: &Value, class: &Value) -> Step<Result<bool, Why>> {
        match class {
            Value::Class(class) => {
                if let Some(meta) = &class.metaclass
                    && let Some((check, owner)) = meta.lookup_where(sym!("__instancecheck__"))
                    && !owner.is_builtin()
                {
                    let (check, first) = self.bind_found(check, &Value::Class(class.clone()), meta)?;
                    let result = self.call_with(&check, first.into_iter().chain([value.clone()]))?;
                    return self.truth_or_unknown(&result);
                }
                if let Value::Unknown(unknown) = value
                    && unknown.guess == Guess::Any
                {
                    return Ok(Err(unknown.why.clone()));
                }
                let own = self.class_of(value);
                if own.derives(class) || self.model_of(value).derives(class) {
                    return Ok(Ok(true));
                }
                if own.may_have_more() {
                    return Ok(Err(Why(format!("`{}` has an unknown base class", own.name).into())));
                }
                // An object may say that it is of another class.
                if let Value::Instance(_) = value
                    && own.lookup_where(sym!("__class__")).is_some_and(|(_, owner)| !owner.is_builtin())
                    && let Value::Class(said) = self.getattr(value, sym!("__class__"))?
                    && said.derives(class)
                {
                    return Ok(Ok(true));
                }
                // A tracer is an instance of `jax.Array`, whose metaclass says so, and its class derives from `object` alone.
                let is_array = |array: &Value| matches!(array, Value::Class(array) if Rc::ptr_eq(array, class));
                let is_traced = matches!(value, Value::Array(array) if array.is_tracer());
                Ok(Ok(is_traced && self.named_classes.borrow().get(&sym!("jax.Array")).is_some_and(is_array)))
            }
            Value::Tuple(classes) => {
                let mut unknown = None;
                for class in classes.iter() {
                    match self.is_instance(value, class)? {
                        Ok(true) => return Ok(Ok(true)),
                        Ok(false) => {}
                        Err(why) => unknown = Some(why),
                    }
                }
                Ok(unknown.map_or(Ok(false), Err))
            }
            Value::Unknown(unknown) => Ok(Err(unknown.why.clone())),
            Value::None => Ok(Ok(value.is_none())),
            // Classes of Python's that are functions here.
            Value::Native(native) if self.is_native_class(class) => Ok(match value {
                Value::Unknown(unknown) if unknown.guess == Guess::Any => Err(unknown.why.clone()),
                Value::Iter(iter) => Ok(iter.name == &*native.name),
                _ => Ok(false),
            }),
            other => {
                if let Some(check) = self.find_attr(other, sym!("__instancecheck__"))? {
                    let result = self.call_with(&check, [value.clone()])?;
                    return self.truth_or_unknown(&result);
                }
                Err(Halt::type_error("isinstance() arg 2 must be a type, a tuple of types, or a union"))
            }
        }
    }
}

/// Whether a class that a model of ours has is written in C in CPython, outside of its builtins.
fn is_written_in_c(class: &Class) -> bool {
    match class.module.as_str() {
        "itertools" | "datetime" => true,
        "collections" => matches!(class.name.as_str(), "deque" | "OrderedDict" | "defaultdict"),
        "types" => class.name.as_str() == "SimpleNamespace",
        "functools" => class.name.as_str() == "partial",
        "numpy" => true,
        _ => false,
    }
}
