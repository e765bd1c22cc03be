//! What XLA makes of a compiled graph's arithmetic before it runs it.
//!
//! It holds for real numbers, and not for rounded ones: a mean is a sum times a rounded reciprocal, `exp(a) / exp(b)` is finite where
//! both are not. One function below is one rule; each was measured on compiled functions of random numbers under JAX 0.10.2
//! (`tests/suite/transforms/simplified.md`).

use std::any::Any;
use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::dce;
use super::jit::Jit;
use super::remat::Remat;
use super::unrounded;
use crate::array::{Aval, DType, Dim, Shape, Tensor};
use crate::primitives::elementwise::{self, Elementwise, Row, table};
use crate::primitives::{BroadcastInDim, ConvertElementType, Identity, IntegerPow, Primitive, SelectN};
use crate::trace::{Array, Atom, ClosedJaxpr, Eqn, Jaxpr, Var};

/// Graphs inside of so many equations become part of the one around them.
const INLINED: usize = 32;
/// So often a result is looked at again after a rule has changed how it is made.
const ROUNDS: usize = 8;

/// The graph as it is run, where that is another one; constants, inputs and results are the same variables.
pub fn simplified(jaxpr: &Jaxpr) -> Option<Jaxpr> {
    let gathers = |eqn: &Eqn| row_of(&*eqn.primitive).is_some_and(|row| matches!(row.name, "mul" | "add" | "sub"));
    if !jaxpr.eqns.iter().any(|eqn| may_change(jaxpr, eqn) || !jaxpr.constvars.is_empty() && gathers(eqn)) {
        return None;
    }
    let mut graph = Graph {
        vars: jaxpr.vars.clone(),
        eqns: Vec::with_capacity(jaxpr.eqns.len() + 8),
        made: FxHashMap::default(),
        short: FxHashMap::default(),
        constants: jaxpr.constvars.iter().copied().collect(),
        reads: FxHashMap::default(),
        repeated: FxHashMap::default(),
        changed: false,
    };
    graph.count(jaxpr.eqns.iter().flat_map(|eqn| &eqn.inputs).chain(&jaxpr.outvars));
    jaxpr.eqns.iter().for_each(|eqn| graph.count_repeated(eqn));
    for eqn in &jaxpr.eqns {
        graph.add(eqn);
    }
    if !graph.changed {
        return None;
    }
    let Graph { vars, eqns, .. } = graph;
    let changed = Jaxpr { vars, eqns, ..jaxpr.clone() };
    let (used, keep) = (vec![true; changed.outvars.len()], vec![true; changed.invars.len()]);
    Some(dce::prune(&changed, &used, &keep).0)
}

/// Whether an equation may be one that some rule is about.
fn may_change(jaxpr: &Jaxpr, eqn: &Eqn) -> bool {
    if let Some(inner) = inlined(&*eqn.primitive) {
        return inner.jaxpr.eqns.iter().any(|eqn| may_change(&inner.jaxpr, eqn));
    }
    if widens(&*eqn.primitive) || unrounded::is_wide_inside(&*eqn.primitive) {
        return eqn.inputs.iter().any(|atom| jaxpr.atom_aval(atom).dtype == DType::BF16);
    }
    let is_constant = |atom: &Atom| atom.var().is_none();
    row_of(&*eqn.primitive).is_some_and(|row| match row.name {
        "div" | "log" | "pow" | "exp" => true,
        "mul" | "add" | "sub" => eqn.inputs.iter().any(is_constant),
        _ => false,
    })
}

/// Types whose arithmetic is simplified. (`bfloat16` is computed in `float32`, with conversions between operations that no rule but one, of
/// `unrounded.rs`, sees through.)
fn is_simplified(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::F32 | DType::F64) || dtype.is_complex()
}

/// The graph of a call that becomes part of the one around it.
fn inlined(primitive: &dyn Primitive) -> Option<&ClosedJaxpr> {
    let any = primitive as &dyn Any;
    let checkpoint = || any.downcast_ref::<Remat>().filter(|remat| !remat.differentiated);
    let graph = match any.downcast_ref::<Jit>() {
        Some(jit) => &jit.jaxpr,
        None => &checkpoint()?.jaxpr,
    };
    let eqns = &graph.jaxpr.eqns;
    let is_plain = |eqn: &Eqn| eqn.primitive.graphs().is_empty() && !eqn.primitive.effects().keeps();
    (eqns.len() <= INLINED && eqns.iter().all(is_plain)).then_some(graph)
}

/// Whether it makes numbers of 32 bits of others.
fn widens(primitive: &dyn Primitive) -> bool {
    (primitive as &dyn Any).downcast_ref::<ConvertElementType>().is_some_and(|own| own.dtype == DType::F32)
}

fn row_of(primitive: &dyn Primitive) -> Option<&'static Row> {
    (primitive as &dyn Any).downcast_ref::<Elementwise>().map(|own| own.0)
}

fn is_row(primitive: &dyn Primitive, row: &'static Row) -> bool {
    row_of(primitive).is_some_and(|own| std::ptr::eq(own, row))
}

fn is_broadcast(primitive: &dyn Primitive) -> bool {
    (primitive as &dyn Any).is::<BroadcastInDim>()
}

fn is_conversion(primitive: &dyn Primitive) -> bool {
    (primitive as &dyn Any).is::<ConvertElementType>()
}

/// A graph in the making.
struct Graph {
    vars: Vec<Aval>,
    eqns: Vec<Eqn>,
    /// Where in `eqns` variables are bound, by equations with one result.
    made: FxHashMap<Var, usize>,
    /// The same of results of `bfloat16`, which no other rule is about.
    short: FxHashMap<Var, usize>,
    /// Variables that are bound to numbers that are known when the graph is compiled.
    constants: FxHashSet<Var>,
    /// How many inputs and results each variable is.
    reads: FxHashMap<Var, usize>,
    /// How many equations read a number for each of their elements.
    repeated: FxHashMap<Var, usize>,
    changed: bool,
}

impl Graph {
    fn count<'a>(&mut self, atoms: impl Iterator<Item = &'a Atom>) {
        for var in atoms.filter_map(Atom::var) {
            *self.reads.entry(var).or_default() += 1;
        }
    }

    /// Notes which numbers an equation reads for each of its elements.
    fn count_repeated(&mut self, eqn: &Eqn) {
        let Some(out) = eqn.outputs.first() else { return };
        let is_wide = !self.vars[out.0 as usize].shape.is_empty();
        if is_wide && (row_of(&*eqn.primitive).is_some() || is_broadcast(&*eqn.primitive)) {
            for var in eqn.inputs.iter().filter_map(Atom::var).filter(|v| self.vars[v.0 as usize].shape.is_empty()) {
                *self.repeated.entry(var).or_default() += 1;
            }
        }
    }

    /// Adds an equation, simplified, or those of the graph in it.
    fn add(&mut self, eqn: &Eqn) {
        match inlined(&*eqn.primitive) {
            Some(inner) => self.inline(inner, eqn),
            None => self.push(eqn.clone()),
        }
    }

    /// Adds the equations of a call.
    fn inline(&mut self, inner: &ClosedJaxpr, call: &Eqn) {
        let graph = &inner.jaxpr;
        let mut own: Vec<Option<Atom>> = vec![None; graph.vars.len()];
        for (var, value) in graph.constvars.iter().zip(inner.consts.iter()) {
            own[var.0 as usize] = Some(Atom::Literal(value.clone()));
        }
        for (var, atom) in graph.invars.iter().zip(&call.inputs) {
            own[var.0 as usize] = Some(atom.clone());
            // The call itself reads nothing.
            if let Some(count) = atom.var().and_then(|var| self.reads.get_mut(&var)) {
                *count = count.saturating_sub(1);
            }
        }
        let atom = |own: &[Option<Atom>], atom: &Atom| match atom {
            Atom::Var(var) => own[var.0 as usize].clone().unwrap_or_else(|| atom.clone()),
            Atom::Literal(_) => atom.clone(),
        };
        // Results of the call are bound by the equations that make them, once each.
        for (result, out) in graph.outvars.iter().zip(&call.outputs) {
            if let Some(place) = result.var().map(|var| &mut own[var.0 as usize]).filter(|place| place.is_none()) {
                *place = Some(Atom::Var(*out));
            }
        }
        for eqn in &graph.eqns {
            for out in &eqn.outputs {
                if own[out.0 as usize].is_none() {
                    own[out.0 as usize] = Some(Atom::Var(self.var(graph.aval(*out).clone())));
                }
            }
            let inputs: SmallVec<[Atom; 3]> = eqn.inputs.iter().map(|a| atom(&own, a)).collect();
            self.count(inputs.iter());
            let outputs = eqn.outputs.iter().filter_map(|v| own[v.0 as usize].as_ref().and_then(Atom::var)).collect();
            let eqn = Eqn { primitive: eqn.primitive.clone(), inputs, outputs, source: call.source };
            self.count_repeated(&eqn);
            self.push(eqn);
        }
        // What is passed on, or given twice.
        for (result, out) in graph.outvars.iter().zip(&call.outputs) {
            let value = atom(&own, result);
            if value.var() != Some(*out) {
                let primitive = Rc::new(Identity::copy());
                self.push(Eqn { primitive, inputs: smallvec![value], outputs: smallvec![*out], source: call.source });
            }
        }
    }

    fn var(&mut self, aval: Aval) -> Var {
        self.vars.push(aval);
        Var(self.vars.len() as u32 - 1)
    }

    fn aval<'a>(&'a self, atom: &'a Atom) -> &'a Aval {
        match atom {
            Atom::Var(var) => &self.vars[var.0 as usize],
            Atom::Literal(value) => &value.aval,
        }
    }

    /// Adds an equation that rules are tried on.
    fn push(&mut self, mut eqn: Eqn) {
        if let Some((primitive, inputs)) = self.widened(&eqn).or_else(|| self.unrounded(&eqn)) {
            eqn = Eqn { primitive, inputs, ..eqn };
            self.changed = true;
        }
        if let [out] = eqn.outputs[..]
            && self.vars[out.0 as usize].dtype == DType::BF16
        {
            self.short.insert(out, self.eqns.len());
        }
        if let [out] = eqn.outputs[..]
            && is_simplified(self.vars[out.0 as usize].dtype)
        {
            for _ in 0..ROUNDS {
                let Some((primitive, inputs)) = self.better(&eqn) else { break };
                eqn = Eqn { primitive, inputs, ..eqn };
                self.changed = true;
            }
            if let [a, b] = &eqn.inputs[..]
                && is_row(&*eqn.primitive, &table::DIV)
                && self.aval(b).shape.is_empty()
                && !self.aval(a).shape.is_empty()
            {
                eqn.primitive = elementwise::of(&table::DIV_EACH);
                self.changed = true;
            }
            self.made.insert(out, self.eqns.len());
            let is_plain = row_of(&*eqn.primitive).is_some() || is_conversion(&*eqn.primitive);
            if is_plain && eqn.inputs.iter().all(|atom| self.is_constant(atom)) {
                self.constants.insert(out);
            }
        }
        self.eqns.push(eqn);
    }

    /// What gives a result of `bfloat16` that is made 32 bits wide, without rounding it.
    fn unrounded(&mut self, eqn: &Eqn) -> Option<Made> {
        let [Atom::Var(given)] = eqn.inputs[..] else { return None };
        if !widens(&*eqn.primitive) {
            return None;
        }
        let (primitive, inputs) = self.wide_maker(given)?;
        // Its operands are rounded.
        let wide = |atom: Atom| {
            let (convert, out) = self.in_single(atom);
            self.eqns.push(convert);
            out
        };
        Some((primitive, inputs.into_iter().map(wide).collect()))
    }

    /// What makes a result of `bfloat16`, in 32 bits; its inputs are those that it has.
    fn wide_maker(&self, given: Var) -> Option<Made> {
        let maker = &self.eqns[*self.short.get(&self.but_for_ones(given))?];
        let avals: SmallVec<[&Aval; 3]> = maker.inputs.iter().map(|atom| self.aval(atom)).collect();
        Some((unrounded::wide(&maker.primitive, &avals)?, maker.inputs.clone()))
    }

    /// The equation that makes something 32 bits wide.
    fn in_single(&mut self, atom: Atom) -> (Eqn, Atom) {
        let out = self.var(Aval { dtype: DType::F32, ..self.aval(&atom).clone() });
        let primitive = Rc::new(ConvertElementType { dtype: DType::F32, weak: false });
        (Eqn { primitive, inputs: smallvec![atom], outputs: smallvec![out], source: 0 }, Atom::Var(out))
    }

    /// A function of `bfloat16` that XLA computes in 32 bits, where that is seen of an operand: it is not rounded.
    fn widened(&mut self, eqn: &Eqn) -> Option<Made> {
        let [out] = eqn.outputs[..] else { return None };
        let is_short = |atom: &Atom| self.aval(atom).dtype == DType::BF16;
        let is_seen = |atom: &Atom| atom.var().is_some_and(|var| self.wide_maker(var).is_some());
        if !unrounded::is_wide_inside(&*eqn.primitive)
            || !eqn.inputs.iter().all(is_short)
            || !eqn.inputs.iter().any(is_seen)
        {
            return None;
        }
        let wide = |atom: &Atom| {
            let (convert, out) = self.in_single(atom.clone());
            self.push(convert);
            out
        };
        let inputs = eqn.inputs.iter().map(wide).collect();
        let result = self.var(Aval { dtype: DType::F32, ..self.vars[out.0 as usize].clone() });
        self.push(Eqn { primitive: eqn.primitive.clone(), inputs, outputs: smallvec![result], source: eqn.source });
        let round = Rc::new(ConvertElementType { dtype: DType::BF16, weak: false });
        Some((round, smallvec![Atom::Var(result)]))
    }

    /// What a short number is that is multiplied by ones, or kept from derivatives: both are left out.
    fn but_for_ones(&self, mut given: Var) -> Var {
        let other = |given: Var| {
            let product = self.short.get(&given).map(|at| &self.eqns[*at])?;
            if product.primitive.name() == "stop_gradient" {
                return product.inputs[0].var();
            }
            let [a, b] = &product.inputs[..] else { return None };
            if !is_row(&*product.primitive, &table::MUL) {
                return None;
            }
            let own = if self.is_one(b) { a.var() } else { b.var().filter(|_| self.is_one(a)) }?;
            (self.vars[own.0 as usize].shape == self.vars[given.0 as usize].shape).then_some(own)
        };
        while let Some(own) = other(given) {
            given = own;
        }
        given
    }

    /// Whether all elements are the number one, which may be repeated and converted.
    fn is_one(&self, atom: &Atom) -> bool {
        let Atom::Var(var) = atom else {
            return matches!(atom, Atom::Literal(value) if value.tensor().and_then(|one| one.number(0)).is_some_and(|one| one.as_float() == 1.0));
        };
        let eqn = self.made.get(var).or_else(|| self.short.get(var)).map(|at| &self.eqns[*at]);
        let is_moved = |primitive: &dyn Primitive| {
            is_broadcast(primitive) || (primitive as &dyn Any).downcast_ref::<ConvertElementType>().is_some()
        };
        eqn.is_some_and(|eqn| is_moved(&*eqn.primitive) && self.is_one(&eqn.inputs[0]))
    }

    /// A new result.
    fn bind<const N: usize>(&mut self, row: &'static Row, inputs: [Atom; N], like: &Atom) -> Atom {
        let mut like = self.aval(like).clone();
        like.shape = widest(inputs.iter().map(|atom| &self.aval(atom).shape)).unwrap_or(like.shape);
        let out = self.var(like);
        let (primitive, inputs) = made(row, inputs);
        self.push(Eqn { primitive, inputs, outputs: smallvec![out], source: 0 });
        Atom::Var(out)
    }

    /// The equation that binds a variable.
    fn maker(&self, atom: &Atom) -> Option<&Eqn> {
        Some(&self.eqns[*self.made.get(&atom.var()?)?])
    }

    /// The inputs of what an operation makes.
    fn made_by<const N: usize>(&self, atom: &Atom, row: &'static Row) -> Option<[Atom; N]> {
        let eqn = self.maker(atom)?;
        let inputs: &[Atom; N] = eqn.inputs[..].try_into().ok()?;
        is_row(&*eqn.primitive, row).then(|| inputs.clone())
    }

    fn is_complex(&self, atom: &Atom) -> bool {
        self.aval(atom).dtype.is_complex()
    }

    /// Whether one equation alone, or one result, reads a variable.
    fn is_read_once(&self, atom: &Atom) -> bool {
        atom.var().is_some_and(|var| self.reads.get(&var).is_none_or(|count| *count <= 1))
    }

    fn is_constant(&self, atom: &Atom) -> bool {
        atom.var().is_none_or(|var| self.constants.contains(&var))
    }

    fn one(&self, like: &Atom) -> Atom {
        Atom::Literal(Array::known(Tensor::scalar_of(self.aval(like).dtype, 1i64), false))
    }

    /// One over something.
    fn reciprocal(&mut self, of: &Atom) -> Atom {
        let one = self.one(of);
        self.folded(&table::DIV, one, of.clone())
    }

    /// An operation on constants: a number where they are.
    fn folded(&mut self, row: &'static Row, a: Atom, b: Atom) -> Atom {
        let like = if self.aval(&a).shape.is_empty() { b.clone() } else { a.clone() };
        let inputs = [a, b];
        let number = |atom: &Atom| match atom {
            Atom::Literal(value) => value.tensor().filter(|t| t.shape.is_empty()).cloned(),
            Atom::Var(_) => None,
        };
        let numbers: Option<Vec<Tensor>> = inputs.iter().map(number).collect();
        if let Some(Ok(mut found)) = numbers.map(|numbers| elementwise::of(row).eval(&numbers)) {
            return Atom::Literal(Array::known(found.swap_remove(0), false));
        }
        self.bind(row, inputs, &like)
    }

    /// How a result is made instead.
    fn better(&mut self, eqn: &Eqn) -> Option<Made> {
        let out = self.vars[eqn.outputs[0].0 as usize].shape.clone();
        // What is repeated where it is read stands behind a broadcast in XLA, which rules do not see through.
        let is_whole = |graph: &Graph, atom: &Atom| graph.aval(atom).shape == out;
        if let Some(power) = (&*eqn.primitive as &dyn Any).downcast_ref::<IntegerPow>() {
            return self.whole_power(&eqn.inputs[0], power.y);
        }
        let row = row_of(&*eqn.primitive)?;
        match (&eqn.inputs[..], row.name) {
            ([a, b], "div") => {
                let whole = [is_whole(self, a), is_whole(self, b)];
                self.quotient(a.clone(), b.clone(), whole)
            }
            ([a, b], "mul") => self.product(a, b, is_whole(self, a) && is_whole(self, b)),
            ([a, b], "add") => self.sum(a, b, false),
            ([a, b], "sub") => self.sum(a, b, true),
            ([a, b], "pow") if is_whole(self, a) => self.power(a, b),
            ([a], "log") => self.logarithm(a),
            _ => None,
        }
    }

    /// `whole`: whether both are as wide as the result.
    fn quotient(&mut self, a: Atom, b: Atom, whole: [bool; 2]) -> Option<Made> {
        if self.is_constant(&b) {
            return (!self.is_constant(&a)).then(|| made(&table::MUL, [a, self.reciprocal(&b)]));
        }
        if self.is_complex(&b) {
            return self.nested_quotient(a, b, whole);
        }
        if !whole[1] {
            return self.by_what_is_repeated(a, b, true);
        }
        if let Some([x]) = self.made_by(&b, &table::SQRT) {
            return Some(self.scaled(a, &table::RSQRT, [x], &b));
        }
        if let Some([x]) = self.made_by(&b, &table::RSQRT) {
            return Some(self.scaled(a, &table::SQRT, [x], &b));
        }
        if let Some([y]) = self.made_by(&b, &table::EXP) {
            if let Some([x]) = self.made_by(&a, &table::EXP).filter(|_| whole[0]) {
                let difference = self.bind(&table::SUB, [x, y], &b);
                return Some(made(&table::EXP, [difference]));
            }
            let negative = self.bind(&table::NEG, [y], &b);
            return Some(self.scaled(a, &table::EXP, [negative], &b));
        }
        if let Some([x, y]) = self.made_by(&b, &table::POW).filter(|[x, y]| self.aval(x).dtype == self.aval(y).dtype) {
            let negative = self.bind(&table::NEG, [y.clone()], &y);
            return Some(self.scaled(a, &table::POW, [x, negative], &b));
        }
        self.nested_quotient(a.clone(), b.clone(), whole).or_else(|| self.by_what_is_repeated(a, b, false))
    }

    /// A factor and an operation; the operation alone where the factor is one.
    fn scaled<const N: usize>(&mut self, factor: Atom, row: &'static Row, inputs: [Atom; N], like: &Atom) -> Made {
        if self.is_one(&factor) {
            return made(row, inputs);
        }
        let other = self.bind(row, inputs, like);
        made(&table::MUL, [factor, other])
    }

    /// Quotients of quotients that nobody else reads.
    fn nested_quotient(&mut self, a: Atom, b: Atom, whole: [bool; 2]) -> Option<Made> {
        let x = self.made_by(&a, &table::DIV).filter(|_| whole[0] && self.is_read_once(&a));
        let y = self.made_by(&b, &table::DIV).filter(|_| whole[1] && self.is_read_once(&b));
        match (x, y) {
            (Some([p, q]), Some([r, s])) => {
                let (over, under) = (self.bind(&table::MUL, [p, s], &b), self.bind(&table::MUL, [q, r], &b));
                Some(made(&table::DIV, [over, under]))
            }
            (Some([p, q]), None) => {
                let under = self.bind(&table::MUL, [q, b], &a);
                Some(made(&table::DIV, [p, under]))
            }
            (None, Some([r, s])) => {
                let over = self.bind(&table::MUL, [a, s], &b);
                Some(made(&table::DIV, [over, r]))
            }
            (None, None) => None,
        }
    }

    /// What all elements, or all of a row, are divided by is inverted once. `here`: whether it is repeated where it is read, which is a
    /// broadcast of its own in XLA.
    fn by_what_is_repeated(&mut self, a: Atom, b: Atom, here: bool) -> Option<Made> {
        let wide = self.aval(&b).clone();
        if here && !wide.shape.is_empty() {
            return Some(made(&table::MUL, [a, self.reciprocal(&b)]));
        }
        if wide.shape.is_empty() {
            let once = b.var().is_some_and(|var| self.repeated.get(&var).is_none_or(|count| *count <= 1));
            let is_repeated = once && !self.aval(&a).shape.is_empty();
            return is_repeated.then(|| made(&table::MUL, [a, self.reciprocal(&b)]));
        }
        let maker = self.maker(&b).filter(|_| self.is_read_once(&b))?;
        is_broadcast(&*maker.primitive).then_some(())?;
        let (repeat, narrow) = (maker.primitive.clone(), maker.inputs[0].clone());
        let inverse = self.reciprocal(&narrow);
        let out = self.var(wide);
        self.push(Eqn { primitive: repeat, inputs: smallvec![inverse], outputs: smallvec![out], source: 0 });
        Some(made(&table::MUL, [a, Atom::Var(out)]))
    }

    fn product(&mut self, a: &Atom, b: &Atom, whole: bool) -> Option<Made> {
        if let Some((x, c, d)) = self.with_constants(a, b, &table::MUL) {
            let both = self.folded(&table::MUL, c, d);
            return Some(made(&table::MUL, [x, both]));
        }
        let real = whole && !self.is_complex(a);
        let ([x], [y]) = (self.made_by(a, &table::EXP).filter(|_| real)?, self.made_by(b, &table::EXP)?);
        let sum = self.bind(&table::ADD, [x, y], a);
        Some(made(&table::EXP, [sum]))
    }

    /// `(x + c) + d`, `(x - c) + d`, `(c - x) + d`, and with a minus before `d`.
    fn sum(&mut self, a: &Atom, b: &Atom, minus: bool) -> Option<Made> {
        let (inner, d) = match (self.is_constant(a), self.is_constant(b)) {
            (false, true) => (a, b.clone()),
            (true, false) if !minus => (b, a.clone()),
            _ => return None,
        };
        if let Some((x, c)) = self.constant_of(inner, &table::ADD) {
            self.are_alike(inner, &c, &d).then_some(())?;
            let both = self.folded(if minus { &table::SUB } else { &table::ADD }, c, d);
            return Some(made(&table::ADD, [x, both]));
        }
        let [x, c] = self.made_by(inner, &table::SUB)?;
        match (self.is_constant(&x), self.is_constant(&c)) {
            (false, true) if self.are_alike(inner, &c, &d) => {
                let (row, first) = if minus { (&table::ADD, d) } else { (&table::SUB, d) };
                let both = self.folded(row, first, c);
                Some(made(if minus { &table::SUB } else { &table::ADD }, [x, both]))
            }
            (true, false) if self.are_alike(inner, &x, &d) => {
                let both = self.folded(if minus { &table::SUB } else { &table::ADD }, x, d);
                Some(made(&table::SUB, [both, c]))
            }
            _ => None,
        }
    }

    /// `x`, `c` and `d` of `(x ∘ c) ∘ d`, in any order; `c` and `d` are constants.
    fn with_constants(&self, a: &Atom, b: &Atom, row: &'static Row) -> Option<(Atom, Atom, Atom)> {
        let (inner, d) = match (self.is_constant(a), self.is_constant(b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return None,
        };
        let (x, c) = self.constant_of(inner, row)?;
        self.are_alike(inner, &c, d).then(|| (x, c, d.clone()))
    }

    /// Whether constants are gathered: both are one number, or arrays of one shape, and what they are applied to is not repeated.
    fn are_alike(&self, inner: &Atom, c: &Atom, d: &Atom) -> bool {
        let [inner, c, d] = [inner, c, d].map(|atom| &self.aval(atom).shape);
        c == d && (d.is_empty() || d == inner)
    }

    /// `x` and `c` of `x ∘ c`, of which one is a constant.
    fn constant_of(&self, atom: &Atom, row: &'static Row) -> Option<(Atom, Atom)> {
        let [x, c] = self.made_by(atom, row)?;
        match (self.is_constant(&x), self.is_constant(&c)) {
            (false, true) => Some((x, c)),
            (true, false) => Some((c, x)),
            _ => None,
        }
    }

    fn power(&mut self, a: &Atom, b: &Atom) -> Option<Made> {
        if self.is_complex(a) || self.aval(a).dtype != self.aval(b).dtype {
            return None;
        }
        if let Some([x]) = self.made_by(a, &table::EXP) {
            let product = self.bind(&table::MUL, [x, b.clone()], a);
            return Some(made(&table::EXP, [product]));
        }
        let Atom::Literal(exponent) = b else { return None };
        let exponent = exponent.tensor().filter(|t| t.shape.is_empty())?.number(0)?.as_float();
        let times = |x: Atom| made(&table::MUL, [x, a.clone()]);
        match exponent {
            2.0 => Some(times(a.clone())),
            3.0 => {
                let square = self.bind(&table::MUL, [a.clone(), a.clone()], a);
                Some(times(square))
            }
            -1.0 => {
                let one = self.one(a);
                Some(made(&table::DIV, [one, a.clone()]))
            }
            _ => None,
        }
    }

    /// Powers are products, of which rules know those of exponentials.
    fn whole_power(&mut self, a: &Atom, y: i64) -> Option<Made> {
        let [_] = self.made_by::<1>(a, &table::EXP)?;
        let (mut square, mut all, mut left): (_, Option<Atom>, _) = (a.clone(), None, y.unsigned_abs());
        while left > 1 {
            if left & 1 == 1 {
                all = Some(match all {
                    Some(all) => self.bind(&table::MUL, [all, square.clone()], a),
                    None => square.clone(),
                });
            }
            left >>= 1;
            if left > 1 || all.is_some() || y < 0 {
                square = self.bind(&table::MUL, [square.clone(), square], a);
            } else {
                return Some(made(&table::MUL, [square.clone(), square]));
            }
        }
        match (all, y < 0) {
            (Some(all), false) => Some(made(&table::MUL, [all, square])),
            (Some(all), true) => {
                let product = self.bind(&table::MUL, [all, square], a);
                Some(made(&table::DIV, [self.one(a), product]))
            }
            (None, true) => Some(made(&table::DIV, [self.one(a), square])),
            (None, false) => None,
        }
    }

    fn logarithm(&mut self, a: &Atom) -> Option<Made> {
        if self.is_complex(a) {
            return None;
        }
        if let Some([x]) = self.made_by(a, &table::EXP) {
            return Some((Rc::new(Identity::copy()), smallvec![x]));
        }
        let half = |graph: &mut Graph, x: Atom, by: f64| {
            let number = Tensor::scalar_of(graph.aval(a).dtype, by);
            let log = graph.bind(&table::LOG, [x], a);
            Some(made(&table::MUL, [log, Atom::Literal(Array::known(number, false))]))
        };
        if let Some([x]) = self.made_by(a, &table::SQRT) {
            return half(self, x, 0.5);
        }
        if let Some([x]) = self.made_by(a, &table::RSQRT) {
            return half(self, x, -0.5);
        }
        let [x, y] = self.made_by(a, &table::POW)?;
        self.logarithm_of_power(a, x, y)
    }

    /// `y log |x|`, and 0 where `y` is.
    fn logarithm_of_power(&mut self, a: &Atom, x: Atom, y: Atom) -> Option<Made> {
        let (own, exponent) = (self.aval(a).clone(), self.aval(&y).clone());
        if exponent.dtype != own.dtype {
            return None;
        }
        let size = |graph: &mut Graph, x: Atom| {
            let size = graph.bind(&table::ABS, [x], a);
            graph.bind(&table::LOG, [size], a)
        };
        if let Atom::Literal(number) = &y {
            let is_zero = number.tensor()?.numbers().any(|number| number.as_float() == 0.0);
            return (!is_zero).then(|| made(&table::MUL, [y.clone(), size(self, x)]));
        }
        if exponent.shape != own.shape {
            return None;
        }
        let log = size(self, x);
        let product = self.bind(&table::MUL, [y.clone(), log], a);
        let zero = Atom::Literal(Array::known(Tensor::scalar_of(own.dtype, 0i64), false));
        let is_zero = self.var(Aval { dtype: DType::Bool, weak: false, ..own });
        let (primitive, inputs) = made(&table::EQ, [y.clone(), zero]);
        self.push(Eqn { primitive, inputs, outputs: smallvec![is_zero], source: 0 });
        Some((Rc::new(SelectN), smallvec![Atom::Var(is_zero), product, y]))
    }
}

/// The shape of a result of arrays that are repeated along axes of size 1, and of numbers.
fn widest<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Option<Shape> {
    shapes.cloned().reduce(|mine, theirs| match mine.len().cmp(&theirs.len()) {
        Ordering::Less => theirs,
        Ordering::Greater => mine,
        Ordering::Equal => {
            let is_one = |size: &Dim| size.known() == Some(1);
            mine.into_iter().zip(theirs).map(|(a, b)| if is_one(&a) { b } else { a }).collect()
        }
    })
}

/// An operation, and what it is applied to.
type Made = (Rc<dyn Primitive>, SmallVec<[Atom; 3]>);

fn made<const N: usize>(row: &'static Row, inputs: [Atom; N]) -> Made {
    (elementwise::of(row), inputs.into_iter().collect())
}
