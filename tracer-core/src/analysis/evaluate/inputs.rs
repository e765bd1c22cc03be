//! What graphs are evaluated for.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::{Evaluation, observed};
use crate::array::{Aval, Kind, Tensor};
use crate::interp::{GraphNote, Interp};
use crate::trace::{Observer, Repr, Val};
use crate::transforms::eval::{self, binary, eval_tensors};

/// Arrays that stand in for what a program gives, by the names of arguments (`x`, `params['w']`), or `arr_0`, `arr_1` … by their
/// places, as `numpy.savez` names what has no name.
#[derive(Clone, Debug)]
pub struct Given(pub Arc<[(String, Tensor)]>);

/// What a graph is evaluated for.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub tensors: Vec<Tensor>,
    /// Whether some of them are made up.
    pub made_up: bool,
    /// Names of those that stand in for what the program gives.
    pub given: Vec<String>,
}

/// The inputs of a graph, once it is known that it may run.
///
/// # Errors
/// Why it may not, or why there are no inputs.
pub(super) fn choose(
    it: &Rc<Interp>,
    evaluation: &Evaluation,
    note: &GraphNote,
    all: &[GraphNote],
) -> Result<Chosen, String> {
    let in_avals = note.graph.in_avals();
    let bytes = eval::memory(&note.graph);
    if bytes > evaluation.memory {
        return Err(format!("needs {}, limit {}", binary(bytes), binary(evaluation.memory)));
    }
    let operations = eval::cost(&note.graph);
    if operations > evaluation.fuel {
        return Err(format!("needs {operations:.2e} scalar operations, limit {:.2e}", evaluation.fuel));
    }
    let places = match &evaluation.given {
        Some(given) => given.places(note)?,
        None => vec![None; in_avals.len()],
    };
    // What the program gives is not asked for where a file gives it all.
    let complete = !places.is_empty() && places.iter().all(Option::is_some);
    let program = if complete { None } else { given(it, note).or_else(|| given_within(it, note, all)) };
    let made_up = !complete && program.is_none();
    let mut program = program.map(Vec::into_iter);
    let mut chosen = Chosen { made_up, ..Chosen::default() };
    for (i, (aval, place)) in in_avals.iter().zip(places).enumerate() {
        let theirs = program.as_mut().and_then(Iterator::next);
        let tensor = match place {
            Some((name, tensor)) => {
                chosen.given.push(name);
                Some(tensor)
            }
            None => theirs.or_else(|| made(aval, i)),
        };
        let tensor = tensor.ok_or("its arguments are of types that no numbers are made up for")?;
        chosen.tensors.push(tensor);
    }
    Ok(chosen)
}

impl Given {
    /// For each input of a graph the array that stands in for it, with the name of the input.
    ///
    /// # Errors
    /// Where an array has no place, or another type.
    fn places(&self, note: &GraphNote) -> Result<Vec<Option<(String, Tensor)>>, String> {
        let in_avals = note.graph.in_avals();
        let names = &note.graph.jaxpr.debug.arguments;
        let named = |i: usize| names.get(i).map_or_else(|| format!("arr_{i}"), ToString::to_string);
        let mut places = vec![None; in_avals.len()];
        for (name, tensor) in &*self.0 {
            let position = || name.strip_prefix("arr_")?.parse().ok().filter(|&i: &usize| i < in_avals.len());
            let Some(at) = names.iter().position(|known| **known == **name).or_else(position) else {
                let all: Vec<String> = (0..in_avals.len()).map(named).collect();
                return Err(format!("has no input `{name}`; there are {}", all.join(", ")));
            };
            places[at] = Some((named(at), fit(&named(at), tensor, &in_avals[at])?));
        }
        Ok(places)
    }
}

/// An array as an input of this type: the shape has to be the same, and a conversion may not change the kind of numbers.
fn fit(name: &str, tensor: &Tensor, aval: &Aval) -> Result<Tensor, String> {
    let shape: Option<Vec<usize>> = aval.shape.iter().map(|d| d.known()).collect();
    let own = if aval.dtype.is_key() { tensor.clone().logical(aval.dtype) } else { tensor.clone() };
    let rank = |kind: Kind| match kind {
        Kind::Bool => 0,
        Kind::Signed | Kind::Unsigned => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
        Kind::Float0 | Kind::Key => 4,
    };
    let fits = shape.is_none_or(|shape| own.shape[..] == shape[..])
        && (!aval.dtype.is_key() || tensor.dtype == crate::array::DType::U32)
        && rank(own.dtype.kind()) <= rank(aval.dtype.kind());
    match fits {
        true if own.dtype == aval.dtype => Ok(own),
        true => Ok(own.convert(aval.dtype)),
        false => Err(format!("`{name}` is {aval} in the graph, {} in the file", tensor.aval())),
    }
}

/// The numbers that a graph is given by the program.
fn given(it: &Interp, note: &GraphNote) -> Option<Vec<Tensor>> {
    note.inputs.as_ref()?.iter().map(|value| numbers(it, value)).collect()
}

/// The numbers that a value stands for: of one that is differentiated its own, of one that is mapped over those of the first place.
fn numbers(it: &Interp, value: &Val) -> Option<Tensor> {
    match &value.repr {
        Repr::Staged(..) => None,
        Repr::Dual(_, primal, _) | Repr::Linear(_, primal, _) => numbers(it, primal),
        Repr::Batched(_, whole, Some(axis)) => first_along(numbers(it, whole)?, *axis),
        Repr::Batched(_, whole, None) => numbers(it, whole),
        _ => it.engine.force(value).ok(),
    }
}

/// The first of the arrays that lie along an axis of one.
fn first_along(whole: Tensor, axis: usize) -> Option<Tensor> {
    let mut order: Vec<usize> = (0..whole.shape.len()).collect();
    order.remove(axis);
    order.insert(0, axis);
    (whole.shape[axis] > 0).then(|| whole.permute(&order).row(0))
}

/// The numbers that a graph is first given within another one that the program calls.
fn given_within(it: &Rc<Interp>, note: &GraphNote, all: &[GraphNote]) -> Option<Vec<Tensor>> {
    let found: Rc<RefCell<Option<Vec<Tensor>>>> = Rc::default();
    let (seen, wanted) = (found.clone(), note.graph.jaxpr.clone());
    let observer: Observer = Rc::new(move |primitive, inputs, _| {
        if seen.borrow().is_none() && primitive.graphs().iter().any(|graph| Rc::ptr_eq(graph, &wanted)) {
            *seen.borrow_mut() = Some(inputs.to_vec());
        }
    });
    for outer in all.iter().filter(|outer| !Rc::ptr_eq(&outer.graph.jaxpr, &note.graph.jaxpr)) {
        if let Some(inputs) = given(it, outer) {
            let _ = observed(it, &observer, false, || eval_tensors(&it.engine, &outer.graph, &inputs));
            if let Some(inputs) = found.borrow_mut().take() {
                return Some(inputs).filter(|inputs| inputs.len() == note.graph.jaxpr.invars.len());
            }
        }
    }
    None
}

/// Numbers for an input: the same at each run. Floats lie between -1 and 1, integers are 0 and 1 by turns.
fn made(aval: &Aval, input: usize) -> Option<Tensor> {
    let shape: Vec<usize> = aval.shape.iter().map(|d| d.known()).collect::<Option<_>>()?;
    let count: usize = shape.iter().product();
    if count > MOST_MADE_UP {
        return None;
    }
    let dtype = aval.dtype;
    if !matches!(dtype.kind(), Kind::Float | Kind::Complex | Kind::Signed | Kind::Unsigned | Kind::Bool) {
        return Some(Tensor::zeros(dtype, shape));
    }
    // Weyl's sequence: evenly spread, without a period that shapes share.
    let spread = |i: usize| ((i + 1) as f64 * 0.618_033_988_749_894_9 + input as f64 * 0.414_213_562_373_095).fract();
    let numbers = (0..count).map(|i| match dtype.is_inexact() {
        true => 2.0 * spread(i) - 1.0,
        false => (i % 2) as f64,
    });
    Some(Tensor::new(shape, numbers.collect::<Vec<f64>>()).convert(dtype))
}

/// Larger inputs are not made up.
const MOST_MADE_UP: usize = 1 << 24;
