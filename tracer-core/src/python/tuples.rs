//! Tuples of items that stand still, one after the other: products and choices. Nothing of the program runs for the next one, and
//! whoever takes it apart needs no tuple.

use std::rc::Rc;

use super::value::Value;

/// Which positions a choice may take again behind one that it has taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// Only later ones.
    Never,
    /// That one, and later ones.
    Same,
    /// All that it has not.
    Earlier,
}

/// What the items of the tuples are chosen from.
enum From {
    /// A container for each place.
    Each(Box<[Rc<[Value]>]>),
    /// One container, whose positions are taken once or more.
    One { pool: Rc<[Value]>, count: usize, again: Again, taken: Box<[bool]> },
}

/// Tuples, one after the other.
pub struct Tuples {
    from: From,
    /// Where the items of the present tuple stand.
    at: Vec<usize>,
    has_begun: bool,
    is_over: bool,
}

impl Tuples {
    /// One item of each of the containers, the last one first.
    pub fn products(pools: impl IntoIterator<Item = Rc<[Value]>>) -> Tuples {
        let pools: Box<[_]> = pools.into_iter().collect();
        let is_over = pools.iter().any(|pool| pool.is_empty());
        Tuples { at: vec![0; pools.len()], from: From::Each(pools), has_begun: false, is_over }
    }
    /// So many items of a container, in the order of their positions.
    pub fn choices(pool: Rc<[Value]>, count: usize, again: Again) -> Tuples {
        let all = pool.len();
        let taken = vec![false; if again == Again::Earlier { all } else { 0 }].into();
        let is_over = count > all && (again != Again::Same || all == 0);
        Tuples { from: From::One { pool, count, again, taken }, at: Vec::new(), has_begun: false, is_over }
    }
    /// How many items each has.
    pub fn width(&self) -> usize {
        match &self.from {
            From::Each(pools) => pools.len(),
            From::One { count, .. } => *count,
        }
    }
    /// Goes on to the next one; false where there is none.
    pub fn advance(&mut self) -> bool {
        if !self.is_over {
            self.is_over = match &mut self.from {
                From::Each(pools) => self.has_begun && !count_on(pools, &mut self.at),
                From::One { pool, count, again, taken } => {
                    !choose_on(pool.len(), *count, *again, taken, &mut self.at, self.has_begun)
                }
            };
            self.has_begun = true;
        }
        !self.is_over
    }
    /// Whether there is a present one.
    pub fn is_at_one(&self) -> bool {
        self.has_begun && !self.is_over
    }
    /// An item of the present one.
    pub fn part(&self, place: usize) -> &Value {
        let at = self.at[place];
        match &self.from {
            From::Each(pools) => &pools[place][at],
            From::One { pool, .. } => &pool[at],
        }
    }
    /// The present one.
    pub fn tuple(&self) -> Value {
        Value::tuple((0..self.width()).map(|place| self.part(place).clone()))
    }
}

/// The next positions, the last one first; false behind the last ones.
fn count_on(pools: &[Rc<[Value]>], at: &mut [usize]) -> bool {
    for (pool, at) in pools.iter().zip(at).rev() {
        *at += 1;
        if *at < pool.len() {
            return true;
        }
        *at = 0;
    }
    false
}

/// The next positions of the last place that has one, and the first ones that may follow; false where there are none.
fn choose_on(all: usize, count: usize, again: Again, taken: &mut [bool], at: &mut Vec<usize>, has_begun: bool) -> bool {
    let leave = |taken: &mut [bool], at: &mut Vec<usize>| {
        let last = at.pop()?;
        if let Some(slot) = taken.get_mut(last) {
            *slot = false;
        }
        Some(last + 1)
    };
    let mut from = 0;
    if has_begun {
        match leave(taken, at) {
            Some(next) => from = next,
            None => return false,
        }
    }
    while at.len() < count {
        // So many have to follow.
        let most = if again == Again::Never { all + at.len() + 1 - count } else { all };
        match (from..most).find(|at| !taken.get(*at).copied().unwrap_or(false)) {
            Some(place) => {
                if let Some(slot) = taken.get_mut(place) {
                    *slot = true;
                }
                at.push(place);
                from = match again {
                    Again::Never => place + 1,
                    Again::Same => place,
                    Again::Earlier => 0,
                };
            }
            None => match leave(taken, at) {
                Some(next) => from = next,
                None => return false,
            },
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut tuples: Tuples) -> Vec<Vec<i64>> {
        let mut found = Vec::new();
        while tuples.advance() {
            let row = (0..tuples.width()).map(|place| tuples.part(place).as_int().expect("an integer"));
            found.push(row.collect());
        }
        assert!(!tuples.advance() && !tuples.is_at_one());
        found
    }

    fn pool(count: i64) -> Rc<[Value]> {
        (0..count).map(Value::Int).collect()
    }

    #[test]
    fn products_count_the_last_place_first() {
        assert_eq!(all(Tuples::products([pool(2), pool(2)])), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(all(Tuples::products([])), [Vec::<i64>::new()]);
        assert!(all(Tuples::products([pool(2), pool(0)])).is_empty());
    }

    #[test]
    fn choices_take_positions_in_order() {
        assert_eq!(all(Tuples::choices(pool(3), 2, Again::Never)), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(all(Tuples::choices(pool(2), 2, Again::Same)), [[0, 0], [0, 1], [1, 1]]);
        assert_eq!(all(Tuples::choices(pool(3), 3, Again::Earlier)).len(), 6);
        assert!(all(Tuples::choices(pool(2), 3, Again::Never)).is_empty());
        assert_eq!(all(Tuples::choices(pool(0), 0, Again::Same)), [Vec::<i64>::new()]);
        assert!(all(Tuples::choices(pool(0), 1, Again::Same)).is_empty());
    }
}
