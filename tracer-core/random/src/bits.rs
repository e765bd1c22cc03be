//! The bit generators: PCG64 (`default_rng`) and MT19937 (`numpy.random.seed`, `RandomState`).
//!
//! Each is a page of public arithmetic; published crates hide what NumPy's interface needs of the state (the position, the
//! kept half of a draw), so they are written out here.

use crate::seed::SeedSequence;

/// A source of random bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Bits {
    /// `numpy.random.PCG64`
    Pcg64(Pcg64),
    /// `numpy.random.MT19937`
    Mt19937(Box<Mt19937>),
}

/// A permuted congruential generator of 128 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    half: Option<u32>,
}

/// The Mersenne twister.
#[derive(Clone, Debug, PartialEq)]
pub struct Mt19937 {
    words: [u32; 624],
    at: usize,
    /// The second number of the last pair of normals.
    pub(crate) gauss: Option<f64>,
}

impl Pcg64 {
    const FACTOR: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

    /// Seeds a generator.
    pub fn new(seed: &SeedSequence) -> Pcg64 {
        let words = seed.generate64(4);
        let join = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let increment = join(words[2], words[3]) << 1 | 1;
        let mut new = Pcg64 { state: 0, increment, half: None };
        new.step();
        new.state = new.state.wrapping_add(join(words[0], words[1]));
        new.step();
        new
    }
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(Self::FACTOR).wrapping_add(self.increment);
    }
    fn next64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }
}

impl Mt19937 {
    /// Seeds a generator as `numpy.random.seed(n)` does.
    pub fn of_int(seed: u32) -> Mt19937 {
        let mut words = [0u32; 624];
        words[0] = seed;
        for i in 1..624 {
            let before = words[i - 1];
            words[i] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(i as u32);
        }
        Mt19937 { words, at: 624, gauss: None }
    }
    /// Seeds a generator as `numpy.random.seed([…])` does.
    pub fn of_array(key: &[u32]) -> Mt19937 {
        let mut new = Mt19937::of_int(19_650_218);
        let w = &mut new.words;
        let (mut i, mut j) = (1, 0);
        for _ in 0..key.len().max(624) {
            let before = w[i - 1];
            w[i] =
                (w[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525)).wrapping_add(key[j]).wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i == 624 {
                w[0] = w[623];
                i = 1;
            }
        }
        for _ in 0..623 {
            let before = w[i - 1];
            w[i] = (w[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i == 624 {
                w[0] = w[623];
                i = 1;
            }
        }
        w[0] = 0x8000_0000;
        new
    }
    /// Seeds a generator as `numpy.random.MT19937(seed)` does.
    pub fn of_sequence(seed: &SeedSequence) -> Mt19937 {
        let mut words = [0u32; 624];
        words.copy_from_slice(&seed.generate(624));
        words[0] = 0x8000_0000;
        Mt19937 { words, at: 623, gauss: None }
    }
    fn twist(&mut self) {
        let w = &mut self.words;
        for i in 0..624 {
            let y = (w[i] & 0x8000_0000) | (w[(i + 1) % 624] & 0x7fff_ffff);
            w[i] = w[(i + 397) % 624] ^ (y >> 1) ^ if y & 1 == 1 { 0x9908_b0df } else { 0 };
        }
        self.at = 0;
    }
    fn next32(&mut self) -> u32 {
        if self.at == 624 {
            self.twist();
        }
        let mut y = self.words[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
}

impl Bits {
    /// 64 bits.
    #[inline]
    pub fn next64(&mut self) -> u64 {
        match self {
            Bits::Pcg64(pcg) => pcg.next64(),
            Bits::Mt19937(mt) => {
                let high = u64::from(mt.next32());
                high << 32 | u64::from(mt.next32())
            }
        }
    }
    /// 32 bits: of PCG64 the lower half of a draw, whose upper half is kept for the next.
    #[inline]
    pub fn next32(&mut self) -> u32 {
        match self {
            Bits::Pcg64(pcg) => match pcg.half.take() {
                Some(half) => half,
                None => {
                    let both = pcg.next64();
                    pcg.half = Some((both >> 32) as u32);
                    both as u32
                }
            },
            Bits::Mt19937(mt) => mt.next32(),
        }
    }
    /// A number in `[0, 1)` of 53 bits.
    #[inline]
    pub fn double(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
        match self {
            Bits::Pcg64(pcg) => (pcg.next64() >> 11) as f64 * UNIT,
            Bits::Mt19937(mt) => {
                let (a, b) = (mt.next32() >> 5, mt.next32() >> 6);
                (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
            }
        }
    }
    /// A number in `[0, 1)` of 24 bits.
    #[inline]
    pub fn float(&mut self) -> f32 {
        (self.next32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }
}
