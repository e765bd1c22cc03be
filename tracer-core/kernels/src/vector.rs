//! Loops over many elements, with the widest instructions that the machine has.

use pulp::{Arch, Simd, WithSimd};

use crate::pool;
use crate::work::{self, LARGE, PART};

/// So many elements are worth asking the machine what it can do.
const MANY: usize = 64;

/// A function of one element for all of them. (A closure that holds the loop would be compiled for any machine.)
struct Map<'a, A, R, F> {
    all: &'a [A],
    out: &'a mut [R],
    f: F,
}

impl<A: Copy, R, F: Fn(A) -> R> WithSimd for Map<'_, A, R, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Map { all, out, f } = self;
        for (out, &x) in out.iter_mut().zip(all) {
            *out = f(x);
        }
    }
}

/// A function of one element for all of them, where they stand.
struct Change<'a, A, F> {
    all: &'a mut [A],
    f: F,
}

impl<A: Copy, F: Fn(A) -> A> WithSimd for Change<'_, A, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Change { all, f } = self;
        for x in all {
            *x = f(*x);
        }
    }
}

/// A function of two elements for all pairs.
struct Zip<'a, A, B, R, F> {
    a: &'a [A],
    b: &'a [B],
    out: &'a mut [R],
    f: F,
}

impl<A: Copy, B: Copy, R, F: Fn(A, B) -> R> WithSimd for Zip<'_, A, B, R, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Zip { a, b, out, f } = self;
        for (out, (&x, &y)) in out.iter_mut().zip(a.iter().zip(b)) {
            *out = f(x, y);
        }
    }
}

/// A function of three elements for all triples.
struct Zip3<'a, A, B, C, R, F> {
    a: &'a [A],
    b: &'a [B],
    c: &'a [C],
    out: &'a mut [R],
    f: F,
}

impl<A: Copy, B: Copy, C: Copy, R, F: Fn(A, B, C) -> R> WithSimd for Zip3<'_, A, B, C, R, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Zip3 { a, b, c, out, f } = self;
        for (out, ((&x, &y), &z)) in out.iter_mut().zip(a.iter().zip(b).zip(c)) {
            *out = f(x, y, z);
        }
    }
}

/// The results of a function for triples of elements of equally many each.
#[inline]
pub fn zip3<A: Copy + Sync, B: Copy + Sync, C: Copy + Sync, R: Copy + Default + Send + 'static>(
    a: &[A],
    b: &[B],
    c: &[C],
    f: impl Fn(A, B, C) -> R + Sync,
) -> Vec<R> {
    let mut out = pool::filled(a.len().min(b.len()).min(c.len()));
    if out.len() < LARGE {
        Arch::new().dispatch(Zip3 { a, b, c, out: &mut out, f });
    } else {
        work::parts(&mut out, PART, |i, out| {
            let from = i * PART;
            Arch::new().dispatch(Zip3 { a: &a[from..], b: &b[from..], c: &c[from..], out, f: &f });
        });
    }
    out
}

/// So many columns of a block of rows are folded together at least.
const COLUMNS: usize = 512;

/// So many partial results are kept side by side where a long row is reduced to one element.
const LANES: usize = 32;

/// An array seen as `outer × len × inner`, reduced along the middle.
#[derive(Copy, Clone, Debug)]
pub struct Extent {
    /// Rows before.
    pub outer: usize,
    /// Elements that are reduced together.
    pub len: usize,
    /// Elements between them.
    pub inner: usize,
}

struct Fold<'a, T, A, F, M> {
    all: &'a [T],
    extent: Extent,
    init: A,
    out: &'a mut [A],
    step: F,
    merge: Option<M>,
}

/// As [`Fold`] for some of the columns of a single block of rows.
struct FoldColumns<'a, T, A, F> {
    all: &'a [T],
    inner: usize,
    first: usize,
    init: A,
    out: &'a mut [A],
    step: F,
}

impl<T: Copy, A: Copy, F: Fn(A, T) -> A> WithSimd for FoldColumns<'_, T, A, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let FoldColumns { all, inner, first, init, out, step } = self;
        out.fill(init);
        columns(all, inner, first, out, step);
    }
}

/// Folds rows of `inner` elements into `out`, from the column `first` on, a row after the other. Four rows at a time: what is folded
/// is read and written once for them.
#[inline(always)]
fn columns<T: Copy, A: Copy>(all: &[T], inner: usize, first: usize, out: &mut [A], step: impl Fn(A, T) -> A) {
    let width = out.len();
    let four = all.chunks_exact(4 * inner);
    let rest = four.remainder();
    for rows in four {
        let row = |i: usize| &rows[i * inner + first..][..width];
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        for (i, sum) in out.iter_mut().enumerate() {
            *sum = step(step(step(step(*sum, a[i]), b[i]), c[i]), d[i]);
        }
    }
    for values in rest.chunks_exact(inner) {
        for (sum, &v) in out.iter_mut().zip(&values[first..]) {
            *sum = step(*sum, v);
        }
    }
}

impl<T: Copy, A: Copy, F: Fn(A, T) -> A, M: Fn(A, A) -> A> WithSimd for Fold<'_, T, A, F, M> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Fold { all, extent: Extent { outer, len, inner }, init, out, step, merge } = self;
        if inner != 1 {
            for (o, row) in out.chunks_exact_mut(inner.max(1)).enumerate() {
                row.fill(init);
                columns(&all[o * len * inner..(o + 1) * len * inner], inner, 0, row, &step);
            }
            return;
        }
        for (o, out) in out.iter_mut().enumerate().take(outer) {
            let row = &all[o * len..(o + 1) * len];
            *out = match &merge {
                Some(merge) if len >= 2 * LANES => {
                    let chunks = row.chunks_exact(LANES);
                    let rest = chunks.remainder();
                    let mut sums = [init; LANES];
                    for chunk in chunks {
                        for (sum, &v) in sums.iter_mut().zip(chunk) {
                            *sum = step(*sum, v);
                        }
                    }
                    for (sum, &v) in sums.iter_mut().zip(rest) {
                        *sum = step(*sum, v);
                    }
                    let mut width = LANES;
                    while width > 1 {
                        width /= 2;
                        for i in 0..width {
                            sums[i] = merge(sums[i], sums[i + width]);
                        }
                    }
                    sums[0]
                }
                _ => row.iter().fold(init, |a, &v| step(a, v)),
            };
        }
    }
}

/// Folds along the middle of the extent. With `merge`, long rows of neighbours are folded in parts side by side, whose results
/// are merged: the order is the same on every machine, for any number of threads. `init` changes nothing that it is merged with.
#[inline]
pub fn fold<T: Copy + Sync, A: Copy + Send + Sync, M: Fn(A, A) -> A + Copy + Sync>(
    all: &[T],
    extent: Extent,
    init: A,
    step: impl Fn(A, T) -> A + Sync,
    merge: Option<M>,
) -> Vec<A> {
    let Extent { outer, len, inner } = extent;
    let mut out = vec![init; outer * inner];
    let few = outer.saturating_mul(len).saturating_mul(inner) < LARGE;
    let run = |all: &[T], extent: Extent, out: &mut [A]| {
        Arch::new().dispatch(Fold { all, extent, init, out, step: &step, merge });
    };
    match merge {
        _ if few && !(outer == 1 && inner == 1) => run(all, extent, &mut out),
        // One long row: parts of it, one after the other.
        Some(merge) if outer == 1 && inner == 1 && len > PART => {
            let row = |i: usize| {
                let part = &all[i * PART..len.min((i + 1) * PART)];
                let mut out = [init];
                run(part, Extent { outer: 1, len: part.len(), inner: 1 }, &mut out);
                out[0]
            };
            let count = len.div_ceil(PART);
            let sums: Vec<A> = if few { (0..count).map(row).collect() } else { work::collect(count, row) };
            out[0] = sums.into_iter().reduce(merge).unwrap_or(init);
        }
        _ if few => run(all, extent, &mut out),
        _ if outer == 1 && inner > 1 => {
            // Pieces of rows that are long enough to be read ahead; where they are cut changes no bit.
            let size = (PART / len.max(1)).clamp(COLUMNS, inner.max(COLUMNS));
            work::parts(&mut out, size, |i, out| {
                Arch::new().dispatch(FoldColumns { all, inner, first: i * size, init, out, step: &step });
            });
        }
        _ => {
            let rows = (PART / (len * inner).max(1)).max(1);
            work::parts(&mut out, rows * inner, |i, out| {
                let outer = out.len() / inner;
                run(&all[i * rows * len * inner..], Extent { outer, len, inner }, out);
            });
        }
    }
    out
}

/// Whether something holds of any element.
struct Any<'a, T, F> {
    all: &'a [T],
    f: F,
}

impl<T: Copy, F: Fn(T) -> bool> WithSimd for Any<'_, T, F> {
    type Output = bool;
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        // Without a branch for each element: whole blocks are looked at side by side.
        self.all.chunks(1 << 11).any(|block| block.iter().fold(false, |any, &x| any | (self.f)(x)))
    }
}

/// Whether something holds of any element.
#[inline]
pub fn any<T: Copy + Sync>(all: &[T], f: impl Fn(T) -> bool + Sync) -> bool {
    if all.len() < LARGE {
        return Arch::new().dispatch(Any { all, f });
    }
    let part = |i: usize| {
        let all = &all[i * PART..all.len().min((i + 1) * PART)];
        Arch::new().dispatch(Any { all, f: &f })
    };
    work::collect(all.len().div_ceil(PART), part).into_iter().any(|found| found)
}

/// A function of places for all places from one on.
struct Count<'a, R, F> {
    first: usize,
    out: &'a mut [R],
    f: F,
}

impl<R, F: Fn(usize) -> R> WithSimd for Count<'_, R, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Count { first, out, f } = self;
        for (i, out) in out.iter_mut().enumerate() {
            *out = f(first + i);
        }
    }
}

/// The results of a function for the numbers of so many places.
#[inline]
pub fn count<R: Copy + Default + Send + 'static>(len: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if len < MANY {
        return (0..len).map(f).collect();
    }
    let mut out = pool::filled(len);
    let size = if len < LARGE { len } else { PART };
    work::parts(&mut out, size, |i, out| Arch::new().dispatch(Count { first: i * size, out, f: &f }));
    out
}

/// So many times the same.
pub fn full<T: Copy + Default + PartialEq + Send + Sync + 'static>(value: T, len: usize) -> Vec<T> {
    // Zeros are what the system hands out.
    if len < LARGE || value == T::default() {
        return vec![value; len];
    }
    let mut out = pool::filled(len);
    work::parts(&mut out, PART, |_, out| out.fill(value));
    out
}

/// The results of a function for all elements.
#[inline]
pub fn map<A: Copy + Sync, R: Copy + Default + Send + 'static>(all: &[A], f: impl Fn(A) -> R + Sync) -> Vec<R> {
    if all.len() < MANY {
        return all.iter().map(|&x| f(x)).collect();
    }
    let mut out = pool::filled(all.len());
    if all.len() < LARGE {
        Arch::new().dispatch(Map { all, out: &mut out, f });
    } else {
        work::parts(&mut out, PART, |i, out| Arch::new().dispatch(Map { all: &all[i * PART..], out, f: &f }));
    }
    out
}

/// Puts a function's results in place of all elements.
#[inline]
pub fn change<A: Copy + Send>(all: &mut [A], f: impl Fn(A) -> A + Sync) {
    if all.len() < LARGE {
        Arch::new().dispatch(Change { all, f });
    } else {
        work::parts(all, PART, |_, all| Arch::new().dispatch(Change { all, f: &f }));
    }
}

/// The results of a function for pairs of elements; a side with a single element goes with all of the other.
#[inline]
pub fn zip<A: Copy + Sync, B: Copy + Sync, R: Copy + Default + Send + 'static>(
    a: &[A],
    b: &[B],
    f: impl Fn(A, B) -> R + Sync,
) -> Vec<R> {
    match (a, b) {
        (a, [y]) => map(a, |x| f(x, *y)),
        ([x], b) => map(b, |y| f(*x, y)),
        (a, b) if a.len() < MANY => a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect(),
        (a, b) => {
            let mut out = pool::filled(a.len().min(b.len()));
            if out.len() < LARGE {
                Arch::new().dispatch(Zip { a, b, out: &mut out, f });
            } else {
                work::parts(&mut out, PART, |i, out| {
                    Arch::new().dispatch(Zip { a: &a[i * PART..], b: &b[i * PART..], out, f: &f });
                });
            }
            out
        }
    }
}
