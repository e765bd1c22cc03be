//! What expressions are while a graph runs, and where arrays come from.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Summary;
use crate::array::Tensor;
use crate::primitives::Primitive;
use crate::text::Span;
use crate::trace::{Engine, marks};

/// So many arrays are remembered; then it begins anew.
const MOST: usize = 1 << 16;

/// Larger arrays are not summed up: whoever stops the evaluation would wait for that.
const MOST_ELEMENTS: usize = 1 << 21;

/// Steps of a path.
const STEPS: usize = 8;

/// What an expression was.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The file, an index into [`crate::analysis::Analysis::files`], and the range.
    pub at: (usize, Span),
    /// Its arrays, the last time.
    pub last: Vec<Summary>,
    /// How often it was computed.
    pub times: usize,
}

/// A step on the way to a number.
#[derive(Clone, Debug)]
pub struct Made {
    /// The user's expression that wrote the equation.
    pub at: Option<(usize, Span)>,
    /// The primitive.
    pub primitive: &'static str,
    /// What it gave.
    pub output: Summary,
}

/// An array that was made, with the places of those it was made of.
struct Array {
    source: u64,
    primitive: &'static str,
    output: Summary,
    inputs: SmallVec<[usize; 3]>,
}

/// What is known of the arrays so far.
#[derive(Default)]
pub(super) struct Values {
    expressions: FxHashMap<u64, (Vec<Summary>, usize)>,
    made: Vec<Array>,
    /// The array that was made last at an address.
    at: FxHashMap<usize, usize>,
}

impl Values {
    /// Notes the results of a primitive that was just run.
    pub(super) fn tell(&mut self, engine: &Engine, primitive: &dyn Primitive, inputs: &[Tensor], outputs: &[Tensor]) {
        // What a compiled function gives was told of where it was made.
        if primitive.name() == "jit" {
            return;
        }
        if outputs.iter().any(|output| output.len() > MOST_ELEMENTS) {
            // What was there before is no more.
            outputs.iter().filter_map(address).for_each(|address| _ = self.at.remove(&address));
            return;
        }
        if self.made.len() > MOST {
            self.made.clear();
            self.at.clear();
        }
        let source = engine.source();
        let inputs: SmallVec<[usize; 3]> =
            inputs.iter().filter_map(|input| self.at.get(&address(input)?).copied()).collect();
        let summaries: Vec<Summary> = outputs.iter().map(Summary::of).collect();
        for (tensor, output) in outputs.iter().zip(&summaries) {
            if let Some(address) = address(tensor) {
                self.at.insert(address, self.made.len());
            }
            let (primitive, output) = (primitive.name(), output.clone());
            self.made.push(Array { source, primitive, output, inputs: inputs.clone() });
        }
        // Other equations of the same expression are on the way to its value.
        if engine.closes.get() {
            let known = self.expressions.entry(marks::without_calls(source)).or_default();
            *known = (summaries, known.1 + 1);
        }
    }

    /// The way to an operand that was made last, backwards: the operand, then of what it was made of the one that was made last.
    pub(super) fn path(&self, inputs: &[Tensor]) -> Vec<(u64, Made)> {
        let mut next = inputs.iter().filter_map(|input| self.at.get(&address(input)?).copied()).max();
        let mut path = Vec::new();
        while let Some(array) = next.and_then(|at| self.made.get(at)).filter(|_| path.len() < STEPS) {
            path.push((array.source, Made { at: None, primitive: array.primitive, output: array.output.clone() }));
            next = array.inputs.iter().max().copied();
        }
        path
    }

    /// What every expression was, by its mark.
    pub(super) fn expressions(self) -> Vec<(u64, Vec<Summary>, usize)> {
        self.expressions.into_iter().map(|(mark, (last, times))| (mark, last, times)).collect()
    }
}

/// Where the elements are; none where there are none.
fn address(tensor: &Tensor) -> Option<usize> {
    let at = crate::for_buffer!(&tensor.data, v => v.as_ptr() as usize, none => 0);
    (at != 0 && !tensor.is_empty()).then_some(at)
}
