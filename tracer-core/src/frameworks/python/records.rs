//! What named tuples and dataclasses need: constructors with Python's messages, and flags of classes.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{Members, shorter};
use crate::interp::Interp;
use crate::module::{CompareOp, Symbol};
use crate::python::class::Equality;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Instance, Memo, NativeFn, Value};

/// A parameter of a made-up function.
#[derive(Clone)]
struct Param {
    name: Symbol,
    default: Option<Value>,
    factory: Option<Value>,
    keyword_only: bool,
}

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    // shorten(item): gives methods of a class of the standard library, or a function, their shorter ways, and gives it back.
    members.function("shorten", |_, args| {
        let [item] = args.exactly("shorten")?;
        shorter::shorten(&item);
        Ok(item)
    });
    // memoize(wrapper, function, store, counts, most): the wrapper does nothing but keep what calls of the function gave.
    members.function("memoize", |_, args| {
        let [wrapper, function, store, counts, most] = args.exactly("memoize")?;
        if let (Value::Function(wrapper), Value::Function(function), Value::Dict(results), Value::List(counts)) =
            (&wrapper, function, store, counts)
        {
            let most = match most {
                Value::None => Some(None),
                Value::Int(most) => usize::try_from(most).ok().filter(|most| *most > 0).map(Some),
                _ => None,
            };
            if let Some(most) = most {
                // It has one way only.
                let _ = wrapper.memo.set(Box::new(Memo { function, results, counts, most }));
            }
        }
        Ok(wrapper)
    });
    // tuple_new(name, fields, defaults): `__new__` of a named tuple.
    members.function("tuple_new", |it, args| {
        let [name, fields, defaults] = args.exactly("tuple_new")?;
        let function = format!("{}.__new__", name.as_str().unwrap_or_default());
        let (fields, defaults) = (it.to_vec(&fields)?, it.to_vec(&defaults)?);
        let first = fields.len() - defaults.len();
        let params: Vec<Param> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| Param {
                name: Symbol::from(field.as_str().unwrap_or_default()),
                default: i.checked_sub(first).map(|i| defaults[i].clone()),
                factory: None,
                keyword_only: false,
            })
            .collect();
        let positional: Vec<usize> = (0..params.len()).collect();
        let given = if defaults.is_empty() { Value::None } else { Value::tuple(defaults) };
        let new = NativeFn::value("__new__", move |it, mut args| {
            let class = match args.positional.is_empty() {
                true => {
                    return Err(Halt::type_error(format!(
                        "{function}() missing 1 required positional argument: '_cls'"
                    )));
                }
                false => args.positional.remove(0),
            };
            let Value::Class(class) = class else { return Err(Halt::type_error("a class is needed")) };
            let lacks = args.positional.len() + args.keyword.len() < params.len();
            let values = match lacks.then(|| defaults_set(it, &class)).transpose()?.flatten() {
                Some(set) => {
                    let first = params.len().saturating_sub(set.len());
                    let mut params = params.clone();
                    for (i, param) in params.iter_mut().enumerate() {
                        param.default = i.checked_sub(first).and_then(|i| set.get(i).cloned());
                    }
                    bind(it, &function, &params, &positional, args)?
                }
                None => bind(it, &function, &params, &positional, args)?,
            };
            Ok(Value::Instance(Instance::with_payload(class, Value::tuple(values))))
        });
        it.setattr(&new, sym!("__defaults__"), given)?;
        Ok(new)
    });
    // tuple_make(class, items): an instance of a subclass of tuple.
    members.function("tuple_make", |it, args| {
        let [class, items] = args.exactly("tuple_make")?;
        let Value::Class(class) = class else { return Err(Halt::type_error("a class is needed")) };
        Ok(Value::Instance(Instance::with_payload(class, Value::tuple(it.to_vec(&items)?))))
    });
    // tuple_item(i): reads an item; the getter of a property.
    members.function("tuple_item", |it, args| {
        let [index] = args.exactly("tuple_item")?;
        let index = it.index(&index)? as usize;
        Ok(NativeFn::value("itemgetter", move |_, args| match args.positional.first().map(Value::base) {
            Some(Value::Tuple(items)) => Ok(items.get(index).cloned().unwrap_or(Value::None)),
            _ => Err(Halt::unknown("an item of an unknown tuple")),
        }))
    });
    // record_init(function, params, post, frozen): `__init__` of a dataclass. `params` are tuples (name, kind, value, keyword_only,
    // initonly) with kind 0: required, 1: default, 2: factory, 3: factory, no parameter, 4: default, no parameter;
    // `post` says whether to call `__post_init__`, `frozen` whether fields are set past `__setattr__`.
    members.function("record_init", record_init);
    // record_eq(fields): `__eq__` of a dataclass, which compares these.
    members.function("record_eq", |it, args| {
        let [fields] = args.exactly("record_eq")?;
        let fields: Vec<Symbol> = it.to_vec(&fields)?.iter().filter_map(|f| f.as_str().map(Symbol::from)).collect();
        Ok(NativeFn::method("__eq__", move |it, args| {
            let [a, b] = args.exactly("__eq__")?;
            if b.is_unknown() {
                return Ok(b);
            }
            if !Rc::ptr_eq(&it.class_of(&a), &it.class_of(&b)) {
                return Ok(Value::NotImplemented);
            }
            let side = |object: &Value| fields.iter().map(|field| it.getattr(object, *field)).collect::<Step<Vec<_>>>();
            it.compare(CompareOp::Eq, &Value::tuple(side(&a)?), &Value::tuple(side(&b)?))
        }))
    });
    members.function("set_fields", |it, args| {
        let [class, fields] = args.exactly("set_fields")?;
        let fields: Vec<Symbol> = it.to_vec(&fields)?.iter().filter_map(|f| f.as_str().map(Symbol::from)).collect();
        *class_of(&class)?.equality.borrow_mut() = Some(Equality::Fields(fields.into()));
        Ok(Value::None)
    });
    members.function("set_unhashable", |_, args| {
        let [class] = args.exactly("set_unhashable")?;
        *class_of(&class)?.equality.borrow_mut() = Some(Equality::Unhashable);
        Ok(Value::None)
    });
    members.function("set_frozen", |_, args| {
        let [class] = args.exactly("set_frozen")?;
        class_of(&class)?.frozen.set(true);
        crate::python::journal::note_class_change();
        Ok(Value::None)
    });
    // set_plain(object, name, value): sets an attribute past `__setattr__`.
    members.function("set_plain", |_, args| {
        let [object, name, value] = args.exactly("set_plain")?;
        if let (Value::Instance(instance), Some(name)) = (&object, name.as_str()) {
            instance.set(Symbol::from(name), value);
        }
        Ok(Value::None)
    });
}

/// The defaults that the program has set for a named tuple: `K.__new__.__defaults__ = (None, 0)`.
fn defaults_set(it: &Rc<Interp>, class: &Rc<Class>) -> Step<Option<Vec<Value>>> {
    let new = it.getattr(&Value::Class(class.clone()), it.types.names.new)?;
    match it.find_attr(&new, sym!("__defaults__"))? {
        Some(Value::Unknown(unknown)) => Err(Halt::Unknown(unknown.why.clone())),
        Some(Value::Tuple(values)) => Ok(Some(values.to_vec())),
        Some(Value::None) => Ok(Some(Vec::new())),
        _ => Ok(None),
    }
}

fn class_of(value: &Value) -> Step<&Rc<Class>> {
    match value {
        Value::Class(class) => Ok(class),
        _ => Err(Halt::type_error("a class is needed")),
    }
}

/// `self.name = value`; fields of frozen records are set past their `__setattr__`.
fn set_field(it: &Rc<Interp>, instance: &Rc<Instance>, name: Symbol, value: Value, frozen: bool) -> Step<()> {
    let value = match frozen {
        true => value,
        false => match it.set_own_attr(instance, name, value) {
            Ok(()) => return Ok(()),
            Err(value) => value,
        },
    };
    if !frozen && instance.class().lookup_where(it.types.names.setattr).is_some_and(|(_, owner)| !owner.is_builtin()) {
        return it.setattr(&Value::Instance(instance.clone()), name, value);
    }
    instance.set(name, value);
    Ok(())
}

fn record_init(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [function, specs, post, frozen] = args.exactly("record_init")?;
    let frozen = it.truth(&frozen)?;
    let function: Rc<str> = function.as_str().unwrap_or_default().into();
    let post = it.truth(&post)?;
    let mut params = Vec::new();
    let mut hidden = Vec::new();
    let mut initonly = Vec::new();
    for spec in it.to_vec(&specs)? {
        let parts = it.to_vec(&spec)?;
        let [name, kind, value, keyword_only, only] =
            <[Value; 5]>::try_from(parts).map_err(|_| Halt::type_error("five parts"))?;
        let name = Symbol::from(name.as_str().unwrap_or_default());
        let kind = it.index(&kind)?;
        if kind >= 3 {
            hidden.push((name, kind == 3, value));
            continue;
        }
        initonly.push(it.truth(&only)?);
        params.push(Param {
            name,
            default: (kind == 1).then(|| value.clone()),
            factory: (kind == 2).then_some(value),
            keyword_only: it.truth(&keyword_only)?,
        });
    }
    let positional: Vec<usize> = (0..params.len()).filter(|i| !params[*i].keyword_only).collect();
    Ok(NativeFn::method("__init__", move |it, mut args| {
        if args.positional.is_empty() {
            return Err(Halt::type_error(format!("{function}() missing 1 required positional argument: 'self'")));
        }
        let receiver = args.positional.remove(0);
        let values = bind(it, &function, &params, &positional, args)?;
        let Value::Instance(instance) = &receiver else { return Err(Halt::type_error("an instance is needed")) };
        let mut passed = Vec::new();
        // The order of parameters puts keyword-only ones last, that of fields does not matter to anyone here.
        for ((param, value), only) in params.iter().zip(values).zip(&initonly) {
            if *only {
                passed.push(value);
            } else {
                set_field(it, instance, param.name, value, frozen)?;
            }
        }
        for (name, is_factory, value) in &hidden {
            let value = if *is_factory { it.call_with(value, [])? } else { value.clone() };
            set_field(it, instance, *name, value, frozen)?;
        }
        if post {
            it.call_method(&receiver, "__post_init__", passed)?;
        }
        Ok(Value::None)
    }))
}

/// Binds arguments to parameters, with the messages of a Python function that has a receiver in front.
fn bind(
    it: &Rc<Interp>,
    function: &str,
    params: &[Param],
    positional: &[usize],
    args: Args,
) -> Step<SmallVec<[Value; 8]>> {
    let mut values: SmallVec<[Value; 8]> = smallvec![Value::Unbound; params.len()];
    let given = args.positional.len();
    for (name, value) in args.keyword {
        let Some(at) = params.iter().position(|p| p.name == name) else {
            return Err(Halt::type_error(format!("{function}() got an unexpected keyword argument '{name}'")));
        };
        if positional.iter().position(|p| *p == at).is_some_and(|i| i < given) {
            return Err(Halt::type_error(format!("{function}() got multiple values for argument '{name}'")));
        }
        values[at] = value;
    }
    if given > positional.len() {
        let most = positional.len() + 1;
        let optional =
            positional.iter().filter(|i| params[**i].default.is_some() || params[**i].factory.is_some()).count();
        let takes = if optional > 0 { format!("from {} to {most}", most - optional) } else { most.to_string() };
        let s = if most == 1 { "" } else { "s" };
        return Err(Halt::type_error(format!(
            "{function}() takes {takes} positional argument{s} but {} were given",
            given + 1
        )));
    }
    for (at, value) in positional.iter().zip(args.positional) {
        values[*at] = value;
    }
    if !values.iter().any(Value::is_unbound) {
        return Ok(values);
    }
    let mut missing: [Vec<&str>; 2] = Default::default();
    for (param, value) in params.iter().zip(&mut values) {
        if !value.is_unbound() {
            continue;
        }
        if let Some(default) = &param.default {
            *value = default.clone();
        } else if let Some(factory) = &param.factory {
            *value = it.call_with(factory, [])?;
        } else {
            missing[usize::from(param.keyword_only)].push(param.name.as_str());
        }
    }
    for (kind, names) in ["positional", "keyword-only"].into_iter().zip(missing) {
        if !names.is_empty() {
            return Err(Halt::type_error(format!(
                "{function}() missing {} required {kind} argument{}: {}",
                names.len(),
                if names.len() == 1 { "" } else { "s" },
                listed(&names)
            )));
        }
    }
    Ok(values)
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    match &quoted[..] {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
        [] => String::new(),
    }
}
