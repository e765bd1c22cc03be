//! Why a lookup missed: the nearest earlier key and what differs, in JAX's words.

use super::{Compare, Key};
use crate::array::Aval;
use crate::python::Step;

/// Why a lookup missed.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// The function was never traced.
    NewFunction {
        /// Another function was, from the same place: it is perhaps made anew each time.
        same_place: bool,
    },
    /// It was traced under other keys only.
    Differs {
        /// How the nearest of them differs.
        nearest: Cause,
        /// How many there are.
        earlier: usize,
    },
}

/// How two keys differ. The order is that of JAX: the least is the nearest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The settings: name, now, before.
    Context(usize, Vec<(String, String, String)>),
    /// The structure: one text for each difference.
    Structure(usize, Vec<String>),
    /// The types of arguments: name, now, before.
    Types(usize, Vec<(String, String, String)>),
    /// Nothing that can be told.
    Unknown,
}

/// How a new key differs from an old one.
pub(super) fn cause<S>(new: &Key<S>, old: &Key<S>, compare: &dyn Compare<S>) -> Step<Cause> {
    let (now, before) = (new.config.context(), old.config.context());
    if now != before {
        let differ = now.iter().zip(&before).filter(|(a, b)| a != b);
        let all: Vec<_> = differ.map(|(a, b)| (a.0.to_string(), a.1.clone(), b.1.clone())).collect();
        return Ok(Cause::Context(all.len(), all));
    }
    let structure = compare.differences(&new.structure, &old.structure)?;
    if !structure.is_empty() {
        return Ok(Cause::Structure(structure.len(), structure));
    }
    let pairs = new.avals.iter().zip(old.avals.iter()).enumerate().filter(|(_, (a, b))| a != b);
    let types: Vec<_> = pairs
        .map(|(i, (a, b))| {
            let name = new.names.get(i).map_or_else(String::new, |n| n.to_string());
            let (now, before) = shown(a, b);
            (name, now, before)
        })
        .collect();
    Ok(if types.is_empty() { Cause::Unknown } else { Cause::Types(types.len(), types) })
}

/// Two types, with their weak types where those differ.
fn shown(a: &Aval, b: &Aval) -> (String, String) {
    if a.weak == b.weak {
        return (a.to_string(), b.to_string());
    }
    let weak = |v: &Aval| format!("{v}{{weak_type={}}}", if v.weak { "True" } else { "False" });
    (weak(a), weak(b))
}

impl Cause {
    /// The lines of JAX's explanation.
    pub fn text(&self) -> String {
        let list = |lines: Vec<String>| lines.iter().map(|l| format!("\n  * {l}")).collect::<String>();
        match self {
            Cause::Context(_, all) => {
                let lines =
                    all.iter().map(|(name, now, before)| format!("{name} differs: now {now} and before {before}"));
                format!(
                    "Tracing context doesn't match, e.g. due to config or context manager.{}",
                    list(lines.collect())
                )
            }
            Cause::Structure(_, all) => format!("different input pytree:{}", list(all.clone())),
            Cause::Types(_, all) => {
                let lines = all.iter().map(|(name, now, before)| format!("at {name}, now {now} and before {before}"));
                format!("different input types:{}", list(lines.collect()))
            }
            Cause::Unknown => "cache miss explanation unavailable".into(),
        }
    }
}
