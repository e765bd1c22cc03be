//! The threefry hash (J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3"), as JAX uses it.

use pulp::{Arch, Simd, WithSimd};

use crate::work::{self, LARGE, PART};

/// The threefry hash of two words under a key of two words.
#[inline(always)]
pub fn hash(key: [u32; 2], count: [u32; 2]) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD1_1BDA];
    let (mut x, mut y) = (count[0].wrapping_add(keys[0]), count[1].wrapping_add(keys[1]));
    for round in 0..5 {
        for turn in ROTATIONS[round % 2] {
            x = x.wrapping_add(y);
            y = y.rotate_left(turn) ^ x;
        }
        x = x.wrapping_add(keys[(round + 1) % 3]);
        y = y.wrapping_add(keys[(round + 2) % 3]).wrapping_add(round as u32 + 1);
    }
    [x, y]
}

/// Hashes of the counters from `first` on, their two words combined.
struct Words<'a> {
    key: [u32; 2],
    first: u32,
    out: &'a mut [u32],
}

impl WithSimd for Words<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (i, out) in self.out.iter_mut().enumerate() {
            let [a, b] = hash(self.key, [0, self.first.wrapping_add(i as u32)]);
            *out = a ^ b;
        }
    }
}

/// So many random words from a key, at most 2³².
pub fn words(key: [u32; 2], count: usize) -> Vec<u32> {
    let mut out = crate::pool::filled(count);
    let size = if count < LARGE { usize::MAX } else { PART };
    work::parts(&mut out, size, |i, out| {
        Arch::new().dispatch(Words { key, first: (i * PART) as u32, out });
    });
    out
}
