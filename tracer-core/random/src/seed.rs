//! `numpy.random.SeedSequence`: a pool of entropy that states of generators are made from.

const POOL: usize = 4;
const SHIFT: u32 = 16;

/// Entropy of any size, mixed into a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedSequence {
    /// The words of the seed.
    pub entropy: Vec<u32>,
    /// The path from the sequence that was spawned from.
    pub spawn_key: Vec<u32>,
    /// How many children it has.
    pub children: u32,
}

/// The running constant of a hash.
struct Hash {
    state: u32,
    factor: u32,
}

impl Hash {
    fn next(&mut self, value: u32) -> u32 {
        let mut value = value ^ self.state;
        self.state = self.state.wrapping_mul(self.factor);
        value = value.wrapping_mul(self.state);
        value ^ (value >> SHIFT)
    }
}

fn mix(x: u32, y: u32) -> u32 {
    let z = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    z ^ (z >> SHIFT)
}

/// The words of an integer, lowest first.
pub fn words(mut n: u128) -> Vec<u32> {
    let mut words = vec![n as u32];
    n >>= 32;
    while n > 0 {
        words.push(n as u32);
        n >>= 32;
    }
    words
}

impl SeedSequence {
    /// A sequence of this entropy.
    pub fn new(entropy: Vec<u32>) -> SeedSequence {
        SeedSequence { entropy, spawn_key: Vec::new(), children: 0 }
    }

    fn pool(&self) -> [u32; POOL] {
        let mut entropy = self.entropy.clone();
        if !self.spawn_key.is_empty() {
            if entropy.len() < POOL {
                entropy.resize(POOL, 0);
            }
            entropy.extend(&self.spawn_key);
        }
        let mut hash = Hash { state: 0x43b0_d7e5, factor: 0x931e_8875 };
        let mut pool = [0; POOL];
        for (i, word) in pool.iter_mut().enumerate() {
            *word = hash.next(entropy.get(i).copied().unwrap_or(0));
        }
        for from in 0..POOL {
            for to in 0..POOL {
                if from != to {
                    pool[to] = mix(pool[to], hash.next(pool[from]));
                }
            }
        }
        for word in entropy.iter().skip(POOL) {
            for to in &mut pool {
                *to = mix(*to, hash.next(*word));
            }
        }
        pool
    }

    /// So many words of state.
    pub fn generate(&self, n: usize) -> Vec<u32> {
        let pool = self.pool();
        let mut hash = Hash { state: 0x8b51_f9dd, factor: 0x58f3_8ded };
        (0..n).map(|i| hash.next(pool[i % POOL])).collect()
    }

    /// So many double words of state.
    pub fn generate64(&self, n: usize) -> Vec<u64> {
        let words = self.generate(2 * n);
        words.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
    }

    /// The next child.
    pub fn spawn(&mut self) -> SeedSequence {
        let mut spawn_key = self.spawn_key.clone();
        spawn_key.push(self.children);
        self.children += 1;
        SeedSequence { entropy: self.entropy.clone(), spawn_key, children: 0 }
    }
}
