//! Sorting by the digits of keys: a long list of short keys is in order sooner than by comparisons.

use crate::pool;
use crate::work::{self, LARGE, PART, Stop};

/// Bits of a digit: its places stay in a processor's own cache.
const DIGIT: u32 = 11;
const VALUES: usize = 1 << DIGIT;
/// From so many elements on digits are faster.
const FROM: usize = 1 << 12;
/// Longer keys have so many digits that comparisons are as fast.
const SHORT: u32 = 32;
/// Elements that are moved between two looks at whether the work is to be stopped.
const BETWEEN: usize = 1 << 16;
/// Elements that are looked at to find the middle one.
const SAMPLE: usize = 1 << 10;

/// What elements are sorted by.
pub trait Key: Ord + Copy + Send + Sync {
    /// How many bits [`Key::word`] has at most; 0 for what is too long for one.
    const BITS: u32;
    /// A number in the same order.
    fn word(self) -> u64;
}

macro_rules! keys {
    ($($ty:ty, $bits:expr, |$x:ident| $word:expr;)*) => {$(
        impl Key for $ty {
            const BITS: u32 = $bits;
            #[inline(always)]
            fn word(self) -> u64 {
                let $x = self;
                $word
            }
        }
    )*};
}

keys! {
    bool, 1, |x| u64::from(x);
    u8, 8, |x| u64::from(x);
    u16, 16, |x| u64::from(x);
    u32, 32, |x| u64::from(x);
    u64, 64, |x| x;
    i8, 8, |x| u64::from(x.cast_unsigned() ^ 1 << 7);
    i16, 16, |x| u64::from(x.cast_unsigned() ^ 1 << 15);
    i32, 32, |x| u64::from(x.cast_unsigned() ^ 1 << 31);
    i64, 64, |x| x.cast_unsigned() ^ 1 << 63;
    u128, 0, |_x| 0;
}

/// Whether so many elements are sorted sooner by the digits of such keys.
pub(crate) fn is_faster<K: Key>(count: usize) -> bool {
    (1..=SHORT).contains(&K::BITS) && (FROM..u32::MAX as usize).contains(&count)
}

/// Sorts into another buffer of the same size, those of equal keys in their order. Where the work is stopped what stands there
/// means nothing.
pub(crate) fn sort_into<T, K: Key>(from: &[T], out: &mut [T], key: impl Fn(T) -> K + Sync)
where
    T: Copy + Default + Send + Sync + 'static,
{
    sort_through(from, out, |x| x, key, |x| x);
}

/// As [`sort_into`], where elements are as good as their keys: these are sorted, and become elements again by `back`.
pub(crate) fn sort_keys<T, K>(from: &[T], out: &mut [T], key: impl Fn(T) -> K + Sync, back: impl Fn(K) -> T + Sync)
where
    T: Copy + Send + Sync,
    K: Key + Default + 'static,
{
    sort_through(from, out, key, |key| key, back);
}

/// Elements are made into what is moved, which has keys, and back.
fn sort_through<T, W, K>(
    from: &[T],
    out: &mut [T],
    into: impl Fn(T) -> W + Sync,
    key: impl Fn(W) -> K + Sync,
    back: impl Fn(W) -> T + Sync,
) where
    T: Copy + Send + Sync,
    W: Copy + Default + 'static,
    K: Key,
{
    let all = |_: &W| true;
    if from.len() < LARGE {
        return by_digits(chosen(from, out.len(), into, all), out, key, back);
    }
    // What comes before the middle one of a sample and what does not are sorted side by side.
    let mut sample: Vec<K> = from.iter().step_by(from.len() / SAMPLE).map(|&x| key(into(x))).collect();
    sample.sort_unstable();
    let middle = sample[sample.len() / 2];
    let some: Vec<&[T]> = from.chunks(PART).collect();
    let is_before = |x: &&T| key(into(**x)) < middle;
    let before = work::collect(some.len(), |i| some[i].iter().filter(is_before).count()).iter().sum();
    if Stop::here().asked() {
        return;
    }
    let (left, right) = out.split_at_mut(before);
    work::share([(true, left), (false, right)].into_iter(), 2, |_, (is_left, out)| {
        by_digits(chosen(from, out.len(), &into, |x| (key(*x) < middle) == is_left), out, &key, &back);
    });
}

/// The elements that something holds of, which are so many, in their order.
fn chosen<T: Copy, W: Copy + Default + 'static>(
    from: &[T],
    count: usize,
    into: impl Fn(T) -> W,
    holds: impl Fn(&W) -> bool,
) -> Vec<W> {
    let mut all = pool::filled(count + 1);
    let (mut to, stop) = (0, Stop::here());
    for some in from.chunks(BETWEEN).take_while(|_| !stop.asked()) {
        for &x in some {
            // What is not chosen is written over: half of them are, in no order that a processor could guess.
            let x = into(x);
            all[to] = x;
            to += usize::from(holds(&x));
        }
    }
    all.truncate(count);
    all
}

/// One digit after the other, the least significant first.
fn by_digits<T, W, K: Key>(words: Vec<W>, out: &mut [T], key: impl Fn(W) -> K, back: impl Fn(W) -> T)
where
    T: Copy,
    W: Copy + Default + 'static,
{
    match K::BITS.div_ceil(DIGIT) {
        0 | 1 => digit_by_digit::<T, W, K, 1>(words, out, key, back),
        2 => digit_by_digit::<T, W, K, 2>(words, out, key, back),
        3 => digit_by_digit::<T, W, K, 3>(words, out, key, back),
        _ => digit_by_digit::<T, W, K, 6>(words, out, key, back),
    }
}

/// So many digits: counting all of them in one round takes half the time where their number is known.
fn digit_by_digit<T: Copy, W: Copy + Default + 'static, K: Key, const DIGITS: usize>(
    mut words: Vec<W>,
    out: &mut [T],
    key: impl Fn(W) -> K,
    back: impl Fn(W) -> T,
) {
    let digit = |x: W, i: usize| (key(x).word() >> (i as u32 * DIGIT)) as usize % VALUES;
    let stop = Stop::here();
    let mut counts = vec![[0u32; VALUES]; DIGITS];
    let Some(counts) = counts.first_chunk_mut::<DIGITS>() else { return };
    for some in words.chunks(BETWEEN).take_while(|_| !stop.asked()) {
        for &x in some {
            let word = key(x).word();
            for i in 0..DIGITS {
                counts[i][(word >> (i as u32 * DIGIT)) as usize % VALUES] += 1;
            }
        }
    }
    // A digit that all have in common changes nothing.
    let tells = |i: &usize| words.first().is_some_and(|&x| counts[*i][digit(x, *i)] as usize != words.len());
    let mut passes: Vec<usize> = (0..DIGITS).filter(tells).collect();
    let last = passes.pop();
    let mut beside = if passes.is_empty() { Vec::new() } else { pool::filled(words.len()) };
    for i in passes {
        pass(&mut counts[i], &words, &mut beside, |x| digit(x, i), |x| x);
        std::mem::swap(&mut words, &mut beside);
    }
    match last {
        Some(i) => pass(&mut counts[i], &words, out, |x| digit(x, i), back),
        None => words.iter().zip(out).for_each(|(&x, out)| *out = back(x)),
    }
    pool::give(words);
    pool::give(beside);
}

/// Puts elements to where their digits belong, of which there are so many.
fn pass<W: Copy, T>(
    counts: &mut [u32; VALUES],
    from: &[W],
    out: &mut [T],
    digit: impl Fn(W) -> usize,
    to: impl Fn(W) -> T,
) {
    let (mut start, stop) = (0, Stop::here());
    for count in counts.iter_mut() {
        start += std::mem::replace(count, start);
    }
    for some in from.chunks(BETWEEN).take_while(|_| !stop.asked()) {
        for &x in some {
            let place = &mut counts[digit(x) % VALUES];
            out[*place as usize] = to(x);
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(count: usize) -> impl Iterator<Item = u64> {
        (0..count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn check<T: Copy + Default + Send + Sync + PartialEq + 'static, K: Key>(
        all: &[T],
        key: impl Fn(T) -> K + Sync + Copy,
    ) {
        let mut expected = all.to_vec();
        expected.sort_by_key(|&x| key(x));
        let mut out = vec![T::default(); all.len()];
        sort_into(all, &mut out, key);
        assert!(out == expected, "{} of {} bits", all.len(), K::BITS);
    }

    #[test]
    fn keys_of_every_type_are_in_order() {
        for count in [0, 1, 5_000, LARGE + 12_345] {
            check(&mixed(count).map(|x| (x >> 32) as i32).collect::<Vec<_>>(), |x| x);
            check(&mixed(count).map(|x| (x >> 40) as i8).collect::<Vec<_>>(), |x| x);
            check(&mixed(count).map(|x| x >> 63 == 0).collect::<Vec<_>>(), |x| x);
            check(&mixed(count).map(|x| x as i64).collect::<Vec<_>>(), |x| x);
            check(&mixed(count).map(|x| (x >> 48) as u16).collect::<Vec<_>>(), |x| x);
        }
    }

    #[test]
    fn elements_come_back_from_their_keys() {
        for count in [0, 5_000, LARGE + 12_345] {
            let all: Vec<i32> = mixed(count).map(|x| (x >> 32) as i32).collect();
            let (mut expected, mut out) = (all.clone(), vec![0; count]);
            expected.sort_by_key(|&x| !x);
            sort_keys(&all, &mut out, |x| !x, |key| !key);
            assert!(out == expected, "{count}");
        }
    }

    #[test]
    fn equal_keys_keep_their_order() {
        for count in [5_000, LARGE + 1] {
            check(&mixed(count).collect::<Vec<_>>(), |x| (x % 7) as u32);
            check(&mixed(count).collect::<Vec<_>>(), |x| (x >> 60) << 58);
            check(&(0..count as u64).rev().collect::<Vec<_>>(), |x| x);
            check(&vec![3u64; count], |x| x);
        }
    }
}
