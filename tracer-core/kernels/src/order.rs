//! Sorting what takes long: in ranges that are sorted side by side, and between which work can be stopped.

use crate::work::{self, Stop};

/// From so many words on they are divided into ranges first: fewer are sorted sooner than anyone notices.
const MANY: usize = 1 << 21;
/// Ranges of about as many words each.
const RANGES: usize = 1 << 10;
/// Words that are looked at between two looks at whether the work is to be stopped.
const BETWEEN: usize = 1 << 16;

/// Sorts words that are all different. Where the work is stopped they stay as they are.
pub fn sort<T: Ord + Copy + Default + Send + Sync>(words: &mut [T]) {
    if words.len() < MANY {
        return words.sort_unstable();
    }
    // Where ranges end is read off an even sample.
    let step = words.len() / (RANGES * 16);
    let mut sample: Vec<T> = words.iter().copied().step_by(step.max(1)).collect();
    sample.sort_unstable();
    let ends: Vec<T> = (1..RANGES).map(|i| sample[i * sample.len() / RANGES]).collect();
    let range = |word: &T| ends.partition_point(|end| end <= word);
    let stop = Stop::here();
    let mut counts = vec![0usize; RANGES];
    for some in words.chunks(BETWEEN) {
        if stop.asked() {
            return;
        }
        some.iter().for_each(|word| counts[range(word)] += 1);
    }
    let mut places = Vec::with_capacity(RANGES);
    let mut start = 0;
    for count in &counts {
        places.push(start);
        start += count;
    }
    let mut divided = vec![T::default(); words.len()];
    for some in words.chunks(BETWEEN) {
        if stop.asked() {
            return;
        }
        for word in some {
            let place = &mut places[range(word)];
            divided[*place] = *word;
            *place += 1;
        }
    }
    let mut rest = &mut divided[..];
    let mut parts = Vec::with_capacity(RANGES);
    for count in counts {
        let (part, others) = rest.split_at_mut(count);
        parts.push(part);
        rest = others;
    }
    let count = parts.len();
    work::share(parts.into_iter(), count, |_, part: &mut [T]| part.sort_unstable());
    if !stop.asked() {
        words.copy_from_slice(&divided);
    }
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
        let mut some = words(MANY as u64 + 12_345);
        let mut expected = some.clone();
        expected.sort_unstable();
        sort(&mut some);
        assert!(some == expected);
        let mut equal: Vec<u64> = (0..MANY as u64).rev().collect();
        sort(&mut equal);
        assert!(equal.is_sorted());
    }

    #[test]
    fn what_is_stopped_stays_as_it_is() {
        let before = work::set_cancel(Some(Arc::new(AtomicBool::new(true))));
        let mut some = words(MANY as u64);
        sort(&mut some);
        work::set_cancel(before);
        assert!(some == words(MANY as u64));
    }
}
