//! Sorting with instructions of 512 bits: a quicksort that divides a vector at a time, and a network for what is left of it.
//!
//! What works on vectors is inlined into the functions that may use these instructions ([`V4::vectorize`]) and holds no closures:
//! they would be compiled for any machine.

use std::arch::x86_64::__m512i;
use std::sync::{Mutex, PoisonError};

use pulp::NullaryFnOnce;
use pulp::bytemuck::cast;
use pulp::x86::V4;

use crate::pool;
use crate::work::{self, LARGE, Stop};

/// Vectors that are read between two looks at which side has more room.
const TOGETHER: usize = 4;
/// Vectors that the network sorts at most.
const NETWORK: usize = 16;
/// Lanes of a vector of the narrower words.
const LANES: usize = 16;
/// Parts of up to so many words are divided beside themselves, in a processor's own cache.
const BESIDE: usize = 1 << 14;
/// Parts of so many words are worth asking whether the work is to be stopped.
const LONG: usize = 1 << 16;
/// Words that are looked at to find the middle one of what is shared out.
const SAMPLE: usize = 1 << 10;

/// Unsigned integers that fill vectors.
pub(crate) trait Word: Ord + Copy + Default + Send + Sync + 'static {
    /// Words of a vector.
    const LANES: usize;
    const MOST: Self;
    /// The next larger one, if any.
    fn next(self) -> Option<Self>;
    /// A vector of one word.
    fn all(v: V4, x: Self) -> __m512i;
    fn load(all: &[Self], at: usize) -> __m512i;
    fn store(all: &mut [Self], at: usize, x: __m512i);
    /// Lane by lane.
    fn smaller(v: V4, x: __m512i, y: __m512i) -> __m512i;
    /// Lane by lane.
    fn larger(v: V4, x: __m512i, y: __m512i) -> __m512i;
    /// Lane `i` of the result is lane `i ^ FLIP` of `x`.
    fn flipped<const FLIP: usize>(v: V4, x: __m512i) -> __m512i;
    /// Of each two lanes `i` and `i ^ FLIP` the smaller word first.
    fn exchanged<const FLIP: usize>(v: V4, x: __m512i) -> __m512i;
    /// The lanes in order.
    fn sorted(v: V4, x: __m512i) -> __m512i;
    /// The lanes in order, where they rise and then fall, or the other way round.
    fn merged(v: V4, x: __m512i) -> __m512i;
    fn reversed(v: V4, x: __m512i) -> __m512i;
    /// Which lanes are below those of another vector: a bit for each.
    fn below(v: V4, x: __m512i, pivot: __m512i) -> u32;
    /// Some lanes, moved to the front.
    fn chosen(v: V4, x: __m512i, lanes: u32) -> __m512i;
    /// Lanes below those of another vector, then the others, and how many are below.
    fn divided(v: V4, x: __m512i, pivot: __m512i) -> (__m512i, usize);
}

macro_rules! words {
    ($ty:ty, $mask:ty, $lanes:literal, $set:ident, $min:ident, $max:ident, $masked_max:ident, $permute:ident, $less:ident,
     $compress:ident, $expand:ident, [$($sort:literal)*], [$($merge:literal)*]) => {
        impl Word for $ty {
            const LANES: usize = $lanes;
            const MOST: Self = <$ty>::MAX;
            fn next(self) -> Option<Self> {
                self.checked_add(1)
            }
            #[inline(always)]
            fn all(v: V4, x: Self) -> __m512i {
                v.avx512f.$set(x.cast_signed())
            }
            #[inline(always)]
            fn load(all: &[Self], at: usize) -> __m512i {
                let mut lanes = [0; $lanes];
                lanes.copy_from_slice(&all[at..at + $lanes]);
                cast(lanes)
            }
            #[inline(always)]
            fn store(all: &mut [Self], at: usize, x: __m512i) {
                let lanes: [Self; $lanes] = cast(x);
                all[at..at + $lanes].copy_from_slice(&lanes);
            }
            #[inline(always)]
            fn smaller(v: V4, x: __m512i, y: __m512i) -> __m512i {
                v.avx512f.$min(x, y)
            }
            #[inline(always)]
            fn larger(v: V4, x: __m512i, y: __m512i) -> __m512i {
                v.avx512f.$max(x, y)
            }
            #[inline(always)]
            fn flipped<const FLIP: usize>(v: V4, x: __m512i) -> __m512i {
                let from = const {
                    let mut from: [$ty; $lanes] = [0; $lanes];
                    let mut i = 0;
                    while i < $lanes {
                        from[i] = (i ^ FLIP) as $ty;
                        i += 1;
                    }
                    from
                };
                v.avx512f.$permute(cast(from), x)
            }
            #[inline(always)]
            fn exchanged<const FLIP: usize>(v: V4, x: __m512i) -> __m512i {
                let second = const {
                    let mut second: $mask = 0;
                    let mut i = 0;
                    while i < $lanes {
                        if i > i ^ FLIP {
                            second |= 1 << i;
                        }
                        i += 1;
                    }
                    second
                };
                let y = Self::flipped::<FLIP>(v, x);
                v.avx512f.$masked_max(v.avx512f.$min(x, y), second, x, y)
            }
            #[inline(always)]
            fn sorted(v: V4, mut x: __m512i) -> __m512i {
                $(x = Self::exchanged::<$sort>(v, x);)*
                x
            }
            #[inline(always)]
            fn merged(v: V4, mut x: __m512i) -> __m512i {
                $(x = Self::exchanged::<$merge>(v, x);)*
                x
            }
            #[inline(always)]
            fn reversed(v: V4, x: __m512i) -> __m512i {
                Self::flipped::<{ $lanes - 1 }>(v, x)
            }
            #[inline(always)]
            fn below(v: V4, x: __m512i, pivot: __m512i) -> u32 {
                v.avx512f.$less(x, pivot).into()
            }
            #[inline(always)]
            fn chosen(v: V4, x: __m512i, lanes: u32) -> __m512i {
                v.avx512f.$compress(lanes as $mask, x)
            }
            #[inline(always)]
            fn divided(v: V4, x: __m512i, pivot: __m512i) -> (__m512i, usize) {
                let below = v.avx512f.$less(x, pivot);
                let count = below.count_ones();
                let behind = u32::from(<$mask>::MAX) << count;
                let (front, others) = (v.avx512f.$compress(below, x), v.avx512f.$compress(!below, x));
                (v.avx512f.$expand(front, behind as $mask, others), count as usize)
            }
        }
    };
}

words!(
    u32,
    u16,
    16,
    _mm512_set1_epi32,
    _mm512_min_epu32,
    _mm512_max_epu32,
    _mm512_mask_max_epu32,
    _mm512_permutexvar_epi32,
    _mm512_cmplt_epu32_mask,
    _mm512_maskz_compress_epi32,
    _mm512_mask_expand_epi32,
    [1 3 1 7 2 1 15 4 2 1],
    [8 4 2 1]
);
words!(
    u64,
    u8,
    8,
    _mm512_set1_epi64,
    _mm512_min_epu64,
    _mm512_max_epu64,
    _mm512_mask_max_epu64,
    _mm512_permutexvar_epi64,
    _mm512_cmplt_epu64_mask,
    _mm512_maskz_compress_epi64,
    _mm512_mask_expand_epi64,
    [1 3 1 7 2 1],
    [4 2 1]
);

/// Whether the machine has these instructions.
pub(crate) fn is_there() -> bool {
    V4::try_new().is_some()
}

/// Puts words in order, many of them on several threads; `false` where the machine cannot. Where the work is stopped they are in any
/// order.
pub(crate) fn sort<W: Word>(words: &mut [W]) -> bool {
    let Some(v) = V4::try_new() else { return false };
    if words.len() < LARGE {
        Sort::new(v, words.len()).sort(words, depth(words.len()));
        return true;
    }
    // Twice as many parts as there are threads: halves are not of one size.
    let (longest, depth) = (words.len(), depth(words.len()));
    let mut parts = vec![words];
    for _ in 0..=work::processors().ilog2() {
        let (count, halves) = (parts.len(), Mutex::new(Vec::with_capacity(2 * parts.len())));
        work::share(parts.into_iter(), count, |_, part: &mut [W]| {
            let pivot = sampled(part);
            let below = v.vectorize(Divide { v, words: &mut *part, pivot, beside: &mut [] });
            let (left, right) = part.split_at_mut(below);
            halves.lock().unwrap_or_else(PoisonError::into_inner).extend([left, right]);
        });
        parts = halves.into_inner().unwrap_or_else(PoisonError::into_inner);
    }
    let count = parts.len();
    work::share(parts.into_iter(), count, |_, part: &mut [W]| Sort::new(v, longest).sort(part, depth));
    true
}

/// So often words are divided before something is wrong with how they are.
fn depth(count: usize) -> u32 {
    2 * count.max(1).ilog2()
}

/// The middle one of some words.
fn sampled<W: Word>(words: &[W]) -> W {
    let mut sample: Vec<W> = words.iter().step_by((words.len() / SAMPLE).max(1)).copied().collect();
    sample.sort_unstable();
    sample.get(sample.len() / 2).copied().unwrap_or_default()
}

/// One thread's sorting.
struct Sort<W: Word> {
    v: V4,
    beside: Vec<W>,
    stop: Stop,
}

impl<W: Word> Sort<W> {
    fn new(v: V4, longest: usize) -> Sort<W> {
        let room = if longest <= NETWORK * W::LANES { 0 } else { longest.min(BESIDE) + W::LANES };
        Sort { v, beside: pool::filled(room), stop: Stop::here() }
    }

    fn sort(&mut self, mut words: &mut [W], mut depth: u32) {
        let v = self.v;
        while words.len() > NETWORK * W::LANES {
            if words.len() >= LONG && self.stop.asked() {
                return;
            }
            if depth == 0 {
                return words.sort_unstable();
            }
            depth -= 1;
            let pivot = v.vectorize(Middle { v, words });
            let below = v.vectorize(Divide { v, words, pivot, beside: &mut self.beside });
            if below == 0 {
                // It is the least: those that are equal to it are in order.
                let Some(pivot) = pivot.next() else { return };
                let equal = v.vectorize(Divide { v, words, pivot, beside: &mut self.beside });
                words = &mut words[equal..];
                continue;
            }
            let (left, right) = words.split_at_mut(below);
            self.sort(left, depth);
            words = right;
        }
        v.vectorize(Few { v, words });
    }
}

impl<W: Word> Drop for Sort<W> {
    fn drop(&mut self) {
        pool::give(std::mem::take(&mut self.beside));
    }
}

/// A word that about half of more words than the network sorts are below.
struct Middle<'a, W> {
    v: V4,
    words: &'a [W],
}

impl<W: Word> NullaryFnOnce for Middle<'_, W> {
    type Output = W;
    #[inline(always)]
    fn call(self) -> W {
        let Middle { v, words } = self;
        let step = (words.len() - W::LANES) / 8;
        let some =
            [median(v, words, [0, 1, 2], step), median(v, words, [3, 4, 5], step), median(v, words, [6, 7, 8], step)];
        let mut sorted = [W::MOST; LANES];
        W::store(&mut sorted, 0, W::sorted(v, middle::<W>(v, some)));
        sorted[W::LANES / 2]
    }
}

#[inline(always)]
fn median<W: Word>(v: V4, words: &[W], at: [usize; 3], step: usize) -> __m512i {
    middle::<W>(v, [W::load(words, at[0] * step), W::load(words, at[1] * step), W::load(words, at[2] * step)])
}

/// The middle one of three, lane by lane.
#[inline(always)]
fn middle<W: Word>(v: V4, [a, b, c]: [__m512i; 3]) -> __m512i {
    W::larger(v, W::smaller(v, a, b), W::smaller(v, W::larger(v, a, b), c))
}

/// Moves words below one to the front and says how many there are.
struct Divide<'a, W> {
    v: V4,
    words: &'a mut [W],
    pivot: W,
    /// Anything; where it is longer than the words by a vector it is used.
    beside: &'a mut [W],
}

impl<W: Word> NullaryFnOnce for Divide<'_, W> {
    type Output = usize;
    #[inline(always)]
    fn call(self) -> usize {
        let Divide { v, words, pivot, beside } = self;
        if (W::LANES..=beside.len().saturating_sub(W::LANES)).contains(&words.len()) {
            divide_beside(v, words, pivot, beside)
        } else {
            divide(v, words, pivot)
        }
    }
}

/// Those below move to the front, the others are put aside until all are read.
#[inline(always)]
fn divide_beside<W: Word>(v: V4, words: &mut [W], pivot: W, beside: &mut [W]) -> usize {
    let pivot = W::all(v, pivot);
    let rest = words.len() % W::LANES;
    // What does not fill a vector, at its end: before anything is written there.
    let last = W::load(words, words.len() - W::LANES);
    let (mut left, mut right, mut at) = (0, 0, 0);
    while at + W::LANES <= words.len() {
        let x = W::load(words, at);
        let below = W::below(v, x, pivot);
        W::store(words, left, W::chosen(v, x, below));
        W::store(beside, right, W::chosen(v, x, !below));
        let count = below.count_ones() as usize;
        left += count;
        right += W::LANES - count;
        at += W::LANES;
    }
    if rest > 0 {
        let lanes = (1u32 << W::LANES) - (1 << (W::LANES - rest));
        let below = W::below(v, last, pivot) & lanes;
        W::store(beside, right, W::chosen(v, last, !below & lanes));
        let mut some = [W::MOST; LANES];
        W::store(&mut some, 0, W::chosen(v, last, below));
        let count = below.count_ones() as usize;
        words[left..left + count].copy_from_slice(&some[..count]);
        left += count;
        right += rest - count;
    }
    words[left..].copy_from_slice(&beside[..right]);
    left
}

/// Vectors are read from the side with less room, and each is written to both ends of what has been read.
#[inline(always)]
fn divide<W: Word>(v: V4, words: &mut [W], pivot: W) -> usize {
    let each = TOGETHER * W::LANES;
    let (mut left, mut right) = (0, words.len());
    for _ in 0..words.len() % each {
        let (x, y) = (words[left], words[right - 1]);
        let below = x < pivot;
        words[left] = if below { x } else { y };
        words[right - 1] = if below { y } else { x };
        left += usize::from(below);
        right -= usize::from(!below);
    }
    if right - left < 2 * each {
        // Fewer than anyone divides here.
        let (mut i, mut j) = (left, right);
        while i < j {
            if words[i] < pivot {
                i += 1;
            } else {
                j -= 1;
                words.swap(i, j);
            }
        }
        return i;
    }
    let pivot = W::all(v, pivot);
    let (mut from, mut to) = (left + each, right - each);
    let (first, last) = (block(words, left), block(words, to));
    while from < to {
        let next = if right - to < from - left {
            to -= each;
            to
        } else {
            from += each;
            from - each
        };
        for x in block(words, next) {
            put(v, words, &mut left, &mut right, x, pivot);
        }
    }
    for x in first {
        put(v, words, &mut left, &mut right, x, pivot);
    }
    for x in last {
        put(v, words, &mut left, &mut right, x, pivot);
    }
    left
}

/// Vectors from a place on.
#[inline(always)]
fn block<W: Word>(words: &[W], at: usize) -> [__m512i; TOGETHER] {
    let some = &words[at..at + TOGETHER * W::LANES];
    let mut all = [cast([0u64; 8]); TOGETHER];
    for (i, x) in all.iter_mut().enumerate() {
        *x = W::load(some, i * W::LANES);
    }
    all
}

/// Writes a vector to both ends, of which the lanes below stay on the left, the others on the right.
#[inline(always)]
fn put<W: Word>(v: V4, words: &mut [W], left: &mut usize, right: &mut usize, x: __m512i, pivot: __m512i) {
    let (x, below) = W::divided(v, x, pivot);
    W::store(words, *left, x);
    W::store(words, *right - W::LANES, x);
    *left += below;
    *right -= W::LANES - below;
}

/// Sorts no more words than the network takes.
struct Few<'a, W> {
    v: V4,
    words: &'a mut [W],
}

impl<W: Word> NullaryFnOnce for Few<'_, W> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Few { v, words } = self;
        match words.len().div_ceil(W::LANES) {
            0 => {}
            1 => few::<W, 1>(v, words),
            2 => few::<W, 2>(v, words),
            3 | 4 => few::<W, 4>(v, words),
            5..=8 => few::<W, 8>(v, words),
            _ => few::<W, NETWORK>(v, words),
        }
    }
}

/// Bitonic: vectors are sorted one by one, then merged by twos.
#[inline(always)]
fn few<W: Word, const N: usize>(v: V4, words: &mut [W]) {
    let mut part = [W::MOST; LANES];
    let whole = words.len() / W::LANES;
    let rest = &words[whole * W::LANES..];
    part[..rest.len()].copy_from_slice(rest);
    let mut x: [__m512i; N] = [W::all(v, W::MOST); N];
    for (i, x) in x.iter_mut().enumerate() {
        if i < whole {
            *x = W::load(words, i * W::LANES);
        } else if i == whole {
            *x = W::load(&part, 0);
        }
    }
    for x in &mut x {
        *x = W::sorted(v, *x);
    }
    let mut size = 1;
    while size < N {
        let mut at = 0;
        while at < N {
            for i in 0..size {
                let (low, high) = (at + i, at + 2 * size - 1 - i);
                let (a, b) = (x[low], W::reversed(v, x[high]));
                (x[low], x[high]) = (W::smaller(v, a, b), W::larger(v, a, b));
            }
            at += 2 * size;
        }
        let mut step = size / 2;
        while step > 0 {
            for low in 0..N {
                if low & step == 0 {
                    let (a, b) = (x[low], x[low + step]);
                    (x[low], x[low + step]) = (W::smaller(v, a, b), W::larger(v, a, b));
                }
            }
            step /= 2;
        }
        for x in &mut x {
            *x = W::merged(v, *x);
        }
        size *= 2;
    }
    for (i, x) in x.into_iter().enumerate() {
        if i < whole {
            W::store(words, i * W::LANES, x);
        } else if i == whole {
            W::store(&mut part, 0, x);
            let rest = &mut words[whole * W::LANES..];
            rest.copy_from_slice(&part[..rest.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<W: Word + std::fmt::Debug>(words: impl Iterator<Item = W>) {
        let mut words: Vec<W> = words.collect();
        let mut expected = words.clone();
        expected.sort_unstable();
        let count = words.len();
        assert!(!sort(&mut words) || words == expected, "{count} words of {} to a vector", W::LANES);
        // Again, in order and the other way round.
        assert!(!sort(&mut words) || words == expected, "{count} words that are in order");
        words.reverse();
        assert!(!sort(&mut words) || words == expected, "{count} words in reverse");
    }

    #[test]
    fn words_of_any_number_are_in_order() {
        for count in (0..600).chain([1_000, 5_000, BESIDE - 1, BESIDE + 1, 50_000, LARGE, LARGE + 12_345]) {
            for some in [u64::MAX, 100, 7, 2, 1] {
                let word = move |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                check((0..count as u64).map(|i| word(i) % some));
                check((0..count as u64).map(|i| (word(i) >> 32) as u32 % some.min(u32::MAX.into()) as u32));
                check((0..count as u64).map(|i| u32::MAX - (word(i) >> 32) as u32 % some.min(u32::MAX.into()) as u32));
            }
        }
    }

    #[test]
    fn what_rises_and_falls_is_in_order() {
        for count in [1_000u32, 20_000, 400_000] {
            check((0..count).map(|i| i.min(count - i)));
            check((0..count).map(|i| i % 1_000));
            check((0..count).map(|i| i.reverse_bits()));
        }
    }
}
