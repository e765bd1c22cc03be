//! Chains of elementwise equations over large arrays, run a block at a time: what one equation gives is still in the processor's
//! cache when the next one reads it, and arrays that nobody else reads are never there as a whole.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use jitlens_kernels::work;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::turned::{self, Turned};
use crate::array::tensor::{Data, Element};
use crate::array::{DType, Spoils, Tensor};
use crate::primitives::{BroadcastInDim, ByElement, Primitive};
use crate::trace::{Atom, Eqn, Jaxpr, Var};

/// Arrays of fewer elements are in the cache anyway.
const LARGE: usize = 1 << 15;

/// Elements of a block.
const BLOCK: usize = 1 << 12;

/// Elements that a thread does at a time.
const PART: usize = 1 << 15;

/// What is done at a time.
#[derive(Debug)]
pub enum Work {
    /// One equation.
    One(usize),
    /// A chain of them.
    Chain(Chain),
    /// A product and the transposition of its result.
    Turned(Turned),
}

/// A chain of equations.
pub struct Chain {
    /// The equations, in their order.
    pub equations: Box<[usize]>,
    /// What is read from outside, each once.
    pub reads: Box<[Atom]>,
    steps: Box<[Step]>,
    results: Box<[(Var, usize)]>,
    len: usize,
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.equations)
    }
}

/// One equation of a chain.
struct Step {
    what: What,
    inputs: SmallVec<[Slot; 3]>,
    /// Slots of earlier steps that are read for the last time.
    dead: SmallVec<[usize; 2]>,
}

enum What {
    Apply(ByElement),
    /// Element `i` of the result is element `i / each % count` of the input.
    Repeat {
        each: usize,
        count: usize,
    },
}

/// Where an input of a step comes from.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Slot {
    /// From outside.
    Read(usize),
    /// A step before.
    Step(usize),
}

/// The work of a graph, where there is something to be done together.
pub fn find(jaxpr: &Jaxpr) -> Option<Box<[Work]>> {
    let is_large = |eqn: &Eqn| eqn.outputs.len() == 1 && size(jaxpr, eqn).is_some_and(|n| n >= LARGE);
    let mut turned = turned::find(jaxpr);
    if turned.is_empty() && !jaxpr.eqns.iter().any(is_large) {
        return None;
    }
    let transposed: FxHashSet<usize> = turned.values().map(|pair| pair.transpose).collect();
    let mut all: Vec<Work> = Vec::new();
    let mut open = Open::default();
    let mut found = !turned.is_empty();
    for (at, eqn) in jaxpr.eqns.iter().enumerate().filter(|(at, _)| !transposed.contains(at)) {
        let step = if is_large(eqn) { what(jaxpr, eqn) } else { None };
        match step {
            Some(step) => {
                if open.len != size(jaxpr, eqn) {
                    found |= open.close(jaxpr, &mut all);
                }
                open.len = size(jaxpr, eqn);
                open.made.insert(eqn.outputs[0]);
                open.equations.push((at, step));
            }
            None => {
                // What needs nothing of the chain may go before it.
                if eqn.inputs.iter().any(|atom| atom.var().is_some_and(|var| open.made.contains(&var))) {
                    found |= open.close(jaxpr, &mut all);
                }
                all.push(turned.remove(&at).map_or(Work::One(at), Work::Turned));
            }
        }
    }
    found |= open.close(jaxpr, &mut all);
    found.then(|| all.into())
}

fn size(jaxpr: &Jaxpr, eqn: &Eqn) -> Option<usize> {
    jaxpr.aval(*eqn.outputs.first()?).size()
}

/// How an equation is done by blocks, if it can be.
fn what(jaxpr: &Jaxpr, eqn: &Eqn) -> Option<What> {
    let len = size(jaxpr, eqn)?;
    if jaxpr.aval(eqn.outputs[0]).dtype.is_key() {
        return None;
    }
    let primitive: &dyn Primitive = &*eqn.primitive;
    if let Some(broadcast) = (primitive as &dyn std::any::Any).downcast_ref::<BroadcastInDim>() {
        let from = jaxpr.atom_aval(&eqn.inputs[0]);
        let shape: Option<Vec<usize>> = broadcast.shape.iter().map(|d| d.known()).collect();
        let own: Option<Vec<usize>> = from.shape.iter().map(|d| d.known()).collect();
        return match repeat(&own?, &shape?, &broadcast.axes)? {
            What::Repeat { count, .. } if count == len => {
                Some(What::Apply(Arc::new(|t: &[Tensor]| Some(t[0].clone()))))
            }
            what => Some(what),
        };
    }
    let fits = |atom: &Atom| {
        let aval = jaxpr.atom_aval(atom);
        aval.size() == Some(len) || aval.shape.is_empty() && !aval.dtype.is_key()
    };
    let apply = eqn.primitive.by_element()?;
    (eqn.inputs.iter().all(fits) && eqn.inputs.iter().any(|atom| jaxpr.atom_aval(atom).size() == Some(len)))
        .then_some(What::Apply(apply))
}

/// A broadcast along the axes around a run of axes that are kept.
fn repeat(from: &[usize], shape: &[usize], axes: &[usize]) -> Option<What> {
    let kept: Vec<usize> = axes.iter().zip(from).filter(|(_, size)| **size != 1).map(|(axis, _)| *axis).collect();
    let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else {
        return Some(What::Repeat { each: 1, count: 1 });
    };
    // Axes of size 1 between them are no hindrance.
    let others = (first..=last).any(|axis| shape[axis] != 1 && !kept.contains(&axis));
    if others || kept.windows(2).any(|pair| pair[0] >= pair[1]) {
        return None;
    }
    let count = kept.iter().map(|&axis| shape[axis]).product();
    (count == from.iter().product::<usize>()).then(|| What::Repeat { each: shape[last + 1..].iter().product(), count })
}

/// A chain that is being collected.
#[derive(Default)]
struct Open {
    len: Option<usize>,
    equations: Vec<(usize, What)>,
    made: FxHashSet<Var>,
}

impl Open {
    /// Adds what was collected; whether it is a chain.
    fn close(&mut self, jaxpr: &Jaxpr, all: &mut Vec<Work>) -> bool {
        let Open { len, equations, made } = std::mem::take(self);
        // A single equation is done by its own loop, which reads its inputs where they are; but a broadcast is read at once.
        let works = |(at, what): &&(usize, What)| match what {
            What::Apply(_) => {
                jaxpr.eqns[*at].primitive.cost(&[], std::slice::from_ref(jaxpr.aval(jaxpr.eqns[*at].outputs[0]))) > 0
            }
            What::Repeat { .. } => true,
        };
        if equations.iter().filter(works).count() < 2 {
            all.extend(equations.iter().map(|(at, _)| Work::One(*at)));
            return false;
        }
        let members: FxHashSet<usize> = equations.iter().map(|(at, _)| *at).collect();
        let mut needed: FxHashSet<Var> =
            jaxpr.outvars.iter().filter_map(Atom::var).filter(|v| made.contains(v)).collect();
        // Those before the chain read nothing of it.
        let first = equations[0].0;
        for (_, eqn) in jaxpr.eqns.iter().enumerate().skip(first).filter(|(at, _)| !members.contains(at)) {
            needed.extend(eqn.inputs.iter().filter_map(Atom::var).filter(|v| made.contains(v)));
        }
        let mut slots: FxHashMap<Var, Slot> = FxHashMap::default();
        let mut reads: Vec<Atom> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        let mut results = Vec::new();
        let mut last: FxHashMap<usize, usize> = FxHashMap::default();
        let mut indices = Vec::new();
        for (i, (at, what)) in equations.into_iter().enumerate() {
            let eqn = &jaxpr.eqns[at];
            let mut inputs = SmallVec::new();
            for atom in &eqn.inputs {
                let mut read = || {
                    reads.push(atom.clone());
                    Slot::Read(reads.len() - 1)
                };
                let slot = match atom {
                    Atom::Var(var) => *slots.entry(*var).or_insert_with(&mut read),
                    Atom::Literal(_) => read(),
                };
                if let Slot::Step(step) = slot {
                    last.insert(step, i);
                }
                inputs.push(slot);
            }
            let out = eqn.outputs[0];
            slots.insert(out, Slot::Step(i));
            if needed.contains(&out) {
                results.push((out, i));
            }
            steps.push(Step { what, inputs, dead: SmallVec::new() });
            indices.push(at);
        }
        for (step, by) in last {
            if !results.iter().any(|(_, result)| *result == step) {
                steps[by].dead.push(step);
            }
        }
        all.push(Work::Chain(Chain {
            equations: indices.into(),
            reads: reads.into(),
            steps: steps.into(),
            results: results.into(),
            len: len.unwrap_or(0),
        }));
        true
    }
}

/// What running a chain gave.
pub struct Outcome {
    /// The arrays that others read.
    pub results: Vec<(Var, Tensor)>,
    /// The first equation that spoiled numbers, where that was asked: finite ones, or else infinities.
    pub spoiled: Option<Spoiled>,
}

/// An equation that spoiled numbers: with the elements where it first did.
pub struct Spoiled {
    /// The equation.
    pub at: usize,
    /// A stretch of what it reads.
    pub inputs: SmallVec<[Tensor; 3]>,
    /// The same stretch of what it gives.
    pub output: Tensor,
}

impl Chain {
    /// Whether it gives this variable to others.
    pub fn gives(&self, var: Var) -> bool {
        self.results.iter().any(|(result, _)| *result == var)
    }

    /// Runs the chain on what it reads; `None` where some equation has no evaluation.
    pub fn run(&self, jaxpr: &Jaxpr, reads: &[Tensor], look: bool) -> Option<Outcome> {
        let mut out: Vec<Tensor> = self.results.iter().map(|(var, _)| room(jaxpr.aval(*var).dtype, self.len)).collect();
        let (failed, spoiled) = (AtomicBool::new(false), Mutex::new(None));
        {
            let mut parts: Vec<Vec<Stretch>> = (0..self.len.div_ceil(PART)).map(|_| Vec::new()).collect();
            for tensor in &mut out {
                stretches(tensor, &mut parts)?;
            }
            let steps = Steps { steps: &self.steps, results: &self.results, len: self.len };
            work::parts(&mut parts, 1, |part, stretches| {
                if steps.part(part * PART, reads, &mut stretches[0], look.then_some(&spoiled)).is_none() {
                    failed.store(true, Ordering::Relaxed);
                }
            });
        }
        if failed.into_inner() {
            return None;
        }
        let shaped = |((var, _), tensor): (&(Var, usize), Tensor)| {
            let sizes: Option<Vec<usize>> = jaxpr.aval(*var).shape.iter().map(|d| d.known()).collect();
            Some((*var, tensor.reshaped(sizes?)))
        };
        let results = self.results.iter().zip(out).map(shaped).collect::<Option<_>>()?;
        let spoiled = spoiled.into_inner().ok().flatten();
        let spoiled =
            spoiled.map(|((_, step, _), inputs, output)| Spoiled { at: self.equations[step], inputs, output });
        Some(Outcome { results, spoiled })
    }
}

/// How numbers are spoilt first, by which step and from which element on; what it reads and gives there.
type Found = Option<((Spoils, usize, usize), SmallVec<[Tensor; 3]>, Tensor)>;

/// What threads need of a chain.
struct Steps<'a> {
    steps: &'a [Step],
    results: &'a [(Var, usize)],
    len: usize,
}

impl Steps<'_> {
    /// Runs the chain on a part of the elements.
    fn part(&self, start: usize, reads: &[Tensor], out: &mut [Stretch], spoiled: Option<&Mutex<Found>>) -> Option<()> {
        let end = self.len.min(start + PART);
        let mut made: Vec<Option<Tensor>> = Vec::new();
        made.resize_with(self.steps.len(), || None);
        let mut whole: Vec<Option<Tensor>> = Vec::new();
        let stop = work::Stop::here();
        for from in (start..end).step_by(BLOCK) {
            // What is stopped is not read.
            if stop.asked() {
                return Some(());
            }
            let to = end.min(from + BLOCK);
            whole.clear();
            whole.resize_with(reads.len(), || None);
            for (i, step) in self.steps.iter().enumerate() {
                let tensor = match &step.what {
                    What::Repeat { each, count } => {
                        let Slot::Read(read) = step.inputs[0] else {
                            return None;
                        };
                        if reads[read].len() != *count {
                            return None;
                        }
                        repeated(&reads[read], (from, to), *each, *count)
                    }
                    What::Apply(apply) => {
                        let mut inputs: SmallVec<[Tensor; 3]> = SmallVec::new();
                        for slot in &step.inputs {
                            inputs.push(match *slot {
                                Slot::Step(step) => made[step].clone()?,
                                Slot::Read(read) if reads[read].shape.is_empty() => reads[read].clone(),
                                Slot::Read(read) if reads[read].len() != self.len => return None,
                                Slot::Read(read) => {
                                    whole[read].get_or_insert_with(|| cut(&reads[read], from, to)).clone()
                                }
                            });
                        }
                        let tensor = apply(&inputs)?;
                        if let Some(spoiled) = spoiled
                            && let Some(how) = Spoils::of(&inputs, std::slice::from_ref(&tensor))
                        {
                            let mut found = spoiled.lock().ok()?;
                            if found.as_ref().is_none_or(|(first, ..)| (how, i, from) < *first) {
                                *found = Some(((how, i, from), inputs.clone(), tensor.clone()));
                            }
                        }
                        tensor
                    }
                };
                if tensor.len() != to - from {
                    return None;
                }
                made[i] = Some(tensor);
                for dead in &step.dead {
                    if let Some(tensor) = made[*dead].take() {
                        tensor.recycle();
                    }
                }
            }
            for (stretch, (_, step)) in out.iter_mut().zip(self.results) {
                stretch.write(from - start, made[*step].as_ref()?)?;
            }
            made.iter_mut().chain(&mut whole).filter_map(Option::take).for_each(Tensor::recycle);
        }
        Some(())
    }
}

/// The elements from one place to another.
fn cut(tensor: &Tensor, from: usize, to: usize) -> Tensor {
    fn copy<T: Element>(all: &[T]) -> Data {
        let mut out = jitlens_kernels::pool::empty(all.len());
        out.extend_from_slice(all);
        T::wrap(out)
    }
    let data = crate::for_buffer!(&tensor.data, v => copy(&v[from..to]), none => Data::None);
    Tensor::with_data(tensor.dtype, &[to - from][..], data)
}

/// The elements from one place to another of a broadcast array.
fn repeated(tensor: &Tensor, (from, to): (usize, usize), each: usize, count: usize) -> Tensor {
    fn fill<T: Element>(all: &[T], (from, to): (usize, usize), each: usize, count: usize) -> Data {
        let mut out = jitlens_kernels::pool::empty(to - from);
        if each == 1 && count > 1 {
            let mut at = from % count;
            while out.len() < to - from {
                let more = (count - at).min(to - from - out.len());
                out.extend_from_slice(&all[at..at + more]);
                at = 0;
            }
        } else {
            let mut at = from;
            while at < to {
                let value = all[at / each % count];
                let next = if count == 1 { to } else { to.min((at / each + 1) * each) };
                out.extend(std::iter::repeat_n(value, next - at));
                at = next;
            }
        }
        T::wrap(out)
    }
    let data = crate::for_buffer!(&tensor.data, v => fill(v, (from, to), each, count), none => Data::None);
    Tensor::with_data(tensor.dtype, &[to - from][..], data)
}

/// Room for so many elements.
fn room(dtype: DType, len: usize) -> Tensor {
    use DType::*;
    macro_rules! filled {
        ($($dtype:pat => $rust:ty;)*) => {
            match dtype {
                $($dtype => Tensor::wrapped::<$rust>(dtype, &[len][..], jitlens_kernels::pool::filled(len)),)*
                _ => Tensor::zeros(dtype, &[len][..]),
            }
        };
    }
    filled! {
        Bool => bool;
        I2 | I4 | I8 => i8;
        I16 => i16;
        I32 => i32;
        I64 => i64;
        U2 | U4 | U8 => u8;
        U16 => u16;
        U32 => u32;
        U64 => u64;
        BF16 => half::bf16;
        F16 => half::f16;
        F32 | Narrow(_) => f32;
        F64 => f64;
        C64 => num_complex::Complex<f32>;
        C128 => num_complex::Complex<f64>;
    }
}

/// A part of a result that is being written.
enum Stretch<'a> {
    Bool(&'a mut [bool]),
    I8(&'a mut [i8]),
    I16(&'a mut [i16]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U8(&'a mut [u8]),
    U16(&'a mut [u16]),
    U32(&'a mut [u32]),
    U64(&'a mut [u64]),
    BF16(&'a mut [half::bf16]),
    F16(&'a mut [half::f16]),
    F32(&'a mut [f32]),
    F64(&'a mut [f64]),
    C64(&'a mut [num_complex::Complex<f32>]),
    C128(&'a mut [num_complex::Complex<f64>]),
}

macro_rules! stretch {
    ($($variant:ident)*) => {
        /// Hands out the parts of a tensor.
        fn stretches<'a>(tensor: &'a mut Tensor, parts: &mut [Vec<Stretch<'a>>]) -> Option<()> {
            match &mut tensor.data {
                $(Data::$variant(v) => {
                    for (part, all) in Arc::make_mut(v).chunks_mut(PART).zip(parts) {
                        all.push(Stretch::$variant(part));
                    }
                })*
                Data::None => return None,
            }
            Some(())
        }

        impl Stretch<'_> {
            /// Writes a block; `None` where it is of another type.
            fn write(&mut self, at: usize, block: &Tensor) -> Option<()> {
                match (self, &block.data) {
                    $((Stretch::$variant(out), Data::$variant(block)) => {
                        out.get_mut(at..at + block.len())?.copy_from_slice(block);
                    })*
                    _ => return None,
                }
                Some(())
            }
        }
    };
}
stretch! { Bool I8 I16 I32 I64 U8 U16 U32 U64 BF16 F16 F32 F64 C64 C128 }
