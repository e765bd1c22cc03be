//! What a program can ask about itself, and values that are not known.

use std::rc::Rc;

use super::Members;
use crate::interp::{Effect, Event, Interp};
use crate::module::Symbol;
use crate::python::halt::{Halt, Stopped};
use crate::python::{Guess, Value, journal};

/// Adds the functions.
pub(super) fn members(it: &Rc<Interp>, members: &mut Members) {
    // unknown(kind, why): a value that is not known, of a type that is ("int", "float", "str", "bool", "").
    members.function("unknown", |_, args| {
        let [kind, why] = args.exactly("unknown")?;
        let guess = match kind.as_str().unwrap_or_default() {
            "int" => Guess::Int,
            "float" => Guess::Float,
            "str" => Guess::Str,
            "bool" => Guess::Bool,
            "complex" => Guess::Complex,
            _ => Guess::Any,
        };
        Ok(Value::unknown_of(guess, why.as_str().unwrap_or("not known")))
    });
    // is_installed(name): whether there is such a module; None where that is not known.
    members.function("is_installed", |it, args| {
        let [name] = args.exactly("is_installed")?;
        let Some(name) = name.as_str() else { return Ok(Value::None) };
        let package = name.split('.').next().unwrap_or_default();
        if it.modules.borrow().contains_key(&name.into()) || it.loader.has(name) {
            return Ok(Value::Bool(true));
        }
        Ok(if it.loader.lacks(package) { Value::Bool(false) } else { Value::None })
    });
    // called_again(functions): they are called as often as nobody knows; what they change is not known any more.
    members.function("called_again", |it, args| {
        let [functions] = args.exactly("called_again")?;
        it.lose_functions(&it.to_vec(&functions)?);
        Ok(Value::None)
    });
    // version_of(distribution): the version that the environment has; None where that is not known.
    members.function("version_of", |it, args| {
        let [name] = args.exactly("version_of")?;
        let version = name.as_str().and_then(|name| it.loader.version(name));
        Ok(version.map_or(Value::None, |version| Value::str(&version)))
    });
    // left_out(name): notes that an argument of the command line that has no default is `None`.
    members.function("left_out", |it, args| {
        let [name] = args.exactly("left_out")?;
        it.left_out.borrow_mut().push(Symbol::from(name.as_str().unwrap_or_default()));
        Ok(Value::None)
    });
    // standing(): the names of the program's functions that run, outermost first.
    members.function("standing", |it, _| {
        Ok(Value::tuple(it.user_stack.borrow().iter().map(|(_, name)| Value::str(name.as_str()))))
    });
    members.function("is_unknown", |_, args| {
        let [value] = args.exactly("is_unknown")?;
        Ok(Value::Bool(value.is_unknown()))
    });
    // note_cached(cache, result, function): a cache keeps the result of a function.
    members.function("note_cached", |it, args| {
        let [cache, result, function] = args.exactly("note_cached")?;
        it.note_cached(&cache, &result, &function);
        Ok(Value::None)
    });
    // note_warning(category, message): a library warns.
    members.function("note_warning", |it, args| {
        let [category, message] = args.exactly("note_warning")?;
        if let (Some(category), Some(message)) = (category.as_str(), message.as_str())
            && !journal::speculating()
            && let Some((site, _)) = it.user_stack.borrow().last()
        {
            let (category, message) = (category.to_owned(), message.to_owned());
            it.events.note(Event::Warned { site: *site, category, message });
        }
        Ok(Value::None)
    });
    // awaited(coroutine): what it returns.
    members.function("awaited", |it, args| {
        let [coroutine] = args.exactly("awaited")?;
        it.awaited(&coroutine)
    });
    // impure(kind): notes that something is asked of the machine, or done to it.
    members.function("impure", |it, args| {
        let [kind] = args.exactly("impure")?;
        let effect = match kind.as_str() {
            Some("clock") => Effect::Clock,
            // Not a clock that durations are told by.
            Some("date") if !it.effects_trace() => return Ok(Value::None),
            Some("date") => Effect::Clock,
            Some("random") => Effect::Random,
            Some("environment") => Effect::Environment,
            Some("log") => Effect::Log,
            Some("file") => Effect::File,
            Some("saved") => Effect::Saved,
            Some("output") => Effect::Output,
            Some("network") => Effect::Network,
            Some("process") => Effect::Process,
            _ => return Err(Halt::value_error("impure: not an effect")),
        };
        it.note_effect(effect);
        Ok(Value::None)
    });
    // printed(text): notes what is written to the program's output.
    members.function("printed", |it, args| {
        let [text] = args.exactly("printed")?;
        it.note_printed(&text)?;
        Ok(Value::None)
    });
    // wrote(container, once): notes that a function of ours writes to a container of the program's.
    members.function("wrote", |it, args| {
        let [container, once] = args.exactly("wrote")?;
        it.note_written(&container, matches!(once, Value::Bool(true)));
        Ok(Value::None)
    });
    // vague_list(why), vague_dict(why): containers of which nothing is known.
    members.function("vague_list", |_, args| {
        let [why] = args.exactly("vague_list")?;
        let why = crate::python::Why(why.as_str().unwrap_or("not known").into());
        Ok(Value::List(crate::python::List::vague(why)))
    });
    members.function("vague_dict", |_, args| {
        let [why] = args.exactly("vague_dict")?;
        let why = crate::python::Why(why.as_str().unwrap_or("not known").into());
        Ok(Value::Dict(crate::python::Dict::vague(why)))
    });
    // handles(function): whether an exception may end in it, as far as its text tells.
    members.function("handles", |_, args| {
        let [function] = args.exactly("handles")?;
        let Value::Function(function) = &function else { return Ok(Value::Bool(true)) };
        let (unit, code) = function.body();
        Ok(Value::Bool(unit.module.code(code).handles))
    });
    // may_be_over(iterator): whether it cannot tell any more where it is.
    members.function("may_be_over", |_, args| {
        let [iterator] = args.exactly("may_be_over")?;
        Ok(Value::Bool(matches!(&iterator, Value::Iter(iter) if iter.sample().is_some())))
    });
    // handled(): the exception that is being handled, or None.
    members.function("handled", |it, args| {
        let [] = args.exactly("handled")?;
        Ok(it.handled_instance()?.unwrap_or(Value::None))
    });
    members.function("stop", |_, _| Err(Halt::Stop(Stopped::Exit)));
    // parameters(function): tuples (name, kind, default, annotation) with the kinds of `inspect.Parameter`.
    members.function("parameters", |it, args| {
        let [function] = args.exactly("parameters")?;
        let Value::Function(function) = &function else { return Ok(Value::None) };
        let params = &function.code().params;
        let positional = params.positional as usize;
        let first_default = positional - function.defaults.len().min(positional);
        let annotations = it.getattr(&Value::Function(function.clone()), "__annotations__".into())?;
        let named = positional + params.keyword_only as usize;
        let row = |name: &str, kind: i64, default: Value| {
            let annotation = match &annotations {
                Value::Dict(dict) => dict.read().get(&crate::python::Key::str(name)).cloned(),
                _ => None,
            };
            let has_default = !default.is_unbound();
            Value::tuple([
                Value::str(name),
                Value::Int(kind),
                Value::Bool(has_default),
                if has_default { default } else { Value::None },
                Value::Bool(annotation.is_some()),
                annotation.unwrap_or(Value::None),
            ])
        };
        let mut rows = Vec::new();
        for (i, param) in params.names[..positional].iter().enumerate() {
            let kind = if i < params.positional_only as usize { 0 } else { 1 };
            let default = i.checked_sub(first_default).and_then(|d| function.defaults.get(d)).cloned();
            rows.push(row(&param.name, kind, default.unwrap_or(Value::Unbound)));
        }
        let slot_name = |slot: u32| params.names.get(slot as usize).map(|p| p.name);
        if let Some(name) = params.var_positional.and_then(slot_name) {
            rows.push(row(&name, 2, Value::Unbound));
        }
        for (i, param) in params.names[positional..named].iter().enumerate() {
            rows.push(row(&param.name, 3, function.kw_defaults.get(i).cloned().unwrap_or(Value::Unbound)));
        }
        if let Some(name) = params.var_keyword.and_then(slot_name) {
            rows.push(row(&name, 4, Value::Unbound));
        }
        Ok(Value::list(rows))
    });
    let t = &it.types;
    for (name, class) in [
        ("FunctionType", &t.function),
        ("MethodType", &t.method),
        ("BuiltinFunctionType", &t.native),
        ("ModuleType", &t.module),
        ("GeneratorType", &t.generator),
        ("NoneType", &t.none),
        ("EllipsisType", &t.ellipsis),
        ("NotImplementedType", &t.not_implemented),
        ("IteratorType", &t.iterator),
    ] {
        members.value(name, Value::Class(class.clone()));
    }
    members.function("modules", |it, _| {
        let mut names: Vec<(crate::module::Symbol, Value)> =
            it.modules.borrow().iter().map(|(n, m)| (*n, m.clone())).collect();
        names.extend(it.missing.borrow().iter().map(|name| (*name, it.stand_in(*name))));
        names.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
        let items = names.into_iter().map(|(n, m)| (crate::python::Key::str(&n), m)).collect();
        Ok(Value::Dict(crate::python::Dict::new(items)))
    });
    // script(): the path of the program.
    members.function("script", |it, _| {
        let main = it.modules.borrow().get(&"__main__".into()).cloned();
        match main {
            Some(main) => it.getattr(&main, "__file__".into()),
            None => Ok(Value::str("")),
        }
    });
    // makes_generator(function): whether its body has a `yield`.
    members.function("makes_generator", |_, args| {
        let [function] = args.exactly("makes_generator")?;
        let Value::Function(function) = &function else { return Ok(Value::Bool(false)) };
        let (unit, code) = function.body();
        Ok(Value::Bool(unit.module.code(code).is_generator))
    });
    // bind_method(function, receiver): `types.MethodType`.
    members.function("bind_method", |_, args| {
        let [function, receiver] = args.exactly("method")?;
        Ok(Value::Method(Rc::new(crate::python::Method { receiver, function })))
    });
}
