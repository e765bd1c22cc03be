//! Graphs as text, exactly as `jax.make_jaxpr` prints them.

use std::collections::VecDeque;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::doc::Doc;
use super::{Atom, Eqn, Jaxpr, Var};
use crate::primitives::Param;

const WIDTH: usize = 80;

/// The whole text of a graph.
pub fn jaxpr(jaxpr: &Jaxpr) -> String {
    with_names(jaxpr).0
}

/// The names that variables have in the text of a graph, inner graphs included.
pub struct VarNames(FxHashMap<(*const Jaxpr, Var), Rc<str>>);

impl VarNames {
    /// The name of a variable; `_` for one that is not shown.
    pub fn name(&self, jaxpr: &Jaxpr, var: Var) -> &str {
        self.0.get(&(key(jaxpr), var)).map_or("_", |name| name)
    }
}

/// The whole text of a graph, and what its variables are called there.
pub fn with_names(jaxpr: &Jaxpr) -> (String, VarNames) {
    let mut names = Names::default();
    for var in unused(jaxpr) {
        names.vars.insert((key(jaxpr), var), "_".into());
    }
    let shared = share(jaxpr, &mut names);
    let mut docs = Vec::new();
    for (name, inner) in &shared {
        docs.extend([Doc::text(format!("let {name} = ")), names.skeleton(inner), Doc::text(" in"), Doc::Break(" ")]);
    }
    docs.push(names.skeleton(jaxpr));
    let text = Doc::Concat(docs).format(WIDTH);
    (text, VarNames(names.vars))
}

/// One equation as text, with fresh names.
pub fn equation(jaxpr: &Jaxpr, eqn: &Eqn) -> String {
    let mut names = Names::default();
    names.equation(jaxpr, eqn).format(WIDTH)
}

/// The identity of a graph.
fn key(jaxpr: &Jaxpr) -> *const Jaxpr {
    std::ptr::from_ref(jaxpr)
}

/// Variables that are bound and never used.
fn unused(jaxpr: &Jaxpr) -> Vec<Var> {
    let mut used: FxHashSet<Var> = jaxpr.outvars.iter().filter_map(Atom::var).collect();
    let mut unused = Vec::new();
    for eqn in jaxpr.eqns.iter().rev() {
        unused.extend(eqn.outputs.iter().filter(|v| !used.contains(v)));
        used.extend(eqn.inputs.iter().filter_map(Atom::var));
    }
    unused
}

/// Graphs that occur more than once, or are long, are written once, before the whole.
fn share(top: &Jaxpr, names: &mut Names) -> Vec<(String, Rc<Jaxpr>)> {
    let mut counts: IndexMap<*const Jaxpr, (usize, Option<Rc<Jaxpr>>)> = IndexMap::new();
    let mut suggested: FxHashMap<*const Jaxpr, String> = FxHashMap::default();
    let mut queue: VecDeque<(*const Jaxpr, Option<Rc<Jaxpr>>)> = VecDeque::from([(key(top), None)]);
    while let Some((id, inner)) = queue.pop_front() {
        let count = counts.entry(id).or_insert_with(|| (0, inner.clone()));
        count.0 += 1;
        let jaxpr = match &inner {
            Some(jaxpr) => {
                if jaxpr.eqns.len() > 10 {
                    count.0 += 1;
                }
                jaxpr
            }
            None => top,
        };
        for eqn in &jaxpr.eqns {
            let name = eqn.primitive.label();
            for graph in eqn.primitive.graphs() {
                let id = Rc::as_ptr(&graph);
                if let Some(name) = &name {
                    let bare = name.trim_matches(['<', '>']).to_owned();
                    suggested.entry(id).or_insert(bare);
                }
                queue.push_back((id, Some(graph)));
            }
        }
    }
    let mut uses: FxHashMap<String, usize> = FxHashMap::default();
    let mut shared = Vec::new();
    for (id, (count, inner)) in counts {
        let (true, Some(inner)) = (count > 1, inner) else { continue };
        let mut name = suggested.get(&id).cloned().unwrap_or_else(|| "jaxpr".into());
        let used = uses.get(&name).copied().unwrap_or(0);
        *uses.entry(name.clone()).or_default() += 1;
        if used > 0 {
            name += &used.to_string();
            *uses.entry(name.clone()).or_default() += 1;
        }
        names.taken.insert(name.clone());
        names.shared.insert(id, name.clone());
        shared.push((name, inner));
    }
    shared
}

/// Names of variables and of shared graphs; unique through all nested graphs.
#[derive(Default)]
struct Names {
    vars: FxHashMap<(*const Jaxpr, Var), Rc<str>>,
    next: usize,
    shared: FxHashMap<*const Jaxpr, String>,
    taken: FxHashSet<String>,
}

impl Names {
    fn var(&mut self, jaxpr: &Jaxpr, var: Var) -> Rc<str> {
        if let Some(name) = self.vars.get(&(key(jaxpr), var)) {
            return name.clone();
        }
        let name: Rc<str> = loop {
            let name = letters(self.next);
            self.next += 1;
            if !self.taken.contains(&name) {
                break name.into();
            }
        };
        self.vars.insert((key(jaxpr), var), name.clone());
        name
    }

    fn atom(&mut self, jaxpr: &Jaxpr, atom: &Atom) -> Doc {
        match atom {
            Atom::Var(var) => Doc::Text(self.var(jaxpr, *var)),
            Atom::Literal(value) => Doc::text(literal(value)),
        }
    }

    fn atoms(&mut self, jaxpr: &Jaxpr, atoms: &[Atom], separator: &str) -> Doc {
        let docs: Vec<Doc> = atoms.iter().map(|a| self.atom(jaxpr, a)).collect();
        listed(docs, separator)
    }

    fn binders(&mut self, jaxpr: &Jaxpr, vars: &[Var]) -> Doc {
        let docs = vars.iter().map(|v| Doc::text(format!("{}:{}", self.var(jaxpr, *v), jaxpr.aval(*v)))).collect();
        listed(docs, "")
    }

    fn graph(&mut self, jaxpr: &Rc<Jaxpr>) -> Doc {
        match self.shared.get(&Rc::as_ptr(jaxpr)) {
            Some(name) => Doc::text(name),
            None => self.skeleton(jaxpr),
        }
    }

    fn skeleton(&mut self, jaxpr: &Jaxpr) -> Doc {
        let constvars = self.binders(jaxpr, &jaxpr.constvars);
        let invars = self.binders(jaxpr, &jaxpr.invars);
        let eqns: Vec<Doc> = jaxpr.eqns.iter().map(|e| self.equation(jaxpr, e)).collect();
        let eqns = Doc::join(&Doc::Break("; "), eqns);
        let outvars = self.atoms(jaxpr, &jaxpr.outvars, ",");
        let close = if jaxpr.outvars.len() == 1 { ",)" } else { ")" };
        let inner = Doc::concat([
            Doc::text("{ lambda "),
            constvars,
            Doc::text("; "),
            invars,
            Doc::text(". let"),
            Doc::concat([Doc::Break(" "), eqns]).nest(2),
            Doc::Break(" "),
            Doc::text("in ("),
            outvars,
            Doc::text(close),
        ]);
        Doc::concat([inner.nest(2), Doc::text(" }")]).group()
    }

    fn equation(&mut self, jaxpr: &Jaxpr, eqn: &Eqn) -> Doc {
        let params = eqn.primitive.params();
        if eqn.primitive.names_like_call() {
            for (_, param) in &params {
                if let Param::Graph(inner) = param {
                    self.suggest(jaxpr, eqn, inner);
                }
            }
        }
        let left = self.binders(jaxpr, &eqn.outputs);
        let mut docs = Vec::new();
        if !eqn.outputs.is_empty() {
            docs.extend([left, Doc::text(" = ")]);
        }
        docs.push(Doc::text(eqn.primitive.name()));
        if !params.is_empty() {
            let pairs: Vec<Doc> = params.iter().map(|(name, param)| self.param(name, param)).collect();
            let pairs = Doc::join(&Doc::Break(" "), pairs);
            let body = Doc::concat([Doc::text("["), Doc::Break(""), pairs]).nest(2);
            docs.push(Doc::concat([body, Doc::Break(""), Doc::text("]")]).group());
        }
        docs.extend([Doc::text(" "), self.atoms(jaxpr, &eqn.inputs, "")]);
        Doc::Concat(docs)
    }

    fn param(&mut self, name: &str, param: &Param) -> Doc {
        let value = match param {
            Param::Text(text) => Doc::text(text),
            Param::Graph(graph) => self.graph(graph),
            Param::Graphs(graphs) => {
                let docs: Vec<Doc> = graphs.iter().map(|g| self.graph(g)).collect();
                let docs = Doc::join(&Doc::Break(" "), docs);
                let body = Doc::concat([Doc::text("("), Doc::Break(""), docs]).nest(2);
                Doc::concat([body, Doc::Break(""), Doc::text(")")]).group()
            }
        };
        Doc::concat([Doc::text(format!("{name}=")), value])
    }

    /// Inside of a call, inputs and results bear the names that they have outside.
    fn suggest(&mut self, jaxpr: &Jaxpr, eqn: &Eqn, inner: &Rc<Jaxpr>) {
        if self.shared.contains_key(&Rc::as_ptr(inner)) {
            return;
        }
        let outer_in: Vec<Option<Var>> = eqn.inputs.iter().map(Atom::var).collect();
        let inner_in: Vec<Option<Var>> = inner.invars.iter().copied().map(Some).collect();
        self.suggest_all(jaxpr, inner, &inner_in, &outer_in);
        let outer_out: Vec<Option<Var>> = eqn.outputs.iter().copied().map(Some).collect();
        let inner_out: Vec<Option<Var>> = inner.outvars.iter().map(Atom::var).collect();
        self.suggest_all(jaxpr, inner, &inner_out, &outer_out);
    }

    fn suggest_all(&mut self, outer: &Jaxpr, inner: &Rc<Jaxpr>, of: &[Option<Var>], like: &[Option<Var>]) {
        if of.len() != like.len() {
            return;
        }
        let mut used = FxHashSet::default();
        for (of, like) in of.iter().zip(like) {
            let (Some(of), Some(like)) = (of, like) else { continue };
            if used.contains(like) || self.vars.contains_key(&(Rc::as_ptr(inner), *of)) {
                continue;
            }
            used.insert(*like);
            let name = self.var(outer, *like);
            self.vars.insert((Rc::as_ptr(inner), *of), name);
        }
    }
}

/// Items on one line or one per line.
fn listed(docs: Vec<Doc>, separator: &str) -> Doc {
    let separator = Doc::concat([Doc::text(separator), Doc::Break(" ").group()]);
    Doc::join(&separator, docs).group().nest(2)
}

/// A scalar in place, with its type.
pub fn literal(value: &super::Array) -> String {
    let shown = match &value.repr {
        super::Repr::Literal(_, shown) => Some(*shown),
        _ if value.aval.rank() > 0 => return format!("[...]:{}", value.aval),
        _ => value.tensor().and_then(super::Scalar::of),
    };
    shown.map_or_else(|| format!("?:{}", value.aval), |shown| format!("{shown}:{}", value.aval))
}

/// `a` … `z`, `ba` … : the number in base 26.
pub fn letters(n: usize) -> String {
    let mut digits = Vec::new();
    let mut rest = n;
    loop {
        digits.push(b'a' + (rest % 26) as u8);
        rest /= 26;
        if rest == 0 {
            break;
        }
    }
    digits.iter().rev().map(|b| *b as char).collect()
}
