//! Sorting by the digits of keys: a long list of short keys is in order sooner than by comparisons.

use crate::pool;
use crate::work::{self, LARGE, Stop};

/// Bits of a digit: its places stay in a processor's own cache.
const DIGIT: u32 = 11;
const VALUES: usize = 1 << DIGIT;
/// From so many elements on digits are faster.
const FROM: usize = 1 << 12;
/// Longer keys have so many digits that comparisons are as fast.
const SHORT: u32 = 32;
/// Elements that are moved between two looks at whether the work is to be stopped.
const BETWEEN: usize = 1 << 16;

/// What elements are sorted by.
pub trait Key: Ord + Copy {
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
    // Two halves side by side, which are merged, again in two halves.
    let half = from.len().div_ceil(2);
    let mut sorted = pool::filled(from.len());
    work::parts(&mut sorted, half, |i, out| by_digits(&from[i * half..][..out.len()], out, &key));
    let (left, right) = sorted.split_at(half);
    let middle = half - of_right(left, right, half, &key);
    work::parts(out, half, |i, out| {
        let (left, right) = match i {
            0 => (&left[..middle], &right[..half - middle]),
            _ => (&left[middle..], &right[half - middle..]),
        };
        merge(left, right, out, &key);
    });
    pool::give(sorted);
}

/// How many of the first elements of two merged lists are of the right one.
fn of_right<T: Copy, K: Key>(left: &[T], right: &[T], count: usize, key: impl Fn(T) -> K) -> usize {
    let (mut low, mut high) = (count.saturating_sub(left.len()), right.len().min(count));
    while low < high {
        let middle = (low + high) / 2;
        // The next of the right list belongs to them when it comes before the last of the left one.
        if key(right[middle]) < key(left[count - middle - 1]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn merge<T: Copy, K: Key>(left: &[T], right: &[T], out: &mut [T], key: impl Fn(T) -> K) {
    let (mut i, mut j) = (0, 0);
    let mut places = out.iter_mut();
    while let (Some(&a), Some(&b)) = (left.get(i), right.get(j)) {
        let Some(place) = places.next() else { return };
        let is_right = key(b) < key(a);
        *place = if is_right { b } else { a };
        j += usize::from(is_right);
        i += usize::from(!is_right);
    }
    left[i..].iter().chain(&right[j..]).zip(places).for_each(|(&x, place)| *place = x);
}

/// One digit after the other, the least significant first.
fn by_digits<T: Copy + Default + 'static, K: Key>(from: &[T], out: &mut [T], key: impl Fn(T) -> K) {
    let digits = K::BITS.div_ceil(DIGIT) as usize;
    let digit = |x: T, i: usize| (key(x).word() >> (i as u32 * DIGIT)) as usize % VALUES;
    let stop = Stop::here();
    let mut counts = vec![[0u32; VALUES]; digits];
    for some in from.chunks(BETWEEN).take_while(|_| !stop.asked()) {
        for &x in some {
            let word = key(x).word();
            for (i, counts) in counts.iter_mut().enumerate() {
                counts[(word >> (i as u32 * DIGIT)) as usize % VALUES] += 1;
            }
        }
    }
    // A digit that all have in common changes nothing.
    let tells = |i: &usize| from.first().is_some_and(|&x| counts[*i][digit(x, *i)] as usize != from.len());
    let passes: Vec<usize> = (0..digits).filter(tells).collect();
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
