//! Methods of lists, tuples, dicts, sets, ranges, slices and generators.

use std::rc::Rc;

use super::{define_change, define_method, direct_method, sorting};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::container::{ITEMS_MOVED, SetItems};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Dict, Guess, Instance, Key, List, NativeFn, Set, Value};

/// Adds the methods.
pub fn install(it: &Rc<Interp>) {
    lists(it);
    tuples(it);
    dicts(it);
    sets(it);
    others(it);
}

fn list_of(value: &Value) -> Step<&List> {
    match value.base() {
        Value::List(list) => Ok(list),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::type_error("descriptor requires a 'list' object")),
    }
}

fn lists(it: &Rc<Interp>) {
    let class = &it.types.list;
    direct_method(class, "append", (2, 2), |_, args| {
        let list = list_of(&args[0])?;
        list.append([args[1].clone()]);
        Ok(Value::None)
    });
    define_change(class, "extend", |it, args| {
        let [list, items] = args.exactly("extend")?;
        it.extend_list(list_of(&list)?, &items)?;
        Ok(Value::None)
    });
    define_change(class, "insert", |it, args| {
        let [list, at, item] = args.exactly("insert")?;
        let list = list_of(&list)?;
        let at = it.index(&at)?;
        if list.vague_before_change().is_none() {
            let behind = list.read().len();
            it.spend_many(behind / ITEMS_MOVED)?;
            let mut items = list.write();
            let len = items.len() as i64;
            let at = if at < 0 { (at + len).max(0) } else { at.min(len) };
            items.insert(at as usize, item);
        }
        Ok(Value::None)
    });
    define_change(class, "pop", |it, args| {
        let [list, at] = args.bind("pop", ["self", "index"], 1)?;
        let list = list_of(&list)?;
        if let Some(why) = list.vague_before_change() {
            return Err(Halt::Unknown(why));
        }
        let at = if at.is_unbound() { -1 } else { it.index(&at)? };
        let len = list.read().len() as i64;
        if len == 0 {
            return Err(Halt::raise("IndexError", "pop from empty list"));
        }
        let at = if at < 0 { at + len } else { at };
        if at < 0 || at >= len {
            return Err(Halt::raise("IndexError", "pop index out of range"));
        }
        it.spend_many((len - at) as usize / ITEMS_MOVED)?;
        Ok(list.write().remove(at as usize))
    });
    define_change(class, "remove", |it, args| {
        let [list, item] = args.exactly("remove")?;
        let list = list_of(&list)?;
        let items = list.read().clone();
        match position(it, &items, &item)? {
            Some(at) => {
                list.write().remove(at);
                Ok(Value::None)
            }
            None if list.vague_before_change().is_some() => Ok(Value::None),
            None => Err(Halt::value_error("list.remove(x): x not in list")),
        }
    });
    define_method(class, "clear", |_, args| {
        let [list] = args.exactly("clear")?;
        list_of(&list)?.set(Vec::new());
        Ok(Value::None)
    });
    define_method(class, "copy", |it, args| {
        let [list] = args.exactly("copy")?;
        let list = list_of(&list)?;
        it.spend_many(list.read().len())?;
        Ok(match list.why_vague() {
            Some(why) => Value::List(List::vague(why)),
            None => Value::list(list.read().clone()),
        })
    });
    define_method(class, "reverse", |it, args| {
        let [list] = args.exactly("reverse")?;
        let list = list_of(&list)?;
        let len = list.read().len();
        it.spend_many(len / ITEMS_MOVED)?;
        list.write().reverse();
        Ok(Value::None)
    });
    define_change(class, "sort", |it, mut args| {
        let key = args.take_keyword("key").filter(|k| !k.is_none());
        let reverse = match args.take_keyword("reverse") {
            Some(reverse) => it.truth(&reverse)?,
            None => false,
        };
        let [list] = args.exactly("sort")?;
        let list = list_of(&list)?;
        if list.why_vague().is_some() {
            return Ok(Value::None);
        }
        let items = list.read().clone();
        match sorting::sort(it, items, key.as_ref(), reverse) {
            Ok(sorted) => list.set(sorted),
            Err(Halt::Unknown(why)) => list.forget(why),
            Err(halt) => return Err(halt),
        }
        Ok(Value::None)
    });
    define_method(class, "index", |it, args| index_of(it, args, "list"));
    define_method(class, "count", count_of);
}

fn position(it: &Rc<Interp>, items: &[Value], item: &Value) -> Step<Option<usize>> {
    for (i, candidate) in items.iter().enumerate() {
        match it.items_equal(candidate, item)? {
            Ok(true) => return Ok(Some(i)),
            Ok(false) => {}
            Err(why) => return Err(Halt::Unknown(why)),
        }
    }
    Ok(None)
}

fn index_of(it: &Rc<Interp>, args: Args, what: &str) -> Step<Value> {
    let [sequence, item, start, stop] = args.bind("index", ["self", "value", "start", "stop"], 2)?;
    let items = it.to_vec(sequence.base())?;
    let clamp = |v: &Value, default: i64| -> Step<usize> {
        let n = items.len() as i64;
        let raw = if v.is_unbound() { default } else { it.index(v)? };
        Ok((if raw < 0 { raw + n } else { raw }).clamp(0, n) as usize)
    };
    let (start, stop) = (clamp(&start, 0)?, clamp(&stop, items.len() as i64)?);
    match position(it, &items[start..stop.max(start)], &item)? {
        Some(at) => Ok(Value::size(at + start)),
        None if what != "tuple" => {
            let text = it.repr(&item)?;
            Err(Halt::value_error(format!("{} is not in {what}", text.as_str().unwrap_or("…"))))
        }
        None => Err(Halt::value_error("tuple.index(x): x not in tuple")),
    }
}

fn count_of(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [sequence, item] = args.exactly("count")?;
    let mut count = 0;
    for candidate in it.to_vec(sequence.base())? {
        match it.items_equal(&candidate, &item)? {
            Ok(equal) => count += equal as i64,
            Err(why) => return Err(Halt::Unknown(why)),
        }
    }
    Ok(Value::Int(count))
}

fn tuples(it: &Rc<Interp>) {
    let class = &it.types.tuple;
    define_method(class, "index", |it, args| index_of(it, args, "tuple"));
    define_method(class, "count", count_of);
}

fn dict_of(value: &Value) -> Step<&Dict> {
    match value.base() {
        Value::Dict(dict) => Ok(dict),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::type_error("descriptor requires a 'dict' object")),
    }
}

/// The view of a dict: a fresh iterable each time it is asked for.
pub(in crate::interp) fn view(it: &Rc<Interp>, dict: &Value, kind: &str) -> Step<Value> {
    let items = dict_of(dict)?;
    if let Some(why) = items.why_vague() {
        // Views of keys and of items compare and combine like sets.
        let class = match kind {
            "keys" => "dict_keys",
            "items" => "dict_items",
            _ => return Ok(Value::List(List::vague(why))),
        };
        return Ok(Value::Instance(Instance::with_payload(view_class(it, class), Value::Set(Set::vague(why)))));
    }
    let read = items.read();
    let view = match kind {
        // Key views compare and combine like sets.
        "keys" => {
            let keys = Value::Set(Set::new(read.keys().cloned().collect()));
            Instance::with_payload(view_class(it, "dict_keys"), keys)
        }
        "values" => Instance::with_payload(view_class(it, "dict_values"), Value::tuple(read.values().cloned())),
        _ => {
            let pairs = read.iter().map(|(k, v)| Value::tuple([k.value.clone(), v.clone()]));
            Instance::with_payload(view_class(it, "dict_items"), Value::tuple(pairs))
        }
    };
    // Who walks it asks whether the dict has still as many items.
    let mapping = Value::Dict(items.clone());
    view.attrs_for(&mapping).insert(sym!("mapping"), mapping);
    Ok(Value::Instance(view))
}

fn view_class(it: &Rc<Interp>, name: &'static str) -> Rc<crate::python::Class> {
    if let Ok(class) = it.named_class(Symbol::from(name)) {
        return class;
    }
    let root = if name == "dict_keys" { crate::python::Root::Set } else { crate::python::Root::Tuple };
    let class = crate::interp::types::class(name, std::slice::from_ref(&it.types.object), root);
    super::special::of_view(&class);
    it.named_classes.borrow_mut().insert(Symbol::from(name), Value::Class(class.clone()));
    class
}

fn dicts(it: &Rc<Interp>) {
    let class = &it.types.dict;
    for name in ["keys", "values", "items"] {
        let method = NativeFn::method(name, move |it, args| {
            let [dict] = args.exactly(name)?;
            view(it, &dict, name)
        });
        class.attrs.write().insert(Symbol::from(name), method);
    }
    direct_method(class, "get", (2, 3), |it, args| {
        if let Value::Dict(dict) = &args[0]
            && let Some(found) = dict.quick_find(&args[1])
        {
            return Ok(found.unwrap_or_else(|| args.get(2).cloned().unwrap_or(Value::None)));
        }
        let default = args.get(2).cloned().unwrap_or(Value::None);
        let items = dict_of(&args[0])?;
        let key = it.key(&args[1])?;
        if let Some(value) = items.read().get(&key) {
            return Ok(value.clone());
        }
        match items.why_vague() {
            Some(why) => Err(Halt::Unknown(why)),
            None => Ok(default),
        }
    });
    define_change(class, "setdefault", |it, args| {
        let [dict, key, default] = args.bind("setdefault", ["self", "key", "default"], 2)?;
        let default = if default.is_unbound() { Value::None } else { default };
        let items = dict_of(&dict)?;
        let key = it.key(&key)?;
        if let Some(value) = items.read().get(&key) {
            return Ok(value.clone());
        }
        if let Some(why) = items.why_vague() {
            return Err(Halt::Unknown(why));
        }
        items.write().insert(key, default.clone());
        Ok(default)
    });
    define_change(class, "pop", |it, args| {
        let [dict, key, default] = args.bind("pop", ["self", "key", "default"], 2)?;
        let items = dict_of(&dict)?;
        let wanted = it.key(&key)?;
        let removed = items.write().shift_remove(&wanted);
        if let Some(value) = removed {
            return Ok(value);
        }
        match (items.why_vague(), default.is_unbound()) {
            (Some(why), _) => Err(Halt::Unknown(why)),
            (None, false) => Ok(default),
            (None, true) => {
                let text = it.repr(&key)?;
                Err(Halt::raise("KeyError", text.as_str().unwrap_or("…")))
            }
        }
    });
    define_change(class, "popitem", |_, args| {
        let [dict] = args.exactly("popitem")?;
        if let Some(why) = dict_of(&dict)?.why_vague() {
            return Err(Halt::Unknown(why));
        }
        match dict_of(&dict)?.write().pop() {
            Some((key, value)) => Ok(Value::tuple([key.value, value])),
            None => Err(Halt::raise("KeyError", "'popitem(): dictionary is empty'")),
        }
    });
    define_change(class, "update", |it, mut args| {
        if args.positional.is_empty() {
            return Err(Halt::type_error("descriptor 'update' of 'dict' object needs an argument"));
        }
        let dict = args.positional.remove(0);
        let items = dict_of(&dict)?;
        for other in &args.positional {
            it.update_dict(items, other)?;
        }
        for (name, value) in args.keyword {
            items.write().insert(Key::str(&name), value);
        }
        Ok(Value::None)
    });
    define_method(class, "clear", |_, args| {
        let [dict] = args.exactly("clear")?;
        dict_of(&dict)?.set(Default::default());
        Ok(Value::None)
    });
    define_method(class, "copy", |it, args| {
        let [dict] = args.exactly("copy")?;
        let items = dict_of(&dict)?;
        it.spend_many(items.read().len())?;
        let copy = Dict::new(items.read().clone());
        if let Some(why) = items.why_vague() {
            copy.forget(why);
        }
        Ok(Value::Dict(copy))
    });
}

fn set_of(value: &Value) -> Step<&Set> {
    match value.base() {
        Value::Set(set) | Value::FrozenSet(set) => Ok(set),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::type_error("descriptor requires a 'set' object")),
    }
}

fn keys_of(it: &Rc<Interp>, values: &Value) -> Step<SetItems> {
    let mut keys = SetItems::default();
    for item in it.to_vec(values)? {
        keys.insert(it.key(&item)?);
    }
    Ok(keys)
}

fn sets(it: &Rc<Interp>) {
    for class in [&it.types.set, &it.types.frozenset] {
        for name in ["union", "intersection", "difference", "symmetric_difference"] {
            let method = NativeFn::method(name, move |it, args| {
                let frozen = matches!(args.positional.first().map(Value::base), Some(Value::FrozenSet(_)));
                let mut values = args.positional.iter();
                let Some(first) = values.next() else { return Err(Halt::type_error("a set is needed")) };
                if let Some(why) = set_of(first)?.why_vague() {
                    let vague = Set::vague(why);
                    return Ok(if frozen { Value::FrozenSet(vague) } else { Value::Set(vague) });
                }
                let mut items = set_of(first)?.read().clone();
                for other in values {
                    let other = keys_of(it, other)?;
                    items = match name {
                        "union" => items.union(&other).cloned().collect(),
                        "intersection" => items.intersection(&other).cloned().collect(),
                        "difference" => items.difference(&other).cloned().collect(),
                        _ => items.symmetric_difference(&other).cloned().collect(),
                    };
                }
                Ok(if frozen { Value::FrozenSet(Set::new(items)) } else { Value::Set(Set::new(items)) })
            });
            class.attrs.write().insert(Symbol::from(name), method);
        }
        for name in ["issubset", "issuperset", "isdisjoint"] {
            let method = NativeFn::method(name, move |it, args| {
                let [set, other] = args.exactly(name)?;
                let other = keys_of(it, &other)?;
                let set = set_of(&set)?;
                if let Some(why) = set.why_vague() {
                    return Ok(Value::unknown_of(Guess::Bool, why.0));
                }
                let set = set.read();
                Ok(Value::Bool(match name {
                    "issubset" => set.is_subset(&other),
                    "issuperset" => set.is_superset(&other),
                    _ => set.is_disjoint(&other),
                }))
            });
            class.attrs.write().insert(Symbol::from(name), method);
        }
        define_method(class, "copy", |_, args| {
            let [set] = args.exactly("copy")?;
            let items = set_of(&set)?;
            let copy = match items.why_vague() {
                Some(why) => Set::vague(why),
                None => Set::new(items.read().clone()),
            };
            Ok(if matches!(set.base(), Value::FrozenSet(_)) { Value::FrozenSet(copy) } else { Value::Set(copy) })
        });
    }
    let class = &it.types.set;
    define_method(class, "add", |it, args| {
        let [set, item] = args.exactly("add")?;
        let set = set_of(&set)?;
        match it.key(&item) {
            Ok(key) => {
                set.write().insert(key);
            }
            Err(Halt::Unknown(why)) => set.forget(why),
            Err(halt) => return Err(halt),
        }
        Ok(Value::None)
    });
    define_change(class, "discard", |it, args| {
        let [set, item] = args.exactly("discard")?;
        let key = it.key(&item)?;
        set_of(&set)?.write().shift_remove(&key);
        Ok(Value::None)
    });
    define_change(class, "remove", |it, args| {
        let [set, item] = args.exactly("remove")?;
        let key = it.key(&item)?;
        let set = set_of(&set)?;
        if !set.write().shift_remove(&key) && set.why_vague().is_none() {
            let text = it.repr(&item)?;
            return Err(Halt::raise("KeyError", text.as_str().unwrap_or("…")));
        }
        Ok(Value::None)
    });
    define_change(class, "pop", |_, args| {
        let [set] = args.exactly("pop")?;
        let set = set_of(&set)?;
        if let Some(why) = set.why_vague() {
            return Err(Halt::Unknown(why));
        }
        let len = set.read().len();
        match len {
            0 => Err(Halt::raise("KeyError", "'pop from an empty set'")),
            1 => Ok(set.write().pop().map_or(Value::None, |k| k.value)),
            _ => {
                set.forget(crate::python::Why("which item a set gives is not defined".into()));
                Err(Halt::unknown("which item a set gives is not defined"))
            }
        }
    });
    define_method(class, "clear", |_, args| {
        let [set] = args.exactly("clear")?;
        set_of(&set)?.set(SetItems::default());
        Ok(Value::None)
    });
    define_change(class, "update", |it, args| {
        let mut values = args.positional.iter();
        let Some(first) = values.next() else { return Ok(Value::None) };
        for other in values {
            let keys = keys_of(it, other)?;
            set_of(first)?.write().extend(keys);
        }
        Ok(Value::None)
    });
    for name in ["intersection_update", "difference_update", "symmetric_difference_update"] {
        let method = NativeFn::method(name, move |it, args| {
            let mut values = args.positional.iter();
            let Some(first) = values.next() else { return Err(Halt::type_error("a set is needed")) };
            let set = set_of(first)?;
            for other in values {
                let other = match keys_of(it, other) {
                    Err(Halt::Unknown(why)) => {
                        set.forget(why);
                        return Ok(Value::None);
                    }
                    other => other?,
                };
                let mut items = set.write();
                match name {
                    "intersection_update" => items.retain(|key| other.contains(key)),
                    "difference_update" => items.retain(|key| !other.contains(key)),
                    _ => {
                        let new: SetItems = items.symmetric_difference(&other).cloned().collect();
                        *items = new;
                    }
                }
            }
            Ok(Value::None)
        });
        class.attrs.write().insert(Symbol::from(name), method);
    }
}

fn property(it: &Rc<Interp>, body: fn(&Rc<Interp>, Args) -> Step<Value>) -> Value {
    let property = Instance::new(it.types.property.clone());
    property.set(it.types.names.fget, NativeFn::value("fget", body));
    Value::Instance(property)
}

fn others(it: &Rc<Interp>) {
    let range = &it.types.range;
    define_method(range, "index", |it, args| index_of(it, args, "range"));
    define_method(range, "count", count_of);
    let parts: [(&str, fn(&Rc<Interp>, Args) -> Step<Value>); 3] = [
        ("start", |_, args| range_part(&args, 0)),
        ("stop", |_, args| range_part(&args, 1)),
        ("step", |_, args| range_part(&args, 2)),
    ];
    for (name, body) in parts {
        range.attrs.write().insert(Symbol::from(name), property(it, body));
        it.types.slice.attrs.write().insert(Symbol::from(name), property(it, body));
    }
    define_method(&it.types.slice, "indices", |it, args| {
        let [slice, len] = args.exactly("indices")?;
        let Value::Slice(parts) = &slice else { return Err(Halt::type_error("a slice is needed")) };
        let len = it.index(&len)?.max(0) as usize;
        let slicing = it.slicing(parts, len)?;
        Ok(Value::tuple([Value::Int(slicing.start), Value::Int(slicing.stop), Value::Int(slicing.step)]))
    });
    for class in [&it.types.iterator, &it.types.generator] {
        define_method(class, "__iter__", |_, args| {
            let [iterator] = args.exactly("__iter__")?;
            Ok(iterator)
        });
        define_method(class, "__next__", |it, args| {
            let [iterator] = args.exactly("__next__")?;
            match it.next(&iterator)? {
                Some(item) => Ok(item),
                None => Err(it.stop_iteration(&iterator)),
            }
        });
    }
    let generator = &it.types.generator;
    direct_method(generator, "send", (2, 2), |it, args| {
        let (generator, value) = (&args[0], &args[1]);
        let Value::Iter(iter) = generator else { return Err(Halt::type_error("a generator is needed")) };
        let send = |g: &mut crate::interp::generator::Generator| match g.started() || value.is_none() {
            true => g.send(it, value.clone()),
            false => Err(Halt::type_error("can't send non-None value to a just-started generator")),
        };
        match iter.with_generator(send, || Ok(None))? {
            Some(item) => Ok(item),
            None => Err(it.stop_iteration(generator)),
        }
    });
    define_method(generator, "throw", |it, args| {
        let Some(Value::Iter(iter)) = args.positional.first() else {
            return Err(Halt::type_error("a generator is needed"));
        };
        let exception = match args.positional.get(2).filter(|v| !v.is_none()).or(args.positional.get(1)) {
            Some(value) => it.exception_from(value)?,
            None => return Err(Halt::type_error("throw expected at least 1 argument, got 0")),
        };
        let again = exception.clone();
        match iter.with_generator(|g| g.throw(it, Box::new(exception)), || Err(Halt::Raise(Box::new(again))))? {
            Some(item) => Ok(item),
            None => Err(it.stop_iteration(&args.positional[0])),
        }
    });
    define_method(generator, "close", |it, args| {
        let Some(Value::Iter(iter)) = args.positional.first() else { return Ok(Value::None) };
        let Halt::Raise(exit) = Halt::raise("GeneratorExit", "") else { return Ok(Value::None) };
        let result = it.while_catching(|| {
            let end = |g: &mut crate::interp::Generator| match g.started() {
                true => g.throw(it, exit),
                false => {
                    g.give_up();
                    Ok(None)
                }
            };
            iter.with_generator(end, || Ok(None))
        });
        match result {
            Err(Halt::Raise(e)) if !it.is_exception(&e, "GeneratorExit") && !it.is_exception(&e, "StopIteration") => {
                Err(Halt::Raise(e))
            }
            Err(Halt::Stop(stop)) => Err(Halt::Stop(stop)),
            Ok(Some(_)) => Err(Halt::raise("RuntimeError", "generator ignored GeneratorExit")),
            _ => Ok(Value::None),
        }
    });
}

fn range_part(args: &Args, at: usize) -> Step<Value> {
    Ok(match args.positional.first() {
        Some(Value::Range(range)) => Value::Int([range.start, range.stop, range.step][at]),
        Some(Value::Slice(parts)) => parts[at].clone(),
        _ => Value::None,
    })
}
