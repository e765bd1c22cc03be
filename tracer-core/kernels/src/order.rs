//! Sorting what takes long: in ranges that are sorted side by side, and between which work can be stopped.

use pulp::bytemuck;
pub use pulp::bytemuck::Pod;

use crate::pool;
use crate::radix;
pub use crate::radix::Key;
use crate::vector;
use crate::work::{self, LARGE, PART, Stop};

/// From so many words on they are divided into ranges first: fewer are sorted sooner than anyone notices.
pub const MANY: usize = 1 << 21;
/// Ranges of about as many words each.
const RANGES: usize = 1 << 10;
/// From so many words on the widest instructions are worth asking for.
const WIDE: usize = 64;
/// Words that are looked at between two looks at whether the work is to be stopped.
const BETWEEN: usize = 1 << 16;

/// Words that are all different, in order. Where the work is stopped they mean nothing.
pub fn sort<T: Key + Default + Send + Sync + 'static>(mut words: Vec<T>) -> Vec<T> {
    if words.len() < MANY && !radix::is_faster::<T>(words.len()) {
        words.sort_unstable();
        return words;
    }
    let mut sorted = pool::filled(words.len());
    sort_into(&words, &mut sorted, |word| word, |word| word);
    pool::give(words);
    sorted
}

/// Sorts words in place by instructions that few machines have; `false` where this one does not have them.
fn sort_wide<W: Pod>(words: &mut [W]) -> bool {
    #[cfg(target_arch = "x86_64")]
    return match size_of::<W>() {
        4 => bytemuck::try_cast_slice_mut(words).is_ok_and(crate::wide::sort::<u32>),
        8 => bytemuck::try_cast_slice_mut(words).is_ok_and(crate::wide::sort::<u64>),
        _ => false,
    };
    #[cfg(not(target_arch = "x86_64"))]
    return words.is_empty();
}

/// Whether [`sort_wide`] can.
fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return crate::wide::is_there();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// As [`sort`], where the lower halves of the words are in order.
pub fn sort_placed(mut words: Vec<u64>) -> Vec<u64> {
    if words.len() >= WIDE && sort_wide(&mut words) {
        return words;
    }
    if words.len() >= MANY || !radix::is_faster::<u32>(words.len()) {
        return sort(words);
    }
    let mut sorted = pool::filled(words.len());
    radix::sort_into(&words, &mut sorted, |word| (word >> 32) as u32);
    pool::give(words);
    sorted
}

/// Whether so many elements are sorted sooner by their keys alone than as words with their places.
pub fn pays<K: Key>(count: usize) -> bool {
    count >= MANY || radix::is_faster::<K>(count)
}

/// Sorts equally many elements into another buffer by a key, of which `back` makes the element again. Where the work is stopped what
/// stands there means nothing.
///
/// # Panics
/// When the buffers are not of one size.
pub fn sort_into<T: Copy + Send + Sync, K: Key + Default + 'static>(
    from: &[T],
    out: &mut [T],
    key: impl Fn(T) -> K + Sync,
    back: impl Fn(K) -> T + Sync,
) {
    assert_eq!(from.len(), out.len(), "as many places as elements");
    if from.len() < MANY {
        if radix::is_faster::<K>(from.len()) {
            return radix::sort_keys(from, out, key, back);
        }
        out.copy_from_slice(from);
        return out.sort_unstable_by_key(|&x| key(x));
    }
    // Where ranges end is read off an even sample.
    let step = from.len() / (RANGES * 16);
    let mut sample: Vec<K> = from.iter().step_by(step.max(1)).map(|&x| key(x)).collect();
    sample.sort_unstable();
    let ends: Vec<K> = (1..RANGES).map(|i| sample[i * sample.len() / RANGES]).collect();
    let range = |x: T| {
        let key = key(x);
        ends.partition_point(|end| *end <= key)
    };
    let stop = Stop::here();
    let mut places = vec![0usize; RANGES];
    for some in from.chunks(BETWEEN) {
        if stop.asked() {
            return;
        }
        some.iter().for_each(|&x| places[range(x)] += 1);
    }
    let counts = places.clone();
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    for some in from.chunks(BETWEEN) {
        if stop.asked() {
            return;
        }
        for &x in some {
            let place = &mut places[range(x)];
            out[*place] = x;
            *place += 1;
        }
    }
    let mut rest = out;
    let mut parts = Vec::with_capacity(RANGES);
    for count in counts {
        let (part, others) = rest.split_at_mut(count);
        parts.push(part);
        rest = others;
    }
    let count = parts.len();
    work::share(parts.into_iter(), count, |_, part: &mut [T]| part.sort_unstable_by_key(|&x| key(x)));
}

/// Every line of so many elements in order of unsigned words of their own size, which say all of them; nothing where words with their
/// places are sorted sooner. Where the work is stopped they mean nothing.
pub fn sorted<T, W>(
    from: &[T],
    length: usize,
    word: impl Fn(T) -> W + Sync,
    back: impl Fn(W) -> T + Sync,
) -> Option<Vec<T>>
where
    T: Pod + Default + Send + Sync,
    W: Key + Default + Pod,
{
    if length < WIDE || size_of::<T>() != size_of::<W>() || !is_wide() {
        return pays::<W>(length).then(|| sort_lines(from, length, word, back));
    }
    let mut out = vector::map(from, |x| bytemuck::cast(word(x)));
    let sort = |lines: &mut [T]| {
        for line in lines.chunks_mut(length) {
            sort_wide(bytemuck::cast_slice_mut::<T, W>(line));
        }
    };
    match length {
        LARGE.. => sort(&mut out),
        _ => work::parts(&mut out, (PART / length).max(1) * length, |_, lines| sort(lines)),
    }
    vector::change(&mut out, |x| back(bytemuck::cast(x)));
    Some(out)
}

/// Sorts every line of so many elements by a key, as [`sort_into`].
pub fn sort_lines<T: Copy + Default + Send + Sync + 'static, K: Key + Default + 'static>(
    from: &[T],
    length: usize,
    key: impl Fn(T) -> K + Sync,
    back: impl Fn(K) -> T + Sync,
) -> Vec<T> {
    let mut out = pool::filled(from.len());
    let length = length.max(1);
    if length >= MANY {
        from.chunks(length).zip(out.chunks_mut(length)).for_each(|(from, out)| sort_into(from, out, &key, &back));
        return out;
    }
    let size = (PART / length).max(1) * length;
    let size = if from.len() < PART { from.len() } else { size };
    work::parts(&mut out, size, |i, out| {
        for (from, out) in from[i * size..].chunks(length).zip(out.chunks_mut(length)) {
            sort_into(from, out, &key, &back);
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Numbers in no order: all different, and most of them close together.
    fn words(count: u64) -> Vec<u64> {
        (0..count).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44 << 32) | i).collect()
    }

    #[test]
    fn many_words_are_sorted_as_few_are() {
        let some = words(MANY as u64 + 12_345);
        let mut expected = some.clone();
        expected.sort_unstable();
        assert!(sort(some) == expected);
        let down: Vec<u64> = (0..MANY as u64).rev().collect();
        assert!(sort(down).is_sorted());
    }

    #[test]
    fn places_of_equal_keys_stay_in_order() {
        for count in [100, 10_000, MANY as u64 + 5] {
            let words: Vec<u64> =
                words(count).into_iter().zip(0..).map(|(x, i)| (((x >> 32) % 1_000) << 32) | i).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            assert!(sort_placed(words) == expected, "{count}");
        }
    }

    #[test]
    fn lines_are_sorted_by_keys() {
        let down = |x: u64| !x;
        for length in [7, 1_000, MANY + 11] {
            let all = words(length as u64 * 3);
            let sorted = sort_lines(&all, length, down, |key| !key);
            for (line, sorted) in all.chunks(length).zip(sorted.chunks(length)) {
                let mut line = line.to_vec();
                line.sort_unstable_by_key(|&x| down(x));
                assert!(line == sorted, "{length}");
            }
        }
        assert!(sort_lines(&[0u8; 0], 0, |x| x, |x| x).is_empty());
    }

    #[test]
    fn what_is_stopped_is_not_sorted() {
        let before = work::set_cancel(Some(Arc::new(AtomicBool::new(true))));
        let sorted = sort(words(MANY as u64));
        work::set_cancel(before);
        assert!(sorted.len() == MANY && !sorted.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn lines_of_words_are_in_order() {
        for (length, lines) in [(1, 3), (64, 5), (100, 1_000), (1_000, 7), (LARGE + 3, 1)] {
            let all: Vec<f32> = words((length * lines) as u64).iter().map(|x| (x >> 32) as f32 - 5e5).collect();
            let word = |x: f32| if x < 0.0 { !x.to_bits() } else { x.to_bits() | 1 << 31 };
            let back = |w: u32| f32::from_bits(if w >> 31 == 1 { w ^ 1 << 31 } else { !w });
            let Some(sorted) = sorted(&all, length, word, back) else { continue };
            for (line, sorted) in all.chunks(length).zip(sorted.chunks(length)) {
                let mut expected = line.to_vec();
                expected.sort_unstable_by(f32::total_cmp);
                assert_eq!(sorted, expected, "{lines} lines of {length}");
            }
        }
    }
}
