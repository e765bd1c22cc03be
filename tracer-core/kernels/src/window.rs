//! Windows that slide over an array and give one element each: pooling, and what its derivatives are made of.

use pulp::{Arch, Simd, WithSimd};

use crate::convolve::{Axis, Table};
use crate::pool;
use crate::work::{self, LARGE, PART};

/// Windows over the leading axes of an array whose trailing ones are taken as blocks.
#[derive(Clone, Debug)]
pub struct Windows {
    /// The axes that windows slide along.
    pub axes: Vec<Axis>,
    /// Elements of a block.
    pub block: usize,
}

/// `sums[i] = fold(sums[i], values[i])`
struct Fold<'a, T, F> {
    taps: &'a [(usize, usize)],
    values: &'a [T],
    sums: &'a mut [T],
    fold: F,
}

impl<T: Copy, F: Fn(T, T) -> T> WithSimd for Fold<'_, T, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Fold { taps, values, sums, fold } = self;
        let block = sums.len();
        for &(_, element) in taps {
            for (sum, &x) in sums.iter_mut().zip(&values[element * block..][..block]) {
                *sum = fold(*sum, x);
            }
        }
    }
}

/// Stands for the place of an element that is padding; no array of as many elements is selected from.
pub const PADDING: u32 = u32::MAX;

/// The best value so far, and where it is.
struct Select<'a, T, K> {
    /// `usize::MAX`: padding.
    element: usize,
    values: &'a [T],
    padding: T,
    best: &'a mut [T],
    places: &'a mut [u32],
    keeps: K,
}

impl<T: Copy, K: Fn(T, T) -> bool> WithSimd for Select<'_, T, K> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Select { element, values, padding, best, places, keeps } = self;
        let block = best.len();
        if element == usize::MAX {
            for (best, place) in best.iter_mut().zip(places) {
                if !keeps(*best, padding) {
                    (*best, *place) = (padding, PADDING);
                }
            }
            return;
        }
        let from = element * block;
        for ((best, place), (&x, at)) in
            best.iter_mut().zip(places).zip(values[from..][..block].iter().zip(from as u32..))
        {
            let keep = keeps(*best, x);
            *best = if keep { *best } else { x };
            *place = if keep { *place } else { at };
        }
    }
}

impl Windows {
    /// The number of windows.
    pub fn positions(&self) -> usize {
        self.axes.iter().map(|axis| axis.out).product()
    }

    fn taps(&self) -> usize {
        self.axes.iter().map(|axis| axis.window).product()
    }

    /// Positions that a thread does at a time: all, where they are little work together.
    fn part(&self) -> usize {
        let (each, all) = ((self.block * self.taps()).max(1), self.positions().max(1));
        if all.saturating_mul(each) < LARGE { all } else { (PART / each).max(1) }
    }

    /// The elements of each window folded, in the window's order; padding is left out.
    ///
    /// # Panics
    /// When the slice is too short.
    pub fn fold<T: Copy + Default + Send + Sync + 'static>(
        &self,
        values: &[T],
        start: T,
        fold: impl Fn(T, T) -> T + Copy + Sync,
    ) -> Vec<T> {
        let mut out = pool::filled(self.positions() * self.block);
        if out.is_empty() {
            return out;
        }
        let (table, each) = (Table::new(&self.axes), self.part());
        work::parts(&mut out, each * self.block, |part, out| {
            let mut taps = Vec::new();
            out.fill(start);
            for (i, sums) in out.chunks_exact_mut(self.block).enumerate() {
                table.meet(part * each + i, &mut taps);
                Arch::new().dispatch(Fold { taps: &taps, values, sums, fold });
            }
        });
        out
    }

    /// For each window the place of the element that is kept, [`PADDING`] where that is padding: in the window's order, an
    /// element replaces the one before unless `keeps` says so of both. It starts from padding, or from the window's first element.
    ///
    /// # Panics
    /// When the slice is too short, or has [`PADDING`] elements or more.
    pub fn select<T: Copy + Default + Send + Sync + 'static>(
        &self,
        values: &[T],
        padding: T,
        from_padding: bool,
        keeps: impl Fn(T, T) -> bool + Copy + Sync,
    ) -> Vec<u32> {
        assert!(values.len() < PADDING as usize);
        let mut out = pool::filled(self.positions() * self.block);
        if out.is_empty() {
            return out;
        }
        let (table, each, count) = (Table::new(&self.axes), self.part(), self.taps());
        work::parts(&mut out, each * self.block, |part, out| {
            let mut taps = Vec::new();
            let mut best = vec![padding; self.block];
            for (i, places) in out.chunks_exact_mut(self.block).enumerate() {
                table.meet(part * each + i, &mut taps);
                best.fill(padding);
                places.fill(PADDING);
                let mut met = taps.iter().peekable();
                for tap in 0..count {
                    let here = met.next_if(|(at, _)| *at == tap).map_or(usize::MAX, |(_, element)| *element);
                    if tap == 0 && !from_padding {
                        // The first element stands without being asked.
                        if here != usize::MAX {
                            let from = here * self.block;
                            best.copy_from_slice(&values[from..from + self.block]);
                            places.iter_mut().zip(from as u32..).for_each(|(place, at)| *place = at);
                        }
                        continue;
                    }
                    let best = &mut best[..];
                    Arch::new().dispatch(Select { element: here, values, padding, best, places, keeps });
                }
            }
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(size: usize, window: usize, stride: usize, low: i64, out: usize) -> Axis {
        Axis { size, window, out, stride, low, image_dilation: 1, window_dilation: 1 }
    }

    #[test]
    fn windows_are_folded_without_padding() {
        let windows = Windows { axes: vec![axis(4, 2, 1, 1, 4)], block: 2 };
        let values = [1, 10, 2, 20, 3, 30, 4, 40];
        assert_eq!(windows.fold(&values, 0, |a, b| a + b), [1, 10, 3, 30, 5, 50, 7, 70]);
        let plain = Windows { axes: vec![axis(4, 2, 2, 0, 2)], block: 1 };
        assert_eq!(plain.fold(&[5, 1, 2, 8], i32::MIN, i32::max), [5, 8]);
    }

    #[test]
    fn the_first_of_equal_elements_is_selected() {
        let windows = Windows { axes: vec![axis(4, 3, 1, 1, 4)], block: 1 };
        let values = [2.0, 2.0, f32::NAN, 1.0];
        let larger = |best: f32, x: f32| best >= x;
        assert_eq!(windows.select(&values, f32::NEG_INFINITY, true, larger), [0, 2, 3, 3]);
        // Padding in front stands first, and stays where nothing is larger.
        let lowest = [f32::NEG_INFINITY; 4];
        assert_eq!(windows.select(&lowest, f32::NEG_INFINITY, false, larger), [PADDING, 0, 1, 2]);
    }
}
