//! How two structures differ, in JAX's words.

use super::pytree::{Host, Key, Kind, TreeDef, equal_kinds, key_text};
use crate::python::Step;

/// One difference of two structures.
#[derive(Clone, Debug)]
pub struct Difference<O> {
    /// Where.
    pub path: Vec<Key<O>>,
    /// What the first has there, such as `tuple of length 2`.
    pub first: String,
    /// What the second has there.
    pub second: String,
    /// Such as `the lengths do not match`.
    pub explanation: String,
}

/// All differences of two structures.
///
/// # Errors
/// What comparing and printing raises.
pub fn differences<H: Host>(
    host: &H,
    a: &TreeDef<H::Object>,
    b: &TreeDef<H::Object>,
) -> Step<Vec<Difference<H::Object>>> {
    let (mut path, mut found) = (Vec::new(), Vec::new());
    walk(host, a, b, &mut path, &mut found)?;
    Ok(found)
}

/// The class of a node as `str(type(x))` prints it.
fn class<H: Host>(host: &H, def: &TreeDef<H::Object>) -> Step<String> {
    Ok(match def.kind() {
        None => "pytree leaf".into(),
        Some(Kind::None) => "<class 'NoneType'>".into(),
        Some(Kind::Tuple) => "<class 'tuple'>".into(),
        Some(Kind::List) => "<class 'list'>".into(),
        Some(Kind::Dict(_)) => "<class 'dict'>".into(),
        Some(Kind::Named(class) | Kind::Custom { class, .. }) => host.repr(class)?,
    })
}

/// What a node keeps beside its children, as it prints.
fn metadata<H: Host>(host: &H, kind: &Kind<H::Object>) -> Step<String> {
    Ok(match kind {
        Kind::Dict(keys) => {
            let keys = keys.iter().map(|k| host.repr(k)).collect::<Step<Vec<String>>>()?;
            format!("({}{})", keys.join(", "), if keys.len() == 1 { "," } else { "" })
        }
        Kind::Custom { data, .. } => host.text(data)?,
        _ => "None".into(),
    })
}

fn same_class<H: Host>(host: &H, a: Option<&Kind<H::Object>>, b: Option<&Kind<H::Object>>) -> Step<bool> {
    Ok(match (a, b) {
        (Some(Kind::Named(a)), Some(Kind::Named(b))) => host.equal(a, b)?,
        (Some(Kind::Custom { class: a, .. }), Some(Kind::Custom { class: b, .. })) => host.equal(a, b)?,
        (Some(a), Some(b)) => std::mem::discriminant(a) == std::mem::discriminant(b),
        (None, None) => true,
        _ => false,
    })
}

fn child_keys<O: Clone>(kind: &Kind<O>, count: usize) -> Vec<Key<O>> {
    match kind {
        Kind::Dict(keys) => keys.iter().cloned().map(Key::Item).collect(),
        Kind::Custom { .. } => (0..count).map(Key::Flat).collect(),
        _ => (0..count).map(Key::Index).collect(),
    }
}

fn walk<H: Host>(
    host: &H,
    a: &TreeDef<H::Object>,
    b: &TreeDef<H::Object>,
    path: &mut Vec<Key<H::Object>>,
    found: &mut Vec<Difference<H::Object>>,
) -> Step<()> {
    let (Some(ka), Some(kb)) = (a.kind(), b.kind()) else {
        if a.is_leaf() != b.is_leaf() {
            found.push(difference(path, class(host, a)?, class(host, b)?, "their Python types differ"));
        }
        return Ok(());
    };
    if !same_class(host, Some(ka), Some(kb))? {
        found.push(difference(path, class(host, a)?, class(host, b)?, "their Python types differ"));
        return Ok(());
    }
    let (na, nb) = (a.children().len(), b.children().len());
    if na != nb {
        if matches!(ka, Kind::Tuple | Kind::List) {
            let name = if matches!(ka, Kind::Tuple) { "tuple" } else { "list" };
            let sized = |n| format!("{name} of length {n}");
            found.push(difference(path, sized(na), sized(nb), "the lengths do not match"));
            return Ok(());
        }
        let counted = |def: &TreeDef<H::Object>, n: usize| {
            Ok(format!("{} with {n} child{}", class(host, def)?, if n > 1 { "ren" } else { "" }))
        };
        let explanation = match (ka, kb) {
            (Kind::Dict(x), Kind::Dict(y)) => {
                let mut odd = only(host, x, y)?;
                odd.extend(only(host, y, x)?);
                let odd = odd.join(" ");
                format!("the numbers of children do not match, with the symmetric difference of key sets: {{{odd}}}")
            }
            _ => "the numbers of children do not match".into(),
        };
        found.push(difference(path, counted(a, na)?, counted(b, nb)?, explanation));
        return Ok(());
    }
    if !equal_kinds(host, ka, kb)? {
        let with = |def: &TreeDef<H::Object>, kind| {
            Ok(format!("{} with pytree metadata {}", class(host, def)?, metadata(host, kind)?))
        };
        found.push(difference(path, with(a, ka)?, with(b, kb)?, "the pytree node metadata does not match"));
        return Ok(());
    }
    for ((key, x), y) in child_keys(ka, na).into_iter().zip(a.children()).zip(b.children()) {
        path.push(key);
        walk(host, x, y, path, found)?;
        path.pop();
    }
    Ok(())
}

fn only<H: Host>(host: &H, of: &[H::Object], not: &[H::Object]) -> Step<Vec<String>> {
    let mut odd = Vec::new();
    for key in of {
        let mut there = false;
        for other in not {
            there |= host.equal(key, other)?;
        }
        if !there {
            odd.push(host.repr(key)?);
        }
    }
    Ok(odd)
}

fn difference<O: Clone>(
    path: &[Key<O>],
    first: String,
    second: String,
    explanation: impl Into<String>,
) -> Difference<O> {
    Difference { path: path.to_vec(), first, second, explanation: explanation.into() }
}

/// A difference as the explanations of cache misses word it.
///
/// # Errors
/// What printing keys raises.
pub fn as_input<H: Host>(host: &H, difference: &Difference<H::Object>) -> Step<String> {
    let path = key_text(host, &difference.path)?;
    let Difference { first, second, explanation, .. } = difference;
    Ok(format!("at input path {path}, now {first} and before {second}, so {explanation}"))
}
