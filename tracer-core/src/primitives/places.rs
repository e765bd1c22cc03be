//! Where the windows of a gather or scatter lie: some index vectors at a time, so that no list of all of them is there.

use std::ops::Range;

use super::indexing::{WindowDims, integers, offsets, strides, words};
use crate::array::Tensor;
use crate::array::tensor::Sizes;
use crate::python::Step;

/// Index vectors that are looked at together.
pub const TOGETHER: usize = 1 << 14;

/// A window's offset in the operand, `None` if it sticks out and is not to be moved inside; and the offset of its place in the other
/// array (the output, or the updates).
pub type Place = (Option<usize>, usize);

/// The windows of a gather or scatter whose dimension numbers have passed the checks.
#[derive(Debug)]
pub struct Windows {
    /// For every run of a window: its offset in the operand and in the other array.
    pub runs: Vec<(usize, usize)>,
    /// Elements of a run: they are contiguous in both.
    pub run: usize,
    /// How many windows there are.
    pub count: usize,
    /// The index vectors, one behind the other.
    indices: Tensor,
    components: usize,
    /// Sizes of the axes of index vectors, with the strides along them in the operand and in the other array.
    axes: Vec<(usize, usize, usize)>,
    /// The last start of a window along each axis that is indexed, with the operand's stride.
    limits: Vec<(i64, usize)>,
    clamp: bool,
    narrow: bool,
}

impl Windows {
    /// `window` is the size of a window along each axis of the operand; `clamp`, whether windows are moved inside; `narrow`, whether
    /// indices are compared as 32-bit integers.
    pub fn new(
        dims: &WindowDims,
        (operand, indices): (&Tensor, &Tensor),
        window: &[usize],
        other: &[usize],
        clamp: bool,
        narrow: bool,
    ) -> Windows {
        let unit = words(operand.dtype);
        let scale = |strides: Sizes| -> Sizes { strides.iter().map(|s| s * unit).collect() };
        let (operand_strides, other_strides) = (scale(strides(&operand.shape)), scale(strides(other)));
        let is_offset = |axis: &usize| dims.offset.contains(&(*axis as i64));

        // The kept axes of the operand against the offset axes of the other array, and a key's words.
        let kept: Vec<usize> = (0..operand.shape.len()).filter(|&axis| !dims.drops(axis)).collect();
        let mut axes: Vec<(usize, usize, usize)> = kept
            .iter()
            .zip((0..other.len()).filter(is_offset))
            .map(|(&a, b)| (window[a], operand_strides[a], other_strides[b]))
            .collect();
        if unit > 1 {
            axes.push((unit, 1, 1));
        }
        let mut run = 1;
        while let Some(&(size, a, b)) = axes.last() {
            if size != 1 && (a != run || b != run) {
                break;
            }
            run *= size;
            axes.pop();
        }
        let column = |f: fn(&(usize, usize, usize)) -> usize| axes.iter().map(f).collect::<Vec<_>>();
        let sizes = column(|axis| axis.0);
        let runs = offsets(&sizes, &column(|axis| axis.1)).into_iter().zip(offsets(&sizes, &column(|axis| axis.2)));

        let components = *indices.shape.last().unwrap_or(&1);
        let positions = &indices.shape[..indices.shape.len().saturating_sub(1)];
        let targets = (0..other.len()).filter(|axis| !is_offset(axis)).map(|axis| other_strides[axis]);
        let mut bases = Sizes::from_elem(0, positions.len());
        for (&axis, &position) in dims.operand_batch.iter().zip(&dims.indices_batch) {
            bases[position as usize] = operand_strides[axis as usize];
        }
        let limit = |&axis: &i64| {
            let axis = axis as usize;
            (operand.shape[axis] as i64 - window[axis] as i64, operand_strides[axis])
        };
        Windows {
            runs: runs.collect(),
            run,
            count: positions.iter().product(),
            components,
            axes: positions
                .iter()
                .zip(bases)
                .zip(targets)
                .map(|((&size, base), target)| (size, base, target))
                .collect(),
            limits: dims.start_map.iter().map(limit).collect(),
            indices: indices.reshaped([indices.len()].as_slice()),
            clamp,
            narrow,
        }
    }

    /// The places of some windows.
    ///
    /// # Errors
    /// Unknown where the indices are no integers.
    pub fn places(&self, some: Range<usize>) -> Step<Vec<Place>> {
        let size = some.len() * self.components;
        let values = integers(&self.indices.window(&[some.start * self.components], &[size], &[1]))?;
        // The indices of the first window, and its offsets by the index vectors' axes alone.
        let mut digits = Sizes::from_elem(0, self.axes.len());
        let (mut rest, mut base, mut target) = (some.start, 0, 0);
        for (digit, &(size, to_base, to_target)) in digits.iter_mut().zip(&self.axes).rev() {
            *digit = rest % size.max(1);
            rest /= size.max(1);
            base += *digit * to_base;
            target += *digit * to_target;
        }
        let mut places = Vec::with_capacity(some.len());
        for i in 0..some.len() {
            let start = &values[i * self.components..(i + 1) * self.components];
            let at = self.limits.iter().zip(start).try_fold(base, |at, (&(limit, stride), &start)| {
                let start = if self.narrow { i64::from(start as i32) } else { start };
                let inside = (0..=limit).contains(&start);
                (inside || self.clamp).then(|| at + start.clamp(0, limit.max(0)) as usize * stride)
            });
            places.push((at, target));
            for (digit, &(size, to_base, to_target)) in digits.iter_mut().zip(&self.axes).rev() {
                *digit += 1;
                base += to_base;
                target += to_target;
                if *digit < size {
                    break;
                }
                base -= *digit * to_base;
                target -= *digit * to_target;
                *digit = 0;
            }
        }
        Ok(places)
    }

    /// All places, some at a time, until the work is stopped.
    ///
    /// # Errors
    /// Unknown where the indices are no integers.
    pub fn each(&self, mut visit: impl FnMut(Place)) -> Step<()> {
        let stop = jitlens_kernels::work::Stop::here();
        for from in (0..self.count).step_by(TOGETHER) {
            if stop.asked() {
                break;
            }
            self.places(from..self.count.min(from + TOGETHER))?.into_iter().for_each(&mut visit);
        }
        Ok(())
    }

    /// Whether the windows are whole runs that lie one behind the other in the other array: rows of a table.
    pub fn are_rows(&self) -> bool {
        let mut next = self.run;
        let in_order = self.axes.iter().rev().all(|&(size, _, to)| {
            let fits = size == 1 || to == next;
            next *= size;
            fits
        });
        self.runs[..] == [(0, 0)] && in_order
    }
}
