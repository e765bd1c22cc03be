//! Reductions and running reductions in the order in which XLA does them on CPU. Where every step is rounded, the order is part
//! of the result: a thousand ones of `bfloat16` are 1,000 in windows of 32 and 256 in a row.

use std::convert::Infallible;

use smallvec::SmallVec;

use crate::pool;
use crate::work::{self, LARGE, PART, Stop};

/// An axis that is longer is reduced in windows of so many elements first, and what they give once more.
pub const WINDOW: usize = 32;

/// A longer running reduction is done in blocks of so many elements, whose last results are scanned once more.
pub const BLOCK: usize = 16;

/// Some elements of an axis.
type Range = std::ops::Range<usize>;

/// The elements of an array reduced along axes, from `init` on: as long as one of the axes is longer than [`WINDOW`], windows of so
/// many elements that lie in the middle of the array are reduced, and then what is left. Only axes of one element change nothing.
///
/// # Errors
/// Those of the step.
pub fn reduce<A: Clone, E>(
    values: &[A],
    sizes: &[usize],
    axes: &[usize],
    init: &A,
    mut step: impl FnMut(&A, &A) -> Result<A, E>,
) -> Result<Vec<A>, E> {
    if values.is_empty() {
        return Ok(vec![init.clone(); kept(sizes, axes)]);
    }
    let mut done: Option<Vec<A>> = None;
    for pass in passes(sizes, axes) {
        let values = done.as_deref().unwrap_or(values);
        let mut out = vec![init.clone(); pass.len()];
        pass.pieces(0..out.len(), |piece| {
            pass.visit(&piece, |from| {
                let values = &values[from..from + piece.out.len()];
                for (sum, value) in out[piece.out.clone()].iter_mut().zip(values) {
                    *sum = step(sum, value)?;
                }
                Ok(())
            })
        })?;
        done = Some(out);
    }
    Ok(done.unwrap_or_else(|| values.to_vec()))
}

/// [`reduce`] by a step that threads may take side by side: the same numbers on any number of them. Of work that is stopped some are
/// missing.
pub fn reduce_shared<A: Copy + Default + Send + Sync + 'static>(
    values: &[A],
    sizes: &[usize],
    axes: &[usize],
    init: A,
    step: impl Fn(A, A) -> A + Sync,
) -> Vec<A> {
    if values.is_empty() {
        return vec![init; kept(sizes, axes)];
    }
    let mut done: Option<Vec<A>> = None;
    for pass in passes(sizes, axes) {
        let values = done.as_deref().unwrap_or(values);
        let mut out: Vec<A> = pool::filled(pass.len());
        let widest = (values.len() / out.len().max(1)).max(1);
        let each = if values.len() < LARGE { out.len() } else { (PART / widest).max(1) };
        let stop = Stop::here();
        work::parts(&mut out, each, |part, out| {
            out.fill(init);
            let first = part * each;
            // A single window may be as large as its axes are many.
            let outcome = pass.pieces(first..first + out.len(), |piece| {
                let sums = &mut out[piece.out.start - first..piece.out.end - first];
                let mut left = PART;
                pass.visit(&piece, |from| {
                    for (sum, value) in sums.iter_mut().zip(&values[from..from + piece.out.len()]) {
                        *sum = step(*sum, *value);
                    }
                    left = left.saturating_sub(piece.out.len());
                    if left == 0 && stop.asked() {
                        return Err(());
                    }
                    left = if left == 0 { PART } else { left };
                    Ok(())
                })
            });
            debug_assert!(outcome.is_ok() || stop.asked());
        });
        if let Some(before) = done.replace(out) {
            pool::give(before);
        }
    }
    done.unwrap_or_else(|| values.to_vec())
}

/// One time over an array: windows along its axes, each of which gives one element.
struct Pass {
    /// Of the leading axes; those that trail have windows of one element each.
    windows: Vec<Vec<Range>>,
    /// Elements of the trailing axes, which go on together.
    block: usize,
    /// Distances of elements along the leading axes.
    strides: Vec<usize>,
}

/// Results of one box that lie side by side.
struct Piece {
    out: Range,
    ranges: SmallVec<[Range; 4]>,
    /// The first one within the block.
    first: usize,
}

/// The number of results.
fn kept(sizes: &[usize], axes: &[usize]) -> usize {
    sizes.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, &size)| size).product()
}

/// What is reduced after what.
fn passes(sizes: &[usize], axes: &[usize]) -> Vec<Pass> {
    if axes.iter().all(|&axis| sizes[axis] == 1) {
        return Vec::new();
    }
    let (mut sizes, mut all) = (sizes.to_vec(), Vec::new());
    let single = |size: usize| (0..size).map(|i| i..i + 1).collect::<Vec<Range>>();
    while axes.iter().any(|&axis| sizes[axis] > WINDOW) {
        let windows = sizes.iter().enumerate().map(|(axis, &size)| match axes.contains(&axis) {
            true => centered(size),
            false => single(size),
        });
        let windows: Vec<Vec<Range>> = windows.collect();
        let next = windows.iter().map(Vec::len).collect();
        all.push(Pass::new(windows, &sizes));
        sizes = next;
    }
    let windows = sizes.iter().enumerate().map(|(axis, &size)| match axes.contains(&axis) {
        true => std::iter::once(0..size).collect(),
        false => single(size),
    });
    all.push(Pass::new(windows.collect(), &sizes));
    all
}

impl Pass {
    fn new(mut windows: Vec<Vec<Range>>, sizes: &[usize]) -> Pass {
        let single = |axis: &usize| windows[*axis].len() == sizes[*axis] && windows[*axis].iter().all(|w| w.len() == 1);
        let lead = (0..sizes.len()).rev().find(|axis| !single(axis)).map_or(0, |axis| axis + 1);
        let block = sizes[lead..].iter().product();
        let mut strides = vec![block; lead];
        for axis in (1..lead).rev() {
            strides[axis - 1] = strides[axis] * sizes[axis];
        }
        windows.truncate(lead);
        Pass { windows, block, strides }
    }

    /// The number of results.
    fn len(&self) -> usize {
        self.windows.iter().map(Vec::len).product::<usize>() * self.block
    }

    /// Hands out these results, those of a box at a time.
    fn pieces<E>(&self, out: Range, mut each: impl FnMut(Piece) -> Result<(), E>) -> Result<(), E> {
        let mut from = out.start;
        while from < out.end {
            let (mut place, first) = (from / self.block, from % self.block);
            let to = (from - first + self.block).min(out.end);
            let mut ranges: SmallVec<[Range; 4]> = SmallVec::new();
            for windows in self.windows.iter().rev() {
                ranges.push(windows[place % windows.len()].clone());
                place /= windows.len();
            }
            ranges.reverse();
            each(Piece { out: from..to, ranges, first })?;
            from = to;
        }
        Ok(())
    }

    /// Calls `each` with where the elements of a piece begin, in their order.
    fn visit<E>(&self, piece: &Piece, mut each: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        visit(&piece.ranges, &self.strides, piece.first, &mut each)
    }
}

/// Windows side by side on an axis; what the last one lacks is left out on both ends.
fn centered(size: usize) -> Vec<Range> {
    let width = size.clamp(1, WINDOW);
    let count = size.div_ceil(width);
    let low = (count * width - size) / 2;
    (0..count).map(|i| (i * width).saturating_sub(low)..((i + 1) * width - low).min(size)).collect()
}

/// Calls `each` with where the elements of a box begin.
fn visit<E>(
    ranges: &[Range],
    strides: &[usize],
    from: usize,
    each: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let Some((range, rest)) = ranges.split_first() else { return each(from) };
    if rest.is_empty() {
        return range.clone().try_for_each(|i| each(from + i * strides[0]));
    }
    range.clone().try_for_each(|i| visit(rest, &strides[1..], from + i * strides[0], each))
}

/// The running reduction of a line, from its start or from its end on. A window that ends it is reduced from its first element on
/// in both cases.
///
/// # Errors
/// Those of the step.
pub fn scan<A: Clone, E>(
    line: &mut [A],
    reverse: bool,
    init: &A,
    step: &mut impl FnMut(&A, &A) -> Result<A, E>,
) -> Result<(), E> {
    if line.len() <= BLOCK {
        return block(line, reverse, init, step);
    }
    let count = line.len().div_ceil(BLOCK);
    // The last block is filled up with `init`.
    let mut last = vec![init.clone(); BLOCK];
    let (whole, rest) = line.split_at_mut(line.len() / BLOCK * BLOCK);
    let edge = if reverse { 0 } else { BLOCK - 1 };
    let mut edges = Vec::with_capacity(count);
    for line in whole.chunks_exact_mut(BLOCK) {
        block(line, reverse, init, step)?;
        edges.push(line[edge].clone());
    }
    if !rest.is_empty() {
        last[..rest.len()].clone_from_slice(rest);
        block(&mut last, reverse, init, step)?;
        rest.clone_from_slice(&last[..rest.len()]);
        edges.push(last[edge].clone());
    }
    scan(&mut edges, reverse, init, step)?;
    for (i, line) in line.chunks_mut(BLOCK).enumerate() {
        let before = if reverse { edges.get(i + 1) } else { i.checked_sub(1).map(|i| &edges[i]) }.unwrap_or(init);
        for value in line {
            *value = step(value, before)?;
        }
    }
    Ok(())
}

fn block<A: Clone, E>(
    line: &mut [A],
    reverse: bool,
    init: &A,
    step: &mut impl FnMut(&A, &A) -> Result<A, E>,
) -> Result<(), E> {
    if reverse {
        for i in 0..line.len() {
            let mut sum = init.clone();
            for value in &line[i..] {
                sum = step(&sum, value)?;
            }
            line[i] = sum;
        }
        return Ok(());
    }
    let mut sum = init.clone();
    for value in line {
        sum = step(&sum, value)?;
        *value = sum.clone();
    }
    Ok(())
}

/// [`scan`] by a step that threads may take side by side: the same numbers on any number of them. Of work that is stopped some are
/// missing.
pub fn scan_shared<A: Copy + Send + Sync>(
    line: &mut [A],
    reverse: bool,
    init: A,
    step: impl Fn(A, A) -> A + Copy + Sync,
) {
    if line.len() <= BLOCK {
        return certain(block(line, reverse, &init, &mut sure(step)));
    }
    let each = if line.len() < LARGE { line.len().next_multiple_of(BLOCK) } else { PART };
    work::parts(line, each, |_, line| {
        let mut blocks = line.chunks_exact_mut(BLOCK);
        blocks.by_ref().for_each(|line| certain(block(line, reverse, &init, &mut sure(step))));
        let rest = blocks.into_remainder();
        if !rest.is_empty() {
            // The last block is filled up with `init`.
            let mut last = [init; BLOCK];
            last[..rest.len()].copy_from_slice(rest);
            certain(block(&mut last, reverse, &init, &mut sure(step)));
            rest.copy_from_slice(&last[..rest.len()]);
        }
    });
    // The last edge is added to nothing: its block need not be full.
    let mut edges: Vec<A> =
        line.chunks(BLOCK).map(|line| if reverse { line[0] } else { line[line.len() - 1] }).collect();
    scan_shared(&mut edges, reverse, init, step);
    work::parts(line, each, |part, line| {
        for (i, line) in line.chunks_mut(BLOCK).enumerate() {
            let i = part * each / BLOCK + i;
            let before = if reverse { edges.get(i + 1) } else { i.checked_sub(1).map(|i| &edges[i]) }.unwrap_or(&init);
            for value in line {
                *value = step(*value, *before);
            }
        }
    });
}

/// A step that cannot fail.
fn sure<A: Copy>(step: impl Fn(A, A) -> A) -> impl FnMut(&A, &A) -> Result<A, Infallible> {
    move |a, b| Ok(step(*a, *b))
}

/// What comes of steps that cannot fail.
fn certain<R>(result: Result<R, Infallible>) -> R {
    match result {
        Ok(result) => result,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down in which order it is called.
    fn written(a: &String, b: &String) -> Result<String, Infallible> {
        Ok(format!("({a}{b})"))
    }

    fn letters(n: usize) -> Vec<String> {
        (0..n).map(|i| char::from(b'a' + (i % 26) as u8).to_string()).collect()
    }

    #[test]
    fn windows_lie_in_the_middle() {
        assert_eq!(centered(40), [0..20, 20..40]);
        assert_eq!(centered(5).first(), Some(&(0..5)));
        assert_eq!(centered(64), [0..32, 32..64]);
    }

    #[test]
    fn axes_are_reduced_in_order() {
        let all = reduce(&letters(6), &[2, 3], &[1], &"0".into(), written).unwrap();
        assert_eq!(all, ["(((0a)b)c)", "(((0d)e)f)"]);
        let all = reduce(&letters(6), &[2, 3], &[0], &"0".into(), written).unwrap();
        assert_eq!(all, ["((0a)d)", "((0b)e)", "((0c)f)"]);
        let one = reduce(&letters(2), &[2, 1], &[1], &"0".into(), written).unwrap();
        assert_eq!(one, ["a", "b"]);
        let long = reduce_shared(&[1.0f32; 70], &[70], &[0], 0.0, |a: f32, b| if a >= 20.0 { a } else { a + b });
        // 19 of the first window, 20 of the second one, and no more.
        assert_eq!(long, [39.0]);
        let none = reduce(&letters(0), &[0, 2], &[0], &"0".into(), written).unwrap();
        assert_eq!(none, ["0", "0"]);
    }

    /// A step that shows in which order it was taken.
    fn mixed(a: u32, b: u32) -> u32 {
        a.wrapping_mul(31).wrapping_add(b).rotate_left(7)
    }

    #[test]
    fn threads_change_no_reduction() {
        for (sizes, axes) in [
            (vec![300_000], vec![0]),
            (vec![3, 1_000, 101], vec![1]),
            (vec![700, 3, 200], vec![0, 2]),
            (vec![40, 9_000], vec![0]),
            (vec![2, 150_000], vec![0, 1]),
            (vec![4, 0, 3], vec![1]),
        ] {
            let values: Vec<u32> =
                (0..sizes.iter().product::<usize>() as u32).map(|i| i.wrapping_mul(77_777)).collect();
            let alone = reduce(&values, &sizes, &axes, &5, |a, b| Ok::<u32, ()>(mixed(*a, *b)));
            assert_eq!(reduce_shared(&values, &sizes, &axes, 5, mixed), alone.unwrap());
        }
    }

    #[test]
    fn threads_change_no_running_reduction() {
        for (len, reverse) in [(17, false), (40, true), (300_001, false), (300_001, true), (1 << 18, false)] {
            let values: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(77_777)).collect();
            let (mut shared, mut one) = (values.clone(), values);
            scan_shared(&mut shared, reverse, 5, mixed);
            certain(scan(&mut one, reverse, &5, &mut sure(mixed)));
            assert_eq!(shared, one);
        }
    }

    #[test]
    fn sums_are_stopped() {
        let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let before = work::set_cancel(Some(flag.clone()));
        // Whoever takes the first step asks to stop.
        let steps = std::sync::atomic::AtomicUsize::new(0);
        let step = |a: u32, b: u32| {
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
            steps.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            a.wrapping_add(b)
        };
        let values = vec![1u32; 1 << 22];
        reduce_shared(&values, &[values.len()], &[0], 0, step);
        let mut line = values;
        scan_shared(&mut line, false, 0, step);
        work::set_cancel(before);
        // Each thread ends the part that it has begun.
        assert!(steps.into_inner() < 1 << 20);
    }

    #[test]
    fn lines_are_scanned_in_blocks() {
        let mut line = letters(3);
        scan(&mut line, false, &"0".into(), &mut written).unwrap();
        assert_eq!(line, ["(0a)", "((0a)b)", "(((0a)b)c)"]);
        let mut line = letters(3);
        scan(&mut line, true, &"0".into(), &mut written).unwrap();
        assert_eq!(line, ["(((0a)b)c)", "((0b)c)", "(0c)"]);
        let mut line = vec![1u32; 600];
        certain(scan(&mut line, false, &0, &mut sure(|a: u32, b: u32| a + b)));
        assert!(line.iter().zip(1..).all(|(&x, i)| x == i));
        certain(scan(&mut line, true, &0, &mut sure(|a: u32, b: u32| a.max(b))));
        assert!(line.iter().all(|&x| x == 600));
    }
}
