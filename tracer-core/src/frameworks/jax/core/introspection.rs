//! What is asked about functions: signatures, names, places.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Members;
use super::identity::{Methods, apart, function_key};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Function, Key, NativeFn, Value};

/// How a parameter takes arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// By position only.
    Position,
    /// By position or by name.
    Either,
    /// The rest of the positional arguments.
    Rest,
    /// By name only.
    Name,
    /// The rest of the named arguments.
    Names,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Symbol,
    /// How it takes arguments.
    pub takes: Takes,
    /// Its default.
    pub default: Option<Value>,
}

/// The parameters of a callable, or none where they cannot be told.
///
/// # Errors
/// What reading attributes raises.
pub fn signature(it: &Rc<Interp>, f: &Value) -> Step<Option<Vec<Param>>> {
    let without_first = |params: Option<Vec<Param>>| {
        params.map(|mut params| {
            if params.first().is_some_and(|p| matches!(p.takes, Takes::Position | Takes::Either)) {
                params.remove(0);
            }
            params
        })
    };
    match f {
        Value::Function(function) => {
            let wrapped = function.attrs.get().and_then(|a| a.read().get(&sym!("__wrapped__")).cloned());
            match wrapped {
                Some(wrapped) => signature(it, &wrapped),
                None => Ok(Some(parameters(function))),
            }
        }
        Value::Method(method) => Ok(without_first(signature(it, &method.function)?)),
        Value::Instance(instance) => {
            if let Some((func, args, keywords)) = partial_parts(it, f)? {
                let Some(params) = signature(it, &func)? else { return Ok(None) };
                return Ok(Some(after_partial(params, args.len(), &keywords)));
            }
            if let Some(wrapped) = instance.get(sym!("__wrapped__")) {
                return signature(it, &wrapped);
            }
            match instance.class().lookup(it.types.names.call) {
                Some(method) => Ok(without_first(signature(it, &method)?)),
                None => Ok(None),
            }
        }
        Value::Class(class) => match class.lookup_where(it.types.names.init) {
            Some((init, owner)) if !owner.is_builtin() => Ok(without_first(signature(it, &init)?)),
            _ => Ok(None),
        },
        Value::Object(object) => match object.clone().getattr(it, sym!("__wrapped__"))? {
            Some(wrapped) => signature(it, &wrapped),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

fn parameters(function: &Rc<Function>) -> Vec<Param> {
    let params = &function.code().params;
    let positional = params.positional as usize;
    let first_default = positional - function.defaults.len().min(positional);
    let mut found = Vec::with_capacity(params.names.len());
    for i in 0..positional {
        let takes = if i < params.positional_only as usize { Takes::Position } else { Takes::Either };
        let default = i.checked_sub(first_default).and_then(|d| function.defaults.get(d)).cloned();
        found.push(Param { name: params.names[i].name, takes, default });
    }
    if let Some(slot) = params.var_positional {
        found.push(Param { name: params.names[slot as usize].name, takes: Takes::Rest, default: None });
    }
    for i in 0..params.keyword_only as usize {
        let default = function.kw_defaults.get(i).filter(|d| !d.is_unbound()).cloned();
        found.push(Param { name: params.names[positional + i].name, takes: Takes::Name, default });
    }
    if let Some(slot) = params.var_keyword {
        found.push(Param { name: params.names[slot as usize].name, takes: Takes::Names, default: None });
    }
    found
}

/// The function, the positional and the named arguments of a `functools.partial`.
pub type PartialParts = (Value, Vec<Value>, Vec<(Symbol, Value)>);

/// The parts of a `functools.partial`.
///
/// # Errors
/// What reading them raises.
pub fn partial_parts(it: &Rc<Interp>, f: &Value) -> Step<Option<PartialParts>> {
    let Value::Instance(instance) = f else { return Ok(None) };
    let is_partial =
        instance.class().mro.borrow().iter().any(|c| c.name.as_str() == "partial" && c.module.as_str() == "functools");
    if !is_partial {
        return Ok(None);
    }
    let part = |name: &str| it.getattr(f, Symbol::from(name));
    let args = it.to_vec(&part("args")?)?;
    let keywords = it.mapping_items(&part("keywords")?)?.unwrap_or_default();
    let keywords = keywords.into_iter().map(|(k, v)| (Symbol::from(k.as_str().unwrap_or_default()), v)).collect();
    Ok(Some((part("func")?, args, keywords)))
}

fn after_partial(params: Vec<Param>, mut given: usize, keywords: &[(Symbol, Value)]) -> Vec<Param> {
    let mut found = Vec::new();
    let mut by_name = false;
    for mut param in params {
        if matches!(param.takes, Takes::Position | Takes::Either) && given > 0 {
            given -= 1;
            continue;
        }
        match keywords.iter().find(|(n, _)| *n == param.name) {
            Some((_, value)) if matches!(param.takes, Takes::Either | Takes::Name) => {
                param.default = Some(value.clone());
                param.takes = Takes::Name;
                by_name = true;
            }
            _ if by_name && param.takes == Takes::Either => param.takes = Takes::Name,
            _ if by_name && param.takes == Takes::Rest => continue,
            _ => {}
        }
        found.push(param);
    }
    found
}

/// What an argument list gives a parameter.
#[derive(Clone, Debug)]
pub enum Bound {
    /// Nothing.
    Missing,
    /// A value.
    One(Value),
    /// The rest of the positional arguments.
    Rest(Vec<Value>),
    /// The rest of the named arguments.
    Names(Vec<(Symbol, Value)>),
}

/// Binds arguments as `inspect.Signature.bind` does; the message of its `TypeError` otherwise.
///
/// # Errors
/// The message.
pub fn bind(params: &[Param], args: &[Value], kwargs: &[(Symbol, Value)]) -> Result<Vec<Bound>, String> {
    let mut given = args.iter();
    let mut left: Vec<(Symbol, Value)> = kwargs.to_vec();
    let mut bound = Vec::with_capacity(params.len());
    for param in params {
        let named =
            |left: &mut Vec<(Symbol, Value)>| left.iter().position(|(n, _)| *n == param.name).map(|i| left.remove(i).1);
        bound.push(match param.takes {
            Takes::Position | Takes::Either => match given.next() {
                Some(value) => {
                    if param.takes == Takes::Either && named(&mut left).is_some() {
                        return Err(format!("multiple values for argument '{}'", param.name));
                    }
                    Bound::One(value.clone())
                }
                None if param.takes == Takes::Either => match named(&mut left) {
                    Some(value) => Bound::One(value),
                    None => Bound::Missing,
                },
                None => Bound::Missing,
            },
            Takes::Rest => Bound::Rest(given.by_ref().cloned().collect()),
            Takes::Name => named(&mut left).map_or(Bound::Missing, Bound::One),
            Takes::Names => Bound::Names(std::mem::take(&mut left)),
        });
    }
    if given.next().is_some() {
        return Err("too many positional arguments".into());
    }
    for (param, bound) in params.iter().zip(&bound) {
        if matches!(bound, Bound::Missing) && param.default.is_none() {
            let kind = if param.takes == Takes::Name { "keyword-only " } else { "" };
            return Err(format!("missing a required {kind}argument: '{}'", param.name));
        }
    }
    match left.first() {
        Some((name, _)) => Err(format!("got an unexpected keyword argument '{name}'")),
        None => Ok(bound),
    }
}

/// The names of the arguments of a call, for messages: one for each positional argument, and for each keyword one.
pub fn argument_names(
    params: Option<&[Param]>,
    args: &[Value],
    kwargs: &[(Symbol, Value)],
) -> (Vec<String>, Vec<String>) {
    let bound = params.filter(|p| bind(p, args, kwargs).is_ok());
    let Some(params) = bound else {
        let positional = (0..args.len()).map(|i| format!("args[{i}]")).collect();
        return (positional, kwargs.iter().map(|(n, _)| format!("kwargs['{n}']")).collect());
    };
    let plain: Vec<&Param> = params.iter().filter(|p| matches!(p.takes, Takes::Position | Takes::Either)).collect();
    let rest = params.iter().find(|p| p.takes == Takes::Rest).map(|p| p.name.to_string()).unwrap_or_default();
    let names = params.iter().find(|p| p.takes == Takes::Names).map(|p| p.name.to_string()).unwrap_or_default();
    let positional = (0..args.len()).map(|i| match plain.get(i) {
        Some(param) => param.name.to_string(),
        None => format!("{rest}[{}]", i - plain.len()),
    });
    let named = |n: &Symbol| params.iter().any(|p| p.name == *n && matches!(p.takes, Takes::Either | Takes::Name));
    let keyword = kwargs.iter().map(|(n, _)| if named(n) { n.to_string() } else { format!("{names}['{n}']") });
    (positional.collect(), keyword.collect())
}

/// The function of Python text behind a callable: what partials, wrappers and methods stand for.
///
/// # Errors
/// What reading attributes raises.
pub fn unwrapped(it: &Rc<Interp>, f: &Value) -> Step<Option<Rc<Function>>> {
    match f {
        Value::Function(function) => {
            let wrapped = function.attrs.get().and_then(|a| a.read().get(&sym!("__wrapped__")).cloned());
            match wrapped {
                Some(wrapped) => unwrapped(it, &wrapped),
                None => Ok(Some(function.clone())),
            }
        }
        Value::Method(method) => unwrapped(it, &method.function),
        Value::Instance(instance) => match partial_parts(it, f)? {
            Some((func, ..)) => unwrapped(it, &func),
            None => match instance.get(sym!("__wrapped__")) {
                Some(wrapped) => unwrapped(it, &wrapped),
                None => Ok(None),
            },
        },
        Value::Object(object) => match object.clone().getattr(it, sym!("__wrapped__"))? {
            Some(wrapped) => unwrapped(it, &wrapped),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

/// `name at path:line`, as in JAX's messages.
///
/// # Errors
/// What reading attributes raises.
pub fn source(it: &Rc<Interp>, f: &Value) -> Step<String> {
    let Some(function) = unwrapped(it, f)? else {
        return Ok(match f {
            Value::Native(native) => native.name.to_string(),
            _ => "<unknown>".into(),
        });
    };
    let unit = &function.unit;
    // Python counts the decorators to the function.
    let decorators = unit.user.then(|| unit.module.decorators_of(function.code)).flatten();
    let start = decorators.and_then(|d| d.first()).map_or(function.code().span, |first| unit.module.span(*first)).start;
    Ok(match it.loader.place(unit.file, start) {
        Some((path, line)) => format!("{} at {path}:{line}", function.name()),
        None => function.name().to_string(),
    })
}

/// `__name__` of a callable, or that of what a partial wraps.
///
/// # Errors
/// What reading attributes raises.
pub fn name(it: &Rc<Interp>, f: &Value) -> Step<Rc<str>> {
    if let Value::Function(function) = f {
        return Ok(function.name().as_str().into());
    }
    if let Some(Value::Str(name)) = it.find_attr(f, sym!("__name__"))? {
        return Ok(name);
    }
    match partial_parts(it, f)? {
        Some((func, ..)) => name(it, &func),
        None => Ok("<unnamed function>".into()),
    }
}

/// Whether a value can be called.
pub fn is_callable(it: &Rc<Interp>, f: &Value) -> bool {
    match f {
        Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_) | Value::Unknown(_) => true,
        Value::Instance(instance) => {
            let class = instance.class();
            class.may_have_more() || class.lookup(it.types.names.call).is_some()
        }
        Value::Object(object) => object.callable(),
        _ => false,
    }
}

/// `repr` for a message.
pub fn shown(it: &Rc<Interp>, value: &Value) -> String {
    let text = it.while_catching(|| it.repr(value)).ok().and_then(|t| t.as_str().map(str::to_owned));
    text.unwrap_or_else(|| match value {
        Value::Function(function) => format!("<function {} at 0x7f0000000000>", function.qualname()),
        other => format!("<{} object>", it.type_name(other)),
    })
}

/// What JAX says of what it cannot transform.
///
/// # Errors
/// `TypeError` for a staticmethod, something that cannot be called or a generator function.
pub fn check_callable(it: &Rc<Interp>, f: &Value) -> Step<()> {
    if let Value::Instance(instance) = f
        && instance.class().root == Root::StaticMethod
    {
        return Err(Halt::type_error(format!("staticmethod arguments are not supported, got {}", shown(it, f))));
    }
    if !is_callable(it, f) {
        let text = it.while_catching(|| it.format_with(f, "")).ok().and_then(|t| t.as_str().map(str::to_owned));
        return Err(Halt::type_error(format!(
            "Expected a callable value, got {}",
            text.unwrap_or_else(|| shown(it, f))
        )));
    }
    let inner = match f {
        Value::Method(method) => &method.function,
        other => other,
    };
    if let Value::Function(function) = inner
        && function.code().is_generator
    {
        return Err(Halt::type_error(format!("Expected a function, got a generator function: {}", shown(it, f))));
    }
    Ok(())
}

/// Positional arguments and keywords in two Python values.
///
/// # Errors
/// Unknown where they are.
pub fn call_parts(it: &Rc<Interp>, args: &Value, kwargs: &Value) -> Step<Args> {
    let mut call = Args::of(it.to_vec(args)?);
    if !kwargs.is_unbound() && !kwargs.is_none() {
        let items = it.mapping_items(kwargs)?.ok_or_else(|| Halt::unknown("keywords that are no mapping"))?;
        call.keyword.extend(items.into_iter().map(|(k, v)| (Symbol::from(k.as_str().unwrap_or_default()), v)));
    }
    Ok(call)
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `check_callable(f)`: TypeError as JAX's for a staticmethod, something not callable or a generator function.
    members.function("check_callable", |it, args| {
        let [f] = args.exactly("check_callable")?;
        check_callable(it, &f)?;
        Ok(Value::None)
    });
    // `parameter_names(f)`: The names of the parameters of a callable, in order, or None where it has no signature.
    members.function("parameter_names", |it, args| {
        let [f] = args.exactly("parameter_names")?;
        Ok(match signature(it, &f)? {
            Some(params) => Value::list(params.iter().map(|p| Value::str(p.name.as_str())).collect()),
            None => Value::None,
        })
    });
    // `positional_argnums(f, names)`: The positions of those parameters of `f` that are positional-or-keyword and in
    // `names`.
    members.function("positional_argnums", |it, args| {
        let [f, names] = args.exactly("positional_argnums")?;
        let names = it.to_vec(&names)?;
        let params = signature(it, &f)?.unwrap_or_default();
        let wanted = |p: &Param| p.takes == Takes::Either && names.iter().any(|n| n.as_str() == Some(p.name.as_str()));
        Ok(Value::list(params.iter().enumerate().filter(|(_, p)| wanted(p)).map(|(i, _)| Value::size(i)).collect()))
    });
    // `bind_arguments(f, args, kwargs)`: The positional arguments of the call, keywords and defaults put in their
    // places; TypeError with Python's message of a failed binding (`missing a required argument: 'x'`), and JAX's when
    // keyword-only ones remain.
    members.function("bind_arguments", |it, args| {
        let [f, args, kwargs] = args.exactly("bind_arguments")?;
        let call = call_parts(it, &args, &kwargs)?;
        let params = match partial_parts(it, &f)? {
            Some(_) => None,
            None => signature(it, &f)?,
        };
        let Some(params) = params else {
            if let Some((name, _)) = call.keyword.first() {
                return Err(Halt::type_error(format!(
                    "The following keyword arguments could not be resolved to positions: {name}"
                )));
            }
            return Ok(Value::tuple(call.positional));
        };
        let bound = bind(&params, &call.positional, &call.keyword).map_err(Halt::type_error)?;
        let mut found = Vec::new();
        let mut unresolved = Vec::new();
        for (param, bound) in params.iter().zip(bound) {
            match (param.takes, bound) {
                (Takes::Name, Bound::One(_)) => unresolved.push(param.name.to_string()),
                (Takes::Name, _) => {}
                (_, Bound::One(value)) => found.push(value),
                (_, Bound::Missing) => found.extend(param.default.clone()),
                (_, Bound::Rest(values)) => found.extend(values),
                (_, Bound::Names(names)) => unresolved.extend(names.iter().map(|(n, _)| n.to_string())),
            }
        }
        if !unresolved.is_empty() {
            return Err(Halt::type_error(format!(
                "The following keyword arguments could not be resolved to positions: {}",
                unresolved.join(", ")
            )));
        }
        Ok(Value::tuple(found))
    });
    // `bound_parameter_names(f, args, kwargs)`: `parameter_names(f)` if the call fits the signature, else None.
    members.function("bound_parameter_names", |it, args| {
        let [f, args, kwargs] = args.exactly("bound_parameter_names")?;
        let call = call_parts(it, &args, &kwargs)?;
        Ok(match signature(it, &f)? {
            Some(params) if bind(&params, &call.positional, &call.keyword).is_ok() => {
                Value::list(params.iter().map(|p| Value::str(p.name.as_str())).collect())
            }
            _ => Value::None,
        })
    });
    // `function_name(f)`: The name by which JAX's messages call `f`: `__name__`, or that of what a partial wraps.
    members.function("function_name", |it, args| {
        let [f] = args.exactly("function_name")?;
        let text = source(it, &f)?;
        Ok(Value::str(text.split(" at ").next().unwrap_or_default()))
    });
    // `function_source(f)`: `name at path:line`, as in JAX's messages.
    members.function("function_source", |it, args| {
        let [f] = args.exactly("function_source")?;
        Ok(Value::from(source(it, &f)?))
    });
    // `cached_by_function(make)`: Decorator of `make(f, *hashable)`: the result is kept as long as the function `f`
    // lives.
    members.function("cached_by_function", |_, args| {
        let [make] = args.exactly("cached_by_function")?;
        let known: RefCell<FxHashMap<Key, Value>> = RefCell::default();
        let methods = Methods::default();
        Ok(NativeFn::value("cached_by_function", move |it, args| {
            if !args.keyword.is_empty() {
                return it.call(&make, args);
            }
            let key = match &args.positional[..] {
                [fun @ (Value::Method(_) | Value::Instance(_))] => {
                    // What was made for a method or an object that is gone went with it.
                    let key = function_key(it, fun)?;
                    if methods.is_gone(&key, fun) {
                        known.borrow_mut().remove(&key);
                    }
                    key
                }
                all => it.key(&Value::tuple(all.iter().cloned()))?,
            };
            if let Some(found) = known.borrow().get(&key) {
                return Ok(found.clone());
            }
            let args = match &args.positional[..] {
                [method @ Value::Method(_)] => Args::of([apart(method)]),
                _ => args,
            };
            let made = it.call(&make, args)?;
            known.borrow_mut().insert(key, made.clone());
            Ok(made)
        }))
    });
    // `dataclass_fields(cls)`: `dataclasses.fields(cls)`.
    members.function("dataclass_fields", |it, args| {
        let [class] = args.exactly("dataclass_fields")?;
        let module = it.import(sym!("dataclasses"))?;
        it.call_with(&it.getattr(&module, sym!("fields"))?, [class])
    });
}
