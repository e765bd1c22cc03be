//! Primitives, and graphs of functions that the framework itself compiles.

use super::expression::Ex;
use super::{Line, Writer};
use crate::array::Aval;
use crate::primitives::Primitive;
use crate::python::{Site, Value};
use crate::repro::names::free_name;
use crate::repro::primitives::{call, compiled, is_elementwise, is_of_python};
use crate::trace::print::letters;
use crate::trace::{Atom, ClosedJaxpr, Val, Var};
use crate::transforms::dce::live;

/// Names that letters may come to and that Python has.
const WORDS: [&str; 6] = ["as", "if", "in", "is", "or", "np"];

impl Writer<'_> {
    /// The call that binds a primitive to values with these texts.
    pub fn applied(&mut self, primitive: &dyn Primitive, args: &[String], outputs: &[Aval], site: Option<Site>) -> Ex {
        if let Some((graph, name)) = compiled(primitive) {
            let name = self.compiled(graph, name, site);
            return Ex::atom(format!("jax.jit({name})({})", args.join(", ")));
        }
        match call(primitive, args, outputs) {
            Some(text) => Ex::atom(text),
            None => self.lost(),
        }
    }

    /// The text of an operand: a number of Python's where that gives the same.
    pub fn operand(&mut self, primitive: &dyn Primitive, value: &Val, all: &[&Aval]) -> String {
        let text = self.leaf(&Value::from(value.clone())).text;
        let number = ["jnp.asarray(", "jnp.array("].iter().find_map(|call| text.strip_prefix(call)?.strip_suffix(')'));
        let is_plain = |number: &&str| {
            let others = all.iter().copied().filter(|aval| !std::ptr::eq(*aval, &value.aval));
            is_elementwise(primitive) && number.parse::<f64>().is_ok() && is_of_python(&value.aval, others)
        };
        match number.filter(is_plain) {
            Some(number) => number.to_owned(),
            None => text,
        }
    }

    /// A function that does what a graph does, at the top of the text; its name.
    fn compiled(&mut self, graph: &ClosedJaxpr, name: &str, site: Option<Site>) -> String {
        let graph = live(graph);
        let jaxpr = &graph.jaxpr;
        let mut names: Vec<Option<String>> = vec![None; jaxpr.vars.len()];
        let mut given = 0;
        let mut next = || {
            let letters = letters(given);
            given += 1;
            if WORDS.contains(&&*letters) { format!("{letters}_") } else { letters }
        };
        for (i, var) in jaxpr.invars.iter().enumerate() {
            let known =
                jaxpr.debug.arguments.get(i).filter(|name| name.len() > 2 && name.chars().all(char::is_alphabetic));
            let fresh = next();
            names[var.0 as usize] = Some(known.map_or(fresh, |known| free_name(known, |_| false)));
        }
        let params: Vec<String> = jaxpr.invars.iter().filter_map(|var| names[var.0 as usize].clone()).collect();
        for (var, value) in jaxpr.constvars.iter().zip(graph.consts.iter()) {
            names[var.0 as usize] = Some(self.leaf(&Value::from(value.clone())).text);
        }
        let mut lines = Vec::new();
        for eqn in &jaxpr.eqns {
            let avals: Vec<&Aval> = eqn
                .inputs
                .iter()
                .map(|atom| match atom {
                    Atom::Var(Var(var)) => &jaxpr.vars[*var as usize],
                    Atom::Literal(value) => &value.aval,
                })
                .collect();
            let text = |atom: &Atom| match atom {
                Atom::Var(Var(var)) => names[*var as usize].clone().unwrap_or_default(),
                Atom::Literal(value) => self.operand(&*eqn.primitive, value, &avals),
            };
            let args: Vec<String> = eqn.inputs.iter().map(text).collect();
            let outputs: Vec<Aval> = eqn.outputs.iter().map(|var| jaxpr.vars[var.0 as usize].clone()).collect();
            let text = self.applied(&*eqn.primitive, &args, &outputs, site).text;
            let targets: Vec<String> = eqn.outputs.iter().map(|_| next()).collect();
            for (var, name) in eqn.outputs.iter().zip(&targets) {
                names[var.0 as usize] = Some(name.clone());
            }
            let targets = match &targets[..] {
                [one] if eqn.primitive.multiple_results() && compiled(&*eqn.primitive).is_none() => format!("({one},)"),
                all => all.join(", "),
            };
            lines.push(format!("{targets} = {text}"));
        }
        let results: Vec<String> = jaxpr
            .outvars
            .iter()
            .map(|atom| match atom {
                Atom::Var(Var(var)) => names[*var as usize].clone().unwrap_or_default(),
                Atom::Literal(value) => self.leaf(&Value::from(value.clone())).text,
            })
            .collect();
        lines.push(format!("return {}", results.join(", ")));
        let key = format!("{name}({})\n{}", params.join(", "), lines.join("\n"));
        if let Some(name) = self.scopes[0].functions.get(&key) {
            return name.clone();
        }
        // Variables never begin so: what is called as what made it stays apart.
        let hint = if name.starts_with('<') { "_f".to_owned() } else { format!("_{}", name.trim_start_matches('_')) };
        let name = free_name(&hint, |name| {
            self.given.contains(name) || self.scopes.iter().any(|scope| scope.taken.contains(name))
        });
        self.give(name.clone());
        self.scopes[0].functions.insert(key, name.clone());
        let slot = self.scopes[0].slots.entry(0).or_default();
        slot.push(Line::new(0, format!("def {name}({}):", params.join(", ")), site));
        slot.extend(lines.into_iter().map(|line| Line::new(4, line, site)));
        name
    }
}
