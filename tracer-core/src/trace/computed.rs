//! Numbers that took long to compute are kept: the same computations on the same numbers give them at once.
//!
//! A helper that finds a constant by sampling, tabulating or searching is called for every layer of a model, each time with
//! arrays of its own. What an array would be computed from is written out (primitives with their parameters, and the numbers at
//! the bottom), and arrays with the same text have the same numbers.

use std::any::Any;
use std::fmt::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Atom, ClosedJaxpr, Effects, Engine, Node, Val, Var};
use crate::array::Tensor;
use crate::primitives::Primitive;
use crate::transforms::custom_jvp::CustomJvp;
use crate::transforms::custom_vjp::{CustomLin, CustomVjp};
use crate::transforms::jit::Jit;

/// What takes fewer scalar operations is computed again.
pub(super) const WORTH_KEEPING: u64 = 100_000;

/// Computations and equations that are written out for one array, and their characters.
const MOST_STEPS: usize = 400;
const MOST_TEXT: usize = 1 << 16;

/// Elements of an array at the bottom, and of one that is kept.
const MOST_GIVEN: usize = 256;
const MOST_KEPT: usize = 1 << 14;

/// Arrays that are kept.
const MOST_ENTRIES: usize = 256;

/// What computations have given, by their text.
#[derive(Default)]
pub struct Computed(FxHashMap<Box<str>, Tensor>);

impl Engine {
    /// The computation written out; `None` where it is too long, or where not all of it can be told by its text.
    pub(super) fn text_of(&self, root: &Rc<Node>) -> Option<Box<str>> {
        if root.avals.len() != 1 || self.observed.get() {
            return None;
        }
        let mut text = Text { text: String::new(), seen: FxHashMap::default(), left: MOST_STEPS };
        write!(text.text, "{}", self.config().numpy_promotion).ok()?;
        text.all(root)?;
        Some(text.text.into())
    }

    /// What the computation with this text gave.
    pub(super) fn computed(&self, text: &str) -> Option<Tensor> {
        self.computed.borrow().0.get(text).cloned()
    }

    /// Keeps what the computation with this text gave.
    pub(super) fn keep_computed(&self, text: Box<str>, given: &Tensor) {
        let entries = &mut self.computed.borrow_mut().0;
        if entries.len() < MOST_ENTRIES && given.shape.iter().product::<usize>() <= MOST_KEPT {
            entries.insert(text, given.clone());
        }
    }
}

/// A text of computations. `None` of its methods says that there is none.
struct Text {
    text: String,
    /// The number of each computation that stands in it.
    seen: FxHashMap<*const Node, usize>,
    left: usize,
}

impl Text {
    /// A computation behind all that it needs.
    fn all(&mut self, root: &Rc<Node>) -> Option<()> {
        let mut stack = vec![(root.clone(), false)];
        while let Some((node, ready)) = stack.pop() {
            if self.seen.contains_key(&Rc::as_ptr(&node)) {
                continue;
            }
            if ready {
                self.node(&node)?;
                self.seen.insert(Rc::as_ptr(&node), self.seen.len());
                continue;
            }
            let inputs = node.inputs();
            stack.push((node, true));
            for (inner, _) in inputs.iter().rev().filter_map(|input| input.node()) {
                if !inner.is_done() {
                    stack.push((inner.clone(), false));
                }
            }
            if stack.len() > 2 * MOST_STEPS {
                return None;
            }
        }
        Some(())
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        self.primitive(&node.primitive)?;
        write!(self.text, "{:?}", node.avals).ok()?;
        for input in node.inputs() {
            match input.node() {
                Some((inner, index)) if !inner.is_done() => {
                    let number = self.seen.get(&Rc::as_ptr(inner))?;
                    write!(self.text, " %{number}.{index}").ok()?;
                }
                _ => self.given(&input)?,
            }
        }
        self.text.push('\n');
        Some(())
    }

    /// Numbers at the bottom.
    fn given(&mut self, value: &Val) -> Option<()> {
        let tensor = value.tensor()?;
        if tensor.shape.iter().product::<usize>() > MOST_GIVEN {
            return None;
        }
        write!(self.text, " {:?}={:?}", value.aval, tensor.data).ok()
    }

    /// A primitive with its parameters.
    fn primitive(&mut self, primitive: &Rc<dyn Primitive>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if self.text.len() > MOST_TEXT || primitive.effects() != Effects::NONE || primitive.own().is_some() {
            return None;
        }
        let any = &**primitive as &dyn Any;
        write!(self.text, "{} ", primitive.name()).ok()?;
        if let Some(jit) = any.downcast_ref::<Jit>() {
            return self.graph(&jit.jaxpr);
        }
        if let Some(custom) = any.downcast_ref::<CustomJvp>() {
            return self.graph(custom.graph.as_ref()?);
        }
        if let Some(custom) = any.downcast_ref::<CustomVjp>() {
            return self.graph(custom.graph.as_ref()?);
        }
        // Other graphs may differ in what they do not print.
        if !primitive.graphs().is_empty() || any.is::<CustomLin>() {
            return None;
        }
        write!(self.text, "{primitive:?}").ok()
    }

    fn graph(&mut self, graph: &ClosedJaxpr) -> Option<()> {
        let jaxpr = &graph.jaxpr;
        self.text.push('{');
        for value in graph.consts.iter() {
            self.given(value)?;
        }
        let bound: [&[Var]; 2] = [&jaxpr.constvars, &jaxpr.invars];
        for var in bound.into_iter().flatten() {
            self.variable(*var, jaxpr)?;
        }
        for eqn in &jaxpr.eqns {
            self.text.push('\n');
            self.primitive(&eqn.primitive)?;
            for input in &eqn.inputs {
                self.atom(input)?;
            }
            self.text.push('>');
            for output in &eqn.outputs {
                self.variable(*output, jaxpr)?;
            }
        }
        self.text.push('\n');
        for atom in &jaxpr.outvars {
            self.atom(atom)?;
        }
        self.text.push('}');
        Some(())
    }

    fn variable(&mut self, var: Var, jaxpr: &super::Jaxpr) -> Option<()> {
        write!(self.text, " v{}:{:?}", var.0, jaxpr.vars[var.0 as usize]).ok()
    }

    fn atom(&mut self, atom: &Atom) -> Option<()> {
        match atom {
            Atom::Var(var) => write!(self.text, " v{}", var.0).ok(),
            Atom::Literal(value) => self.given(value),
        }
    }
}
