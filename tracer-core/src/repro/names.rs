//! Names of variables, functions and modules.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::WIDTH;
use crate::analysis::Analysis;
use crate::frameworks::is_framework;
use crate::module::Stmt;

/// Modules that `import jax` brings along, and how users write them.
const AT_HAND: &[&str] = &[
    "nn",
    "random",
    "tree",
    "tree_util",
    "debug",
    "errors",
    "dtypes",
    "sharding",
    "image",
    "custom_derivatives",
    "ops",
    "scipy",
    "custom_batching",
    "checkpoint_policies",
];

/// Modules that users write by a short name, longer paths first.
const SHORT: &[(&str, &str)] = &[
    ("jax.experimental.pallas.tpu", "pltpu"),
    ("jax.experimental.pallas.triton", "plgpu"),
    ("jax.experimental.pallas.mosaic_gpu", "plmgpu"),
    ("jax.experimental.pallas", "pl"),
    ("jax.example_libraries.stax", "stax"),
    ("jax.example_libraries.optimizers", "optimizers"),
    ("jax.experimental.checkify", "checkify"),
];

/// Imports that a text needs.
#[derive(Default, Clone)]
pub(super) struct Imports {
    pub jax: bool,
    pub jnp: bool,
    pub lax: bool,
    pub np: bool,
    pub modules: BTreeSet<String>,
    /// Modules under names of the program's.
    pub aliases: BTreeSet<(String, String)>,
    /// What the program imports from `jax.sharding`, by the names that it has there, and those of them that the text uses.
    pub own: Vec<(String, String)>,
    pub used: BTreeSet<(String, String)>,
}

/// The module whose members programs import by name.
const NAMED: &str = "jax.sharding";

impl Imports {
    /// A dotted name as users write it.
    pub fn spell(&mut self, path: &str) -> String {
        if let Some(rest) = path.strip_prefix("jax.numpy.") {
            self.jnp = true;
            return format!("jnp.{rest}");
        }
        if let Some(rest) = path.strip_prefix("jax.lax.") {
            self.lax = true;
            return format!("lax.{rest}");
        }
        if let Some(rest) = path.strip_prefix("numpy.") {
            self.np = true;
            return format!("np.{rest}");
        }
        match path {
            "jax.numpy" => {
                self.jnp = true;
                return "jnp".into();
            }
            "numpy" => {
                self.np = true;
                return "np".into();
            }
            _ => {}
        }
        let own = path.strip_prefix(NAMED).and_then(|rest| rest.strip_prefix('.'));
        if let Some((_, alias)) = own.and_then(|name| self.own.iter().find(|(own, _)| own == name)) {
            return alias.clone();
        }
        for (module, short) in SHORT {
            if let Some(name) = path.strip_prefix(module).and_then(|rest| rest.strip_prefix('.')) {
                self.aliases.insert(((*module).to_owned(), (*short).to_owned()));
                return format!("{short}.{name}");
            }
        }
        if let Some((module, _)) = path.rsplit_once('.')
            && let Some(rest) = module.strip_prefix("jax.")
            && !(AT_HAND.contains(&rest))
        {
            self.modules.insert(module.to_owned());
        }
        path.to_owned()
    }
    /// Notes the names of modules that a text uses.
    pub fn see(&mut self, text: &str) {
        if text.starts_with("from ") {
            return;
        }
        self.jax |= mentions(text, "jax.");
        self.jnp |= mentions(text, "jnp.");
        self.lax |= mentions(text, "lax.");
        self.np |= mentions(text, "np.");
        for own in &self.own {
            // A call of it, a member, or the class itself as an argument.
            if ["(", ".", ",", ")"].iter().any(|behind| mentions(text, &format!("{}{behind}", own.1))) {
                self.used.insert(own.clone());
            }
        }
    }
    /// The lines, as those sort them who sort imports: modules of Python's own first, `import` before `from`.
    pub fn lines(&self) -> Vec<String> {
        let (mut whole, mut members): (Vec<(&str, Option<&str>)>, BTreeMap<&str, Vec<String>>) = Default::default();
        for (is_used, module, alias) in
            [(self.jax, "jax", None), (self.jnp, "jax.numpy", Some("jnp")), (self.np, "numpy", Some("np"))]
        {
            whole.extend(is_used.then_some((module, alias)));
        }
        whole.extend(self.modules.iter().map(|module| (module.as_str(), None)));
        if self.lax {
            members.entry("jax").or_default().push("lax".into());
        }
        for (module, alias) in &self.aliases {
            match module.rsplit_once('.') {
                Some((of, last)) if last == alias => members.entry(of).or_default().push(last.to_owned()),
                _ => whole.push((module, Some(alias))),
            }
        }
        for (name, alias) in &self.used {
            let name = if name == alias { name.clone() } else { format!("{name} as {alias}") };
            members.entry(NAMED).or_default().push(name);
        }
        whole.sort_unstable();
        let (own, others): (Vec<_>, Vec<_>) = whole.into_iter().partition(|(module, _)| !is_framework(module));
        let line = |(module, alias): (&str, Option<&str>)| match alias {
            Some(alias) => format!("import {module} as {alias}"),
            None => format!("import {module}"),
        };
        let mut lines: Vec<String> = own.into_iter().map(line).collect();
        let is_more = !others.is_empty() || !members.is_empty();
        if !lines.is_empty() && is_more {
            lines.push(String::new());
        }
        lines.extend(others.into_iter().map(line));
        for (module, names) in members {
            lines.extend(imported_from(module, names));
        }
        lines
    }
}

/// Constants, then classes, then what else is imported from a module: what has another name there has a line of its own.
fn imported_from(module: &str, mut names: Vec<String>) -> Vec<String> {
    let kind = |name: &str| match name.chars().any(char::is_lowercase) {
        false if name.len() > 1 => 0,
        _ if name.starts_with(char::is_uppercase) => 1,
        _ => 2,
    };
    names.sort_by_cached_key(|name| (kind(name.split(' ').next().unwrap_or_default()), name.clone()));
    names.dedup();
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut together: Option<usize> = None;
    for name in names {
        match together {
            _ if name.contains(' ') => lines.push(vec![name]),
            Some(at) => lines[at].push(name),
            None => {
                together = Some(lines.len());
                lines.push(vec![name]);
            }
        }
    }
    let line = |names: Vec<String>| {
        let line = format!("from {module} import {}", names.join(", "));
        match line.len() <= WIDTH {
            true => vec![line],
            false => {
                let names = names.into_iter().map(|name| format!("    {name},"));
                let head = format!("from {module} import (");
                std::iter::once(head).chain(names).chain(std::iter::once(")".to_owned())).collect()
            }
        }
    };
    lines.into_iter().flat_map(line).collect()
}

/// What the program's files import by name from the module whose members are so imported, and what they call it.
pub(super) fn imported(analysis: &Analysis) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for statement in analysis.files.iter().flat_map(|file| &file.module.stmts) {
        let Stmt::ImportFrom { module, level: 0, names } = statement else { continue };
        if module.as_str() != NAMED {
            continue;
        }
        for alias in names {
            let own = (alias.name.to_string(), alias.asname.unwrap_or(alias.name).to_string());
            if !is_reserved(&own.1) && all.iter().all(|(name, alias)| *name != own.0 && *alias != own.1) {
                all.push(own);
            }
        }
    }
    all
}

/// Whether a text reads a member of a module; `flax.` has none of `lax`.
pub(super) fn mentions(text: &str, module: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.match_indices(module).any(|(at, _)| !text[..at].ends_with(is_inside))
}

/// Words that are no names.
const RESERVED: &[&str] = &[
    "jax",
    "jnp",
    "lax",
    "np",
    "pl",
    "pltpu",
    "stax",
    "optimizers",
    "checkify",
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "bool",
    "int",
    "float",
    "complex",
    "len",
    "range",
    "slice",
    "repr",
    "format",
    "hash",
    "list",
    "str",
];

/// Whether a word is no name, or one of a module.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// A name like this one that is not taken.
pub(super) fn free_name(hint: &str, taken: impl Fn(&str) -> bool) -> String {
    let plain: String = hint.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let plain = match plain.chars().next() {
        Some(first) if !first.is_numeric() => plain,
        _ => format!("v{plain}"),
    };
    let bad = |name: &str| is_reserved(name) || taken(name);
    if !bad(&plain) {
        return plain;
    }
    let stem = without_numbers(&plain);
    let numbered = |i: u32| format!("{stem}_{i}");
    if let Some(name) = (1..=SEEN_ONE_BY_ONE).map(numbered).find(|name| !bad(name)) {
        return name;
    }
    // Thousands of values of one name: the free number is sought by halves.
    let (mut used, mut free) = (SEEN_ONE_BY_ONE, 2 * SEEN_ONE_BY_ONE);
    while bad(&numbered(free)) {
        (used, free) = (free, free.saturating_mul(2));
    }
    while free - used > 1 {
        let middle = used.midpoint(free);
        match bad(&numbered(middle)) {
            true => used = middle,
            false => free = middle,
        }
    }
    numbered(free)
}

/// How many numbers are tried before the free one is sought by halves.
const SEEN_ONE_BY_ONE: u32 = 16;

/// A name without the numbers at its end: one that clashes gets another one in their stead.
fn without_numbers(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, number))
            if !stem.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            without_numbers(stem)
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_where_they_clash() {
        assert_eq!(free_name("x", |_| false), "x");
        assert_eq!(free_name("x", |name| name == "x"), "x_1");
        assert_eq!(free_name("lambda", |_| false), "lambda_1");
        let below = |end: u32| move |name: &str| name == "x" || name[2..].parse().is_ok_and(|i: u32| i < end);
        assert!([1, 16, 17, 18, 33, 1000].into_iter().all(|end| free_name("x", below(end)) == format!("x_{end}")));
        assert_eq!(free_name("v_3_1", |name| name == "v_3_1"), "v_1");
        assert_eq!(free_name("_3", |name| name == "_3"), "_3_1");
        assert_eq!(free_name("<lambda>", |_| false), "_lambda_");
    }

    #[test]
    fn modules_are_seen_where_their_members_are_read() {
        let seen = |text: &str| {
            let mut imports = Imports::default();
            imports.see(text);
            (imports.jnp, imports.lax, imports.np)
        };
        assert_eq!(seen("jnp.sin(x)"), (true, false, false));
        assert_eq!(seen("f(lax.sin(np.ones(2)))"), (false, true, true));
        assert_eq!(seen("flax.errors and a.lax.b, x_np.y"), (false, false, false));
    }

    #[test]
    fn modules_are_spelled_as_users_do() {
        let mut imports = Imports::default();
        assert_eq!(imports.spell("jax.numpy.sum"), "jnp.sum");
        assert_eq!(imports.spell("jax.lax.scan"), "lax.scan");
        assert_eq!(imports.spell("jax.nn.relu"), "jax.nn.relu");
        assert_eq!(imports.spell("jax.experimental.sparse.BCOO"), "jax.experimental.sparse.BCOO");
        assert_eq!(imports.spell("jax.experimental.pallas.pallas_call"), "pl.pallas_call");
        assert_eq!(imports.spell("jax.experimental.pallas.tpu.VMEM"), "pltpu.VMEM");
        assert_eq!(imports.lines().len(), 5);
        imports.see("jax.nn.relu(x)");
        assert_eq!(imports.lines().len(), 6);
        assert_eq!(imports.lines()[0], "import jax");
    }

    #[test]
    fn imports_are_sorted_as_formatters_sort_them() {
        let mut imports = Imports { jax: true, np: true, lax: true, ..Imports::default() };
        imports.modules.extend(["math", "jax.scipy.linalg"].map(str::to_owned));
        for (module, alias) in
            [("jax.example_libraries.stax", "stax"), ("jax.example_libraries.optimizers", "optimizers")]
        {
            imports.aliases.insert((module.to_owned(), alias.to_owned()));
        }
        for (name, alias) in [("PartitionSpec", "P"), ("NamedSharding", "NamedSharding"), ("Mesh", "Mesh")] {
            imports.used.insert((name.to_owned(), alias.to_owned()));
        }
        let expected = "\
import math

import jax
import jax.scipy.linalg
import numpy as np
from jax import lax
from jax.example_libraries import optimizers, stax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P";
        assert_eq!(imports.lines().join("\n"), expected);
    }
}
