//! Copies that move elements: by strides, rows of a table, and into a window.

use std::ops::Range;

use smallvec::SmallVec;

use crate::pool;
use crate::work::{self, LARGE, PART};

/// An axis of what is walked: its size, and the distance of neighbours in the other array.
type Axis = (usize, isize);

/// So many elements of a side are moved together at most where rows become columns.
const TILE: usize = 16;

/// The same elements in a buffer of their own.
pub fn same<T: Copy + Default + Send + Sync + 'static>(from: &[T]) -> Vec<T> {
    if from.len() < LARGE {
        let mut out = pool::empty(from.len());
        out.extend_from_slice(from);
        return out;
    }
    let mut out = pool::filled(from.len());
    work::parts(&mut out, PART, |i, out| out.copy_from_slice(&from[i * PART..][..out.len()]));
    out
}

/// The elements at `offset + sum(index * strides)`, row-major.
///
/// # Panics
/// When a position is outside of the slice.
pub fn strided<T: Copy + Default + Send + Sync + 'static>(
    from: &[T],
    shape: &[usize],
    strides: &[isize],
    offset: isize,
) -> Vec<T> {
    let total = shape.iter().product();
    if total == 0 {
        return Vec::new();
    }
    let axes = merged(shape, strides);
    let Some((&(size, stride), inner)) = axes.split_first() else { return vec![from[offset as usize]; total] };
    if let ([], 1) = (inner, stride) {
        return same(&from[offset as usize..][..total]);
    }
    let mut out = pool::filled(total);
    let row = total / size;
    let rows = (PART / row).max(1).min(size);
    // Tiles are not cut.
    let rows = if rows > TILE { rows / TILE * TILE } else { rows };
    let rows = if total < LARGE { size } else { rows };
    work::parts(&mut out, rows * row, |part, out| {
        let mut axes = axes.clone();
        axes[0].0 = out.len() / row;
        fill(from, &axes, offset + (part * rows) as isize * stride, out);
    });
    out
}

/// Axes of size 1 left out, and neighbours that are walked as one made one.
fn merged(shape: &[usize], strides: &[isize]) -> SmallVec<[Axis; 4]> {
    let mut axes: SmallVec<[Axis; 4]> = SmallVec::new();
    for (&size, &stride) in shape.iter().zip(strides).filter(|(size, _)| **size != 1) {
        match axes.last_mut() {
            Some(last) if last.1 == stride * size as isize => *last = (last.0 * size, stride),
            _ => axes.push((size, stride)),
        }
    }
    axes
}

fn fill<T: Copy + Default>(from: &[T], axes: &[Axis], offset: isize, out: &mut [T]) {
    match axes {
        [] => out[0] = from[offset as usize],
        [(_, 0)] => out.fill(from[offset as usize]),
        [(size, 1)] => out.copy_from_slice(&from[offset as usize..][..*size]),
        [(_, step)] => {
            for (i, out) in out.iter_mut().enumerate() {
                *out = from[(offset + i as isize * step) as usize];
            }
        }
        [(_, 1), .., (_, step)] if *step != 1 && *step != 0 => columns(from, axes, offset, out, out_strides(axes)[0]),
        [(size, stride), inner @ ..] => {
            let row = out.len() / size;
            for (i, out) in out.chunks_exact_mut(row).enumerate() {
                fill(from, inner, offset + i as isize * stride, out);
            }
        }
    }
}

fn out_strides(axes: &[Axis]) -> SmallVec<[usize; 4]> {
    let mut strides = SmallVec::from_elem(1, axes.len());
    for i in (1..axes.len()).rev() {
        strides[i - 1] = strides[i] * axes[i].0;
    }
    strides
}

/// The first axis lies together in the source and the last one in the result, whose rows are `row` apart.
fn columns<T: Copy + Default>(from: &[T], axes: &[Axis], offset: isize, out: &mut [T], row: usize) {
    if let [first, (size, stride), inner @ ..] = axes
        && !inner.is_empty()
    {
        let step = out_strides(&axes[1..])[0];
        let inner: SmallVec<[Axis; 4]> = std::iter::once(*first).chain(inner.iter().copied()).collect();
        for i in 0..*size {
            columns(from, &inner, offset + i as isize * stride, &mut out[i * step..], row);
        }
        return;
    }
    let [(rows, _), (length, step)] = *axes else { return };
    pulp::Arch::new().dispatch(Turn { from, offset, rows, length, step, out, row });
}

/// `out[r * row + c] = from[offset + r + c * step]`
struct Turn<'a, T> {
    from: &'a [T],
    offset: isize,
    rows: usize,
    length: usize,
    step: isize,
    out: &'a mut [T],
    row: usize,
}

impl<T: Copy + Default> pulp::WithSimd for Turn<'_, T> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        // Lines of the processor's cache are read and written as wholes: whether they stay in it does not matter.
        match size_of::<T>() {
            0..8 => self.squares::<16>(),
            _ => self.squares::<8>(),
        }
    }
}

impl<T: Copy + Default> Turn<'_, T> {
    /// In squares of so many elements a side.
    #[inline(always)]
    fn squares<const N: usize>(self) {
        let Turn { from, offset, rows, length, step, out, row } = self;
        let at = |r: usize, c: usize| (offset + r as isize + c as isize * step) as usize;
        for c in (0..length).step_by(N) {
            for r in (0..rows).step_by(N) {
                if r + N <= rows && c + N <= length {
                    let square = &mut out[r * row + c..][..(N - 1) * row + N];
                    for j in 0..N {
                        for (k, x) in from[at(r, c + j)..][..N].iter().enumerate() {
                            square[k * row + j] = *x;
                        }
                    }
                    continue;
                }
                for r in r..rows.min(r + N) {
                    for c in c..length.min(c + N) {
                        out[r * row + c] = from[at(r, c)];
                    }
                }
            }
        }
    }
}

/// Writes the elements, row-major, to `offset + sum(index * strides)`.
///
/// # Panics
/// When a position is outside of the slice.
pub fn write<T: Copy>(into: &mut [T], from: &[T], shape: &[usize], strides: &[isize], offset: isize) {
    fn rows<T: Copy>(into: &mut [T], from: &[T], axes: &[Axis], offset: isize) {
        match axes {
            [] => into[offset as usize] = from[0],
            [(size, 1)] => into[offset as usize..][..*size].copy_from_slice(&from[..*size]),
            [(size, step)] => {
                for (i, x) in from[..*size].iter().enumerate() {
                    into[(offset + i as isize * step) as usize] = *x;
                }
            }
            [(size, stride), inner @ ..] => {
                let row = from.len() / size;
                for (i, from) in from.chunks_exact(row).enumerate() {
                    rows(into, from, inner, offset + i as isize * stride);
                }
            }
        }
    }
    if !shape.contains(&0) {
        rows(into, from, &merged(shape, strides), offset);
    }
}

/// Rows of a table, of so many elements each, from these places, which are asked for some at a time; others are filled.
///
/// # Panics
/// When a row is outside of the table.
pub fn rows<T: Copy + Default + Send + Sync + 'static>(
    table: &[T],
    length: usize,
    starts: impl Fn(Range<usize>) -> Vec<Option<usize>> + Sync,
    count: usize,
    fill: T,
) -> Vec<T> {
    let mut out = pool::filled(count * length);
    if length == 0 {
        return out;
    }
    let each = if count * length < LARGE { count.max(1) } else { (PART / length).max(1) };
    work::parts(&mut out, each * length, |part, out| {
        let from = starts(part * each..part * each + out.len() / length);
        for (row, start) in out.chunks_exact_mut(length).zip(from) {
            match start {
                Some(start) => row.copy_from_slice(&table[start..start + length]),
                None => row.fill(fill),
            }
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element by itself.
    fn plain(from: &[u32], shape: &[usize], strides: &[isize], offset: isize) -> Vec<u32> {
        let total: usize = shape.iter().product();
        let at = |mut i: usize| {
            let mut at = offset;
            for (size, stride) in shape.iter().zip(strides).rev() {
                at += (i % size) as isize * stride;
                i /= size;
            }
            from[at as usize]
        };
        (0..total).map(at).collect()
    }

    #[test]
    fn strides_of_all_kinds() {
        let from: Vec<u32> = (0..200_000).collect();
        for (shape, strides, offset) in [
            (&[300, 400][..], &[1, 300][..], 0),
            (&[19, 23], &[1, 19], 5),
            (&[7, 5, 33, 21], &[1, 7, 735, 35], 0),
            (&[4, 3, 17], &[1, 0, 4], 2),
            (&[40, 50, 60], &[3_000, 60, 1], 0),
            (&[40, 50, 60], &[3_000, -60, 1], 2_940),
            (&[3, 0, 2], &[1, 1, 1], 0),
            (&[9, 1, 9], &[0, 0, 0], 3),
            (&[10, 20], &[2, 40], 1),
            (&[], &[], 7),
            (&[50, 2, 70], &[1, 3_500, 50], 0),
        ] {
            assert_eq!(strided(&from, shape, strides, offset), plain(&from, shape, strides, offset), "{shape:?}");
        }
    }

    #[test]
    fn windows_are_written() {
        let mut into = vec![0u32; 24];
        write(&mut into, &[1, 2, 3, 4], &[2, 2], &[6, 2], 1);
        assert_eq!(into[..10], [0, 1, 0, 2, 0, 0, 0, 3, 0, 4]);
        write(&mut into, &[5, 6, 7, 8, 9, 10], &[2, 3], &[6, 1], 12);
        assert_eq!(into[12..21], [5, 6, 7, 0, 0, 0, 8, 9, 10]);
        write(&mut into, &[], &[0, 3], &[1, 1], 0);
    }

    #[test]
    fn rows_and_what_is_none() {
        let table: Vec<i32> = (0..12).collect();
        let at = [Some(9), None, Some(0)];
        assert_eq!(rows(&table, 3, |some| at[some].to_vec(), 3, -1), [9, 10, 11, -1, -1, -1, 0, 1, 2]);
    }
}
