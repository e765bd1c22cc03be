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
    if from.len() < LARGE {
        return by_digits(from, out, key);
    }
    // What comes before the middle one of a sample and what does not are sorted side by side.
    let mut sample: Vec<K> = from.iter().step_by(from.len() / SAMPLE).map(|&x| key(x)).collect();
    sample.sort_unstable();
    let middle = sample[sample.len() / 2];
    let some: Vec<&[T]> = from.chunks(PART).collect();
    let before = work::collect(some.len(), |i| some[i].iter().filter(|&&x| key(x) < middle).count()).iter().sum();
    if Stop::here().asked() {
        return;
    }
    let (left, right) = out.split_at_mut(before);
    work::share([(true, left), (false, right)].into_iter(), 2, |_, (is_left, out)| {
        let some = chosen(from, out.len(), |x| (key(x) < middle) == is_left);
        by_digits(&some[..out.len()], out, &key);
        pool::give(some);
    });
}

/// The elements that something holds of, which are so many, in their order, and one place more.
fn chosen<T: Copy + Default + 'static>(from: &[T], count: usize, holds: impl Fn(T) -> bool) -> Vec<T> {
    let mut all = pool::filled(count + 1);
    let (mut to, stop) = (0, Stop::here());
    for some in from.chunks(BETWEEN).take_while(|_| !stop.asked()) {
        for &x in some {
            // What is not chosen is written over: half of them are, in no order that a processor could guess.
            all[to] = x;
            to += usize::from(holds(x));
        }
    }
    all
}

/// One digit after the other, the least significant first.
fn by_digits<T: Copy + Default + 'static, K: Key>(from: &[T], out: &mut [T], key: impl Fn(T) -> K) {
    match K::BITS.div_ceil(DIGIT) {
        0 | 1 => digit_by_digit::<T, K, 1>(from, out, key),
        2 => digit_by_digit::<T, K, 2>(from, out, key),
        3 => digit_by_digit::<T, K, 3>(from, out, key),
        _ => digit_by_digit::<T, K, 6>(from, out, key),
    }
}

/// So many digits: counting all of them in one round takes half the time where their number is known.
fn digit_by_digit<T: Copy + Default + 'static, K: Key, const DIGITS: usize>(
    from: &[T],
    out: &mut [T],
    key: impl Fn(T) -> K,
) {
    let digit = |x: T, i: usize| (key(x).word() >> (i as u32 * DIGIT)) as usize % VALUES;
    let stop = Stop::here();
    let mut counts = vec![[0u32; VALUES]; DIGITS];
    let Some(counts) = counts.first_chunk_mut::<DIGITS>() else { return };
    for some in from.chunks(BETWEEN).take_while(|_| !stop.asked()) {
        for &x in some {
            let word = key(x).word();
            for i in 0..DIGITS {
                counts[i][(word >> (i as u32 * DIGIT)) as usize % VALUES] += 1;
            }
        }
    }
    // A digit that all have in common changes nothing.
    let tells = |i: &usize| from.first().is_some_and(|&x| counts[*i][digit(x, *i)] as usize != from.len());
    let passes: Vec<usize> = (0..DIGITS).filter(tells).collect();
    let Some((&first, others)) = passes.split_first() else { return out.copy_from_slice(from) };
    let mut pass = |i: usize, from: &[T], out: &mut [T]| {
        let mut start = 0;
        for count in &mut counts[i] {
            start += std::mem::replace(count, start);
        }
        let places = &mut counts[i];
        for some in from.chunks(BETWEEN).take_while(|_| !stop.asked()) {
            for &x in some {
                let place = &mut places[digit(x, i)];
                out[*place as usize] = x;
                *place += 1;
            }
        }
    };
    if others.is_empty() {
        return pass(first, from, out);
    }
    let mut beside = pool::filled(from.len());
    // The last pass ends in `out`.
    let mut is_beside = others.len() % 2 == 1;
    pass(first, from, if is_beside { &mut beside } else { &mut *out });
    for &i in others {
        match is_beside {
            true => pass(i, &beside, out),
            false => pass(i, out, &mut beside),
        }
        is_beside = !is_beside;
    }
    pool::give(beside);
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
    fn equal_keys_keep_their_order() {
        for count in [5_000, LARGE + 1] {
            check(&mixed(count).collect::<Vec<_>>(), |x| (x % 7) as u32);
            check(&mixed(count).collect::<Vec<_>>(), |x| (x >> 60) << 58);
            check(&(0..count as u64).rev().collect::<Vec<_>>(), |x| x);
            check(&vec![3u64; count], |x| x);
        }
    }
}
