//! Integers below a bound: by Lemire's multiplication (`Generator`) and by masks (`RandomState`).

use crate::Bits;

/// How integers are kept below their bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The upper half of a product, redrawn where it would be uneven.
    Lemire,
    /// As many bits as the bound has, redrawn above it.
    Masked,
}

/// Bits drawn in words and used in pieces of 8 or 16, or one by one.
#[derive(Default)]
struct Pieces {
    word: u32,
    left: u32,
}

impl Pieces {
    fn next(&mut self, bits: &mut Bits, width: u32) -> u32 {
        if self.left == 0 {
            self.word = bits.next32();
            self.left = 32 / width - 1;
        } else {
            self.word >>= width;
            self.left -= 1;
        }
        self.word & ((1u64 << width) - 1) as u32
    }
}

fn mask_of(max: u64) -> u64 {
    u64::MAX.checked_shr(max.leading_zeros()).unwrap_or(0)
}

/// A number in `0..=max` of the given width's draws.
fn one(bits: &mut Bits, pieces: &mut Pieces, max: u64, width: u32, bound: Bound) -> u64 {
    if max == 0 {
        return 0;
    }
    let top = u64::MAX >> (64 - width);
    let mut draw = |bits: &mut Bits| match width {
        64 => bits.next64(),
        32 => u64::from(bits.next32()),
        _ => u64::from(pieces.next(bits, width)),
    };
    if max == top {
        return draw(bits);
    }
    if bound == Bound::Masked {
        let mask = mask_of(max);
        loop {
            let value = draw(bits) & mask;
            if value <= max {
                return value;
            }
        }
    }
    let n = u128::from(max) + 1;
    let low = |product: u128| product as u64 & top;
    let mut product = u128::from(draw(bits)) * n;
    if u128::from(low(product)) < n {
        let threshold = ((u128::from(top) - u128::from(max)) % n) as u64;
        while low(product) < threshold {
            product = u128::from(draw(bits)) * n;
        }
    }
    (product >> width) as u64
}

/// A number in `0..=max`: 32-bit draws where they do.
pub fn below(bits: &mut Bits, max: u64, bound: Bound) -> u64 {
    let width = if max <= u64::from(u32::MAX) { 32 } else { 64 };
    one(bits, &mut Pieces::default(), max, width, bound)
}

/// `n` numbers in `low..=low + max` of a type of so many bits (1 for bools).
pub fn fill(bits: &mut Bits, n: usize, low: i64, max: u64, width: u32, bound: Bound) -> Vec<i64> {
    let mut pieces = Pieces::default();
    let mut next = |bits: &mut Bits| match width {
        64 => below(bits, max, bound),
        _ => one(bits, &mut pieces, max, width, bound),
    };
    (0..n).map(|_| low.wrapping_add(next(bits) as i64)).collect()
}

/// Fisher and Yates, from the end down to `first`.
pub fn shuffle(bits: &mut Bits, items: &mut [i64], first: usize, bound: Bound) {
    for i in (first.max(1)..items.len()).rev() {
        let j = below(bits, i as u64, bound) as usize;
        items.swap(i, j);
    }
}

/// `size` of `0..population` without one twice, as `Generator.choice` finds them.
pub fn sample(bits: &mut Bits, population: usize, size: usize, shuffled: bool) -> Vec<i64> {
    let cutoff = if shuffled { 50 } else { 20 };
    if population > 10_000 && size > population / cutoff {
        // The end of a shuffle.
        let mut all: Vec<i64> = (0..population as i64).collect();
        shuffle(bits, &mut all, (population - size).max(1), Bound::Lemire);
        return all.split_off(population - size);
    }
    // Floyd's: what is there already gives way to the largest number so far.
    let mut seen = std::collections::HashSet::new();
    let mut found = Vec::with_capacity(size);
    for j in population - size..population {
        let value = below(bits, j as u64, Bound::Lemire) as i64;
        let value = if seen.contains(&value) { j as i64 } else { value };
        seen.insert(value);
        found.push(value);
    }
    if shuffled {
        shuffle(bits, &mut found, 1, Bound::Lemire);
    }
    found
}
