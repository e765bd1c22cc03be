//! What functions of the standard library take: what a model refuses and Python takes is unknown, and no mistake.
//!
//! The table is printed by `tests/tables/standard_signatures.py`.

use std::rc::Rc;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::module::Symbol;
use crate::python::{Function, Value};

static TABLE: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    include_str!("signatures.txt")
        .lines()
        .filter_map(|line| line.split_once(':').map(|(name, text)| (name, text.trim())))
        .collect()
});

/// How many positional arguments a call gives, a method's receiver among them, and which names.
pub struct Given {
    positional: usize,
    named: Vec<Symbol>,
}

impl Given {
    /// What these arguments are.
    pub fn of(args: &crate::python::Args) -> Given {
        Given { positional: args.positional.len(), named: args.keyword.iter().map(|(name, _)| *name).collect() }
    }
}

/// Whether Python refuses, as a function of a model does, what it was given: the table says so of every public name that the
/// function has, or does not know what that takes. Special methods are taken to be modelled as they are.
pub fn refuses(function: &Rc<Function>, given: &Given) -> bool {
    let names = names_of(function);
    !names.is_empty() && names.iter().all(|name| signature(name).is_none_or(|text| !takes(&text, given)))
}

/// The public names of a function of a model, with module and class.
fn names_of(function: &Rc<Function>) -> Vec<String> {
    let module = &function.module;
    let qualname = function.code().qualname;
    let (class, name) = match qualname.rsplit_once('.') {
        Some((class, name)) => (Some(class), name),
        None => (None, &*qualname),
    };
    let public = module.name.split("._").next().unwrap_or_default();
    let is_it = |value: &Value| matches!(value, Value::Function(other) if Rc::ptr_eq(other, function));
    let owner = class.map_or_else(|| public.to_owned(), |class| format!("{public}.{class}"));
    // What a closure or a class of the model's own takes, no table tells.
    if class.is_some_and(|class| class.starts_with('_') || class.contains('<')) {
        return Vec::new();
    }
    if name.starts_with("__") {
        return vec![format!("{owner}.{name}")];
    }
    let mut names = vec![name.to_owned()];
    match class {
        None => {
            names.extend(module.names().into_iter().filter(|(_, value)| is_it(value)).map(|(name, _)| name.to_string()))
        }
        Some(class) => {
            if let Some(Value::Class(class)) = module.get(Symbol::from(class)) {
                let attrs = class.attrs.read();
                names.extend(attrs.iter().filter(|(_, value)| is_it(value)).map(|(name, _)| name.to_string()));
            }
        }
    }
    names.retain(|name| !name.starts_with(['_', '<']));
    names.into_iter().map(|name| format!("{owner}.{name}")).collect()
}

/// The signature in the table. Where Python has a class and the model a function, or the other way round, it is that without or
/// with an instance in front.
fn signature(path: &str) -> Option<String> {
    if let Some(text) = TABLE.get(path) {
        return (*text != "-").then(|| (*text).to_owned());
    }
    match path.strip_suffix(".__init__").or(path.strip_suffix(".__new__")) {
        Some(function) => signature(function).map(|text| format!("self {text}")),
        None => {
            let text = TABLE.get(format!("{path}.__init__").as_str())?.strip_prefix("self")?.trim_start();
            Some(text.strip_prefix("/ ").unwrap_or(text).to_owned())
        }
    }
}

/// Whether a signature takes what is given.
fn takes(signature: &str, given: &Given) -> bool {
    let words: Vec<&str> = signature.split(' ').filter(|word| !word.is_empty()).collect();
    let by_place_only = words.iter().position(|word| *word == "/").unwrap_or(0);
    let by_name_only = words.iter().position(|word| word.starts_with('*')).unwrap_or(words.len());
    let (any_more, any_name) = (
        words.iter().any(|word| word.len() > 1 && word.starts_with('*') && !word.starts_with("**")),
        words.iter().any(|word| word.starts_with("**")),
    );
    let (mut place, mut unused) = (0, given.named.clone());
    for (at, word) in words.iter().enumerate() {
        if *word == "/" || word.starts_with('*') {
            continue;
        }
        let name = word.trim_end_matches('?');
        let named = if at < by_place_only { None } else { unused.iter().position(|given| given.as_str() == name) };
        let placed = at < by_name_only && place < given.positional;
        place += usize::from(at < by_name_only);
        match named {
            Some(_) if placed => return false,
            Some(named) => drop(unused.swap_remove(named)),
            None if !placed && !word.ends_with('?') => return false,
            None => {}
        }
    }
    (given.positional <= place || any_more) && (unused.is_empty() || any_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes_call(signature: &str, positional: usize, named: &[&str]) -> bool {
        takes(signature, &Given { positional, named: named.iter().map(|name| Symbol::from(*name)).collect() })
    }

    #[test]
    fn signatures_take_what_they_say() {
        let walk = &signature("os.walk").expect("it is in the table");
        assert!(takes_call(walk, 1, &["topdown"]) && takes_call(walk, 0, &["top"]) && takes_call(walk, 4, &[]));
        assert!(!takes_call(walk, 0, &[]) && !takes_call(walk, 5, &[]) && !takes_call(walk, 1, &["top"]));
        assert!(!takes_call(walk, 1, &["up"]));
        assert!(takes_call("a / *args b?", 5, &["b"]) && !takes_call("a / *args b?", 0, &["a"]));
        assert!(takes_call("a * b **rest", 1, &["b", "c"]) && !takes_call("a * b", 2, &[]));
        assert_eq!(signature("concurrent.futures.Future").as_deref(), signature("os.getcwd").as_deref());
    }
}
