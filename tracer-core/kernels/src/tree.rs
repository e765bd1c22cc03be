//! Reductions and running reductions in the order in which XLA does them on CPU. Where every step is rounded, the order is part
//! of the result: a thousand ones of `bfloat16` are 1,000 in windows of 32 and 256 in a row.

use std::convert::Infallible;

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
    if axes.iter().all(|&axis| sizes[axis] == 1) {
        return Ok(values.to_vec());
    }
    let mut sizes = sizes.to_vec();
    let mut done: Option<Vec<A>> = None;
    while axes.iter().any(|&axis| sizes[axis] > WINDOW) {
        let mut windows: Vec<Vec<Range>> = sizes.iter().map(|&size| (0..size).map(|i| i..i + 1).collect()).collect();
        for &axis in axes {
            windows[axis] = centered(sizes[axis]);
        }
        done = Some(fold(done.as_deref().unwrap_or(values), &sizes, &windows, init, &mut step)?);
        sizes = windows.iter().map(Vec::len).collect();
    }
    let whole = |axis: usize| match sizes[axis] {
        size if axes.contains(&axis) => std::iter::once(0..size).collect(),
        size => (0..size).map(|i| i..i + 1).collect(),
    };
    let windows: Vec<Vec<Range>> = (0..sizes.len()).map(whole).collect();
    fold(done.as_deref().unwrap_or(values), &sizes, &windows, init, &mut step)
}

/// Windows side by side on an axis; what the last one lacks is left out on both ends.
fn centered(size: usize) -> Vec<Range> {
    let width = size.clamp(1, WINDOW);
    let count = size.div_ceil(width);
    let low = (count * width - size) / 2;
    (0..count).map(|i| (i * width).saturating_sub(low)..((i + 1) * width - low).min(size)).collect()
}

/// One result for each choice of a window along each axis: its elements in their order.
fn fold<A: Clone, E>(
    values: &[A],
    sizes: &[usize],
    windows: &[Vec<Range>],
    init: &A,
    step: &mut impl FnMut(&A, &A) -> Result<A, E>,
) -> Result<Vec<A>, E> {
    let single = |axis: &usize| windows[*axis].len() == sizes[*axis] && windows[*axis].iter().all(|w| w.len() == 1);
    // Trailing axes of windows of one element go on together.
    let lead = (0..sizes.len()).rev().find(|axis| !single(axis)).map_or(0, |axis| axis + 1);
    let block: usize = sizes[lead..].iter().product();
    let count: usize = windows[..lead].iter().map(Vec::len).product();
    let mut out = vec![init.clone(); count * block];
    if block == 0 {
        return Ok(out);
    }
    let mut place = vec![0; lead];
    let mut strides = vec![block; lead];
    for axis in (1..lead).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis];
    }
    for sums in out.chunks_exact_mut(block) {
        let ranges: Vec<Range> = place.iter().zip(windows).map(|(&i, windows)| windows[i].clone()).collect();
        visit(&ranges, &strides, 0, &mut |at| {
            for (sum, value) in sums.iter_mut().zip(&values[at..at + block]) {
                *sum = step(sum, value)?;
            }
            Ok(())
        })?;
        advance(&mut place, |axis| windows[axis].len());
    }
    Ok(out)
}

/// The next place in row-major order.
fn advance(place: &mut [usize], size: impl Fn(usize) -> usize) {
    for axis in (0..place.len()).rev() {
        place[axis] += 1;
        if place[axis] < size(axis) {
            return;
        }
        place[axis] = 0;
    }
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

/// A step that cannot fail.
pub fn sure<A: Copy>(step: impl Fn(A, A) -> A) -> impl FnMut(&A, &A) -> Result<A, Infallible> {
    move |a, b| Ok(step(*a, *b))
}

/// What comes of steps that cannot fail.
pub fn done<R>(result: Result<R, Infallible>) -> R {
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
        let long = reduce(&[1.0f32; 70], &[70], &[0], &0.0, sure(|a: f32, b| if a >= 20.0 { a } else { a + b }));
        // 19 of the first window, 20 of the second one, and no more.
        assert_eq!(done(long), [39.0]);
        let none = reduce(&letters(0), &[0, 2], &[0], &"0".into(), written).unwrap();
        assert_eq!(none, ["0", "0"]);
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
        done(scan(&mut line, false, &0, &mut sure(|a: u32, b: u32| a + b)));
        assert!(line.iter().zip(1..).all(|(&x, i)| x == i));
        done(scan(&mut line, true, &0, &mut sure(|a: u32, b: u32| a.max(b))));
        assert!(line.iter().all(|&x| x == 600));
    }
}
