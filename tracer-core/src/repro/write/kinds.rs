//! Containers of different kinds that calls of one function are given.

use super::functions::written;
use crate::python::Value;
use crate::repro::literal;
use crate::repro::tree::{Arg, Key};

/// The condition that holds of another argument and not of this one, where they are containers of different kinds, or have other parts.
pub fn told_apart(name: &str, mine: &Arg, other: &Arg) -> Option<String> {
    within(name, mine, other, &mut Vec::new())
}

fn within(name: &str, mine: &Arg, other: &Arg, path: &mut Vec<Key>) -> Option<String> {
    let (mine, other) = (bare(mine), bare(other));
    let part = || Some(format!("{name}{}", written(path)?));
    match (kind(mine), kind(other)) {
        (a, b) if a == b => {}
        (_, Some(kind)) => return Some(format!("isinstance({}, {kind})", part()?)),
        (Some(kind), None) => {
            let is_one = matches!(other, Arg::Leaf(Value::Array(_)));
            return is_one.then(part).flatten().map(|part| format!("not isinstance({part}, {kind})"));
        }
        (None, None) => {}
    }
    match (mine, other) {
        (Arg::Tuple(all), Arg::Tuple(others)) | (Arg::List(all), Arg::List(others)) => {
            if all.len() != others.len() {
                return Some(format!("len({}) == {}", part()?, others.len()));
            }
            all.iter().zip(others).enumerate().find_map(|(i, (a, b))| {
                path.push(Key::Index(i));
                let found = within(name, a, b, path);
                path.pop();
                found
            })
        }
        (Arg::Dict(all), Arg::Dict(others)) => {
            let (own, names) = (keys(all)?, keys(others)?);
            if own != names {
                let names: Vec<String> = names.iter().map(|name| literal::text(name)).collect();
                return Some(format!("sorted({}) == [{}]", part()?, names.join(", ")));
            }
            let same = |a: &Value, b: &Value| a.is(b);
            all.iter().find_map(|(key, a)| {
                let (_, b) = others.iter().find(|(of, _)| of.is_like(key, &same))?;
                path.push(Key::Of(key.clone()));
                let found = within(name, a, b, path);
                path.pop();
                found
            })
        }
        _ => None,
    }
}

fn bare(arg: &Arg) -> &Arg {
    match arg {
        Arg::Tree(_, tree) => bare(tree),
        arg => arg,
    }
}

fn kind(arg: &Arg) -> Option<&'static str> {
    match arg {
        Arg::Tuple(_) => Some("tuple"),
        Arg::List(_) => Some("list"),
        Arg::Dict(_) => Some("dict"),
        _ => None,
    }
}

/// The keys of a dictionary in their order, where all of them are texts.
fn keys(items: &[(Arg, Arg)]) -> Option<Vec<&str>> {
    let mut keys = items.iter().map(|(key, _)| match key {
        Arg::Plain(key) => key.as_str(),
        _ => None,
    });
    let mut keys = keys.by_ref().collect::<Option<Vec<_>>>()?;
    keys.sort_unstable();
    Some(keys)
}
