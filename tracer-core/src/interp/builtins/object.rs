//! `object`, `type`, `property`, `staticmethod`, `classmethod`, `super`; constructors of builtin types.

use std::rc::Rc;

use super::{define, define_method, define_static};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Dict, DictItems, Guess, Instance, Key, ModuleObject, Value};

/// Adds the types and their constructors.
pub fn install(it: &Rc<Interp>) {
    let t = &it.types;
    for class in [
        &t.object,
        &t.type_,
        &t.bool_,
        &t.int,
        &t.float,
        &t.complex,
        &t.str_,
        &t.bytes,
        &t.tuple,
        &t.list,
        &t.dict,
        &t.set,
        &t.frozenset,
        &t.range,
        &t.slice,
        &t.property,
        &t.staticmethod,
        &t.classmethod,
        &t.super_,
        &t.base_exception,
    ] {
        define(it, &class.name, Value::Class((*class).clone()));
    }
    define(it, "NotImplemented", Value::NotImplemented);
    define(it, "Ellipsis", Value::Ellipsis);
    define(it, "__debug__", Value::Bool(true));

    define_static(&t.object, "__new__", object_new);
    define_method(&t.type_, "__instancecheck__", |it, args| {
        let [class, value] = args.exactly("__instancecheck__")?;
        Ok(match (&class, &value) {
            (_, Value::Unknown(unknown)) if unknown.guess == Guess::Any => {
                Value::unknown_of(Guess::Bool, unknown.why.0.clone())
            }
            (Value::Class(class), value) => Value::Bool(it.class_of(value).derives(class)),
            _ => Value::Bool(false),
        })
    });
    define_method(&t.type_, "__subclasscheck__", |_, args| {
        let [class, below] = args.exactly("__subclasscheck__")?;
        Ok(match (&class, &below) {
            (Value::Class(class), Value::Class(below)) => Value::Bool(below.derives(class)),
            _ => Value::Bool(false),
        })
    });
    define_method(&t.object, "__init__", |_, _| Ok(Value::None));
    define_method(&t.object, "__init_subclass__", |_, _| Ok(Value::None));
    define_method(&t.object, "__repr__", |it, args| {
        let [value] = args.exactly("__repr__")?;
        it.object_repr(&value)
    });
    define_method(&t.object, "__str__", |it, args| {
        let [value] = args.exactly("__str__")?;
        it.object_str(&value)
    });
    define_method(&t.object, "__eq__", |_, args| {
        let [a, b] = args.exactly("__eq__")?;
        Ok(if a.is(&b) { Value::Bool(true) } else { Value::NotImplemented })
    });
    define_method(&t.object, "__ne__", |it, args| {
        let [a, b] = args.exactly("__ne__")?;
        match it.equal(&a, &b)? {
            Ok(equal) => Ok(Value::Bool(!equal)),
            Err(why) => Err(Halt::Unknown(why)),
        }
    });
    define_method(&t.object, "__hash__", |it, args| {
        let [value] = args.exactly("__hash__")?;
        let key = match &value {
            // A class that names it as its own: by identity, or by what a builtin base holds.
            Value::Instance(instance) => match instance.payload() {
                Some(payload) => it.key(&payload.clone())?,
                None => Key::by_identity(&value),
            },
            other => it.key(other)?,
        };
        Ok(Value::Int((key.hash >> 3) as i64))
    });
    define_method(&t.object, "__setattr__", |it, args| {
        let [value, name, new] = args.exactly("__setattr__")?;
        let name = attribute_name(&name)?;
        match &value {
            Value::Instance(instance) => it.plain_setattr(instance, name, new)?,
            Value::Class(class) => it.plain_class_setattr(class, name, new),
            other => it.setattr(other, name, new)?,
        }
        Ok(Value::None)
    });
    define_method(&t.object, "__getattribute__", |it, args| {
        let [value, name] = args.exactly("__getattribute__")?;
        let name = attribute_name(&name)?;
        let found = match &value {
            Value::Instance(instance) => match it.plain_instance_attr(instance, name)? {
                None => it.missing_attr(instance, name)?,
                found => found,
            },
            other => it.find_attr(other, name)?,
        };
        found.ok_or_else(|| it.no_attribute(&value, name))
    });
    define_method(&t.object, "__delattr__", |it, args| {
        let [value, name] = args.exactly("__delattr__")?;
        let name = attribute_name(&name)?;
        match &value {
            Value::Instance(instance) => it.plain_delattr(instance, name)?,
            other => it.delattr(other, name)?,
        }
        Ok(Value::None)
    });
    define_method(&t.object, "__format__", |it, args| {
        let [value, spec] = args.exactly("__format__")?;
        let spec = spec.as_str().unwrap_or_default();
        match &value {
            Value::Instance(instance) if let Some(payload) = instance.payload().filter(|_| !spec.is_empty()) => {
                it.format_with(&payload.clone(), spec)
            }
            Value::Instance(_) if spec.is_empty() => it.nested("", || it.str_of(&value)),
            Value::Instance(instance) => Err(Halt::type_error(format!(
                "unsupported format string passed to {}.__format__",
                instance.class().name
            ))),
            other => it.format_with(other, spec),
        }
    });

    define_static(&t.type_, "__new__", type_new);
    define_static(&t.type_, "__prepare__", |_, _| Ok(Value::Dict(Dict::new(DictItems::default()))));
    define_method(&t.type_, "__call__", |it, mut args| {
        let class = if args.positional.is_empty() { Value::None } else { args.positional.remove(0) };
        match class {
            Value::Class(class) => it.instantiate(&class, args),
            _ => Err(Halt::type_error("descriptor '__call__' requires a 'type' object")),
        }
    });

    for class in [&t.staticmethod, &t.classmethod] {
        define_static(class, "__new__", wrapper_new);
    }
    super::define_method(&t.staticmethod, "__call__", |it, mut args| {
        let own = if args.positional.is_empty() { Value::None } else { args.positional.remove(0) };
        let function = it.getattr(&own, sym!("__wrapped__"))?;
        it.call(&function, args)
    });
    define_static(&t.property, "__new__", property_new);
    super::define_method(&t.property, "__init__", property_init);
    define_static(&t.module, "__new__", module_new);
    define_method(&t.module, "__init__", |_, args| {
        let [module, name, doc] = args.bind("module", ["self", "name", "doc"], 2)?;
        if let Value::Instance(instance) = &module {
            instance.set(sym!("__name__"), name);
            instance.set(sym!("__doc__"), if doc.is_unbound() { Value::None } else { doc });
        }
        Ok(Value::None)
    });
    for (name, slot) in [("getter", "fget"), ("setter", "fset"), ("deleter", "fdel")] {
        let method = crate::python::NativeFn::method(name, move |it, args| {
            let [property, function] = args.exactly(name)?;
            let Value::Instance(old) = &property else { return Err(Halt::type_error("not a property")) };
            let new = Instance::new(it.types.property.clone());
            for (name, value) in old.attrs().iter() {
                new.set(*name, value.clone());
            }
            new.set(Symbol::from(slot), function);
            Ok(Value::Instance(new))
        });
        t.property.attrs.write().insert(Symbol::from(name), method);
    }
    define_static(&t.super_, "__new__", |it, args| {
        let mut values = args.positional.into_iter().skip(1);
        match (values.next(), values.next()) {
            (Some(Value::Class(class)), Some(receiver)) => Ok(it.make_super(class, receiver)),
            _ => Err(Halt::raise("RuntimeError", "super(): no arguments")),
        }
    });
    define_method(&t.super_, "__getattribute__", |_, _| Err(Halt::unknown("super")));
}

fn attribute_name(name: &Value) -> Step<Symbol> {
    match name.as_str() {
        Some(name) => Ok(Symbol::from(name)),
        None => Err(Halt::type_error("attribute name must be string")),
    }
}

/// The class in front of a `__new__`'s arguments.
pub fn class_argument(args: &mut Args, what: &str) -> Step<Rc<Class>> {
    if args.positional.is_empty() {
        return Err(Halt::type_error(format!("{what}.__new__(): not enough arguments")));
    }
    match args.positional.remove(0) {
        Value::Class(class) => Ok(class),
        _ => Err(Halt::type_error(format!("{what}.__new__(X): X is not a type object"))),
    }
}

fn object_new(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let class = class_argument(&mut args, "object")?;
    Ok(Value::Instance(Instance::made_at(class, it.standing())))
}

fn type_new(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let meta = class_argument(&mut args, "type")?;
    let metaclass = (!Rc::ptr_eq(&meta, &it.types.type_)).then_some(meta);
    match args.positional.len() {
        1 => Ok(match &args.positional[0] {
            Value::Unknown(unknown) if unknown.guess == Guess::Any => Value::Unknown(unknown.clone()),
            value => Value::Class(it.class_of(value)),
        }),
        3 => {
            let name = attribute_name(&args.positional[0])?;
            let mut bases = Vec::new();
            let mut unknown_base = false;
            for base in it.to_vec(&args.positional[1])? {
                match base {
                    Value::Class(class) => bases.push(class),
                    _ => unknown_base = true,
                }
            }
            let mut attrs = crate::python::Attrs::default();
            for (key, value) in it.mapping_items(&args.positional[2])?.unwrap_or_default() {
                attrs.insert(attribute_name(&key)?, value);
            }
            it.plain_class(name, bases, attrs, metaclass, unknown_base, &args.keyword)
        }
        _ => Err(Halt::type_error("type() takes 1 or 3 arguments")),
    }
}

fn wrapper_new(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let class = class_argument(&mut args, "staticmethod")?;
    let [function] = args.exactly(&class.name.clone())?;
    let instance = Instance::new(class);
    instance.set(it.types.names.func, function.clone());
    instance.set(sym!("__wrapped__"), function);
    Ok(Value::Instance(instance))
}

/// `types.ModuleType(name, doc)`: a module without a file; an instance for a class of the program's.
fn module_new(it: &Rc<Interp>, args: Args) -> Step<Value> {
    match args.positional.split_first() {
        Some((Value::Class(class), rest)) if Rc::ptr_eq(class, &it.types.module) => {
            let given = Args { positional: rest.iter().cloned().collect(), keyword: args.keyword.clone() };
            let [name, doc] = given.bind("module", ["name", "doc"], 1)?;
            let name = name.as_str().unwrap_or_default();
            let members = [(sym!("__doc__"), if doc.is_unbound() { Value::None } else { doc })];
            Ok(Value::Module(ModuleObject::native(name, members.into_iter().collect())))
        }
        Some((Value::Class(class), rest)) => {
            let instance = Instance::new(class.clone());
            if let Some(name @ Value::Str(_)) = rest.first() {
                instance.set(sym!("__name__"), name.clone());
            }
            Ok(Value::Instance(instance))
        }
        _ => Err(Halt::type_error("module.__new__(X): X is not a type object")),
    }
}

/// `super().__init__(fget, …)` of a subclass.
fn property_init(_: &Rc<Interp>, args: Args) -> Step<Value> {
    let [property, parts @ ..] = args.bind("property", ["self", "fget", "fset", "fdel", "doc"], 1)?;
    let Value::Instance(instance) = &property else { return Err(Halt::type_error("not a property")) };
    for (name, value) in ["fget", "fset", "fdel", "__doc__"].into_iter().zip(parts) {
        instance.set(Symbol::from(name), if value.is_unbound() { Value::None } else { value });
    }
    Ok(Value::None)
}

fn property_new(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let class = class_argument(&mut args, "property")?;
    debug_assert_eq!(class.root, Root::Property);
    // A subclass's own `__init__` takes arguments of its own.
    if class.lookup_where(it.types.names.init).is_some_and(|(_, owner)| !owner.is_builtin()) {
        args.keyword.retain(|(name, _)| matches!(name.as_str(), "fget" | "fset" | "fdel" | "doc"));
        args.positional.truncate(4);
    }
    let mut parts = args.bind("property", ["fget", "fset", "fdel", "doc"], 0)?;
    // A property says what its getter says.
    if let [Value::Function(getter), .., doc] = &mut parts
        && doc.is_unbound()
        && !getter.unit.ours
    {
        *doc = it.find_attr(&Value::Function(getter.clone()), sym!("__doc__"))?.unwrap_or(Value::None);
    }
    let instance = Instance::new(class);
    for (name, value) in ["fget", "fset", "fdel", "__doc__"].into_iter().zip(parts) {
        instance.set(Symbol::from(name), if value.is_unbound() { Value::None } else { value });
    }
    Ok(Value::Instance(instance))
}
