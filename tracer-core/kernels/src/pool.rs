//! Large buffers that are used again.
//!
//! The system hands out large memory page by page, and each page costs as much as the arithmetic of a simple operation on it.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};

/// Smaller buffers come from the allocator: in bytes.
const LEAST: usize = 1 << 16;
/// So many bytes are kept at most.
const MOST: usize = 48 << 20;

struct Spare {
    kind: TypeId,
    bytes: usize,
    buffer: Box<dyn Any>,
}

thread_local! {
    static SPARE: RefCell<Vec<Spare>> = const { RefCell::new(Vec::new()) };
    static NEED: Cell<Need> = const { Cell::new(Need { most: usize::MAX, live: 0 }) };
}

/// What a computation holds, as it says.
#[derive(Copy, Clone, Debug)]
pub struct Need {
    /// Bytes at most at a time; the largest number where nobody knows.
    pub most: usize,
    /// Bytes now.
    pub live: usize,
}

impl Need {
    /// So many bytes are kept beside: with what is alive hardly more than is alive at most at a time.
    fn spare(self) -> usize {
        (self.most.saturating_add(self.most / 8)).saturating_sub(self.live).min(MOST)
    }
}

/// What the computation of this thread holds.
pub fn need() -> Need {
    NEED.get()
}

/// Says what the computation of this thread holds: spare buffers beyond that are given back to the system, the oldest first.
pub fn set_need(need: Need) {
    NEED.set(need);
    let room = need.spare();
    if room < MOST {
        SPARE.with(|all| {
            if let Ok(mut all) = all.try_borrow_mut() {
                shrink(&mut all, room);
            }
        });
    }
}

/// Lets go of the oldest buffers until no more than so many bytes are left.
fn shrink(all: &mut Vec<Spare>, room: usize) {
    let mut held: usize = all.iter().map(|spare| spare.bytes).sum();
    while held > room {
        held -= all.remove(0).bytes;
    }
}

fn taken<T: 'static>(len: usize) -> Option<Vec<T>> {
    let bytes = len.checked_mul(size_of::<T>())?;
    if bytes < LEAST {
        return None;
    }
    let spare = SPARE.with(|all| {
        let mut all = all.try_borrow_mut().ok()?;
        // The one that was given back last is nearest.
        let fits = |spare: &Spare| spare.kind == TypeId::of::<T>() && (bytes..=2 * bytes).contains(&spare.bytes);
        let at = all.iter().rposition(fits)?;
        Some(all.remove(at))
    })?;
    spare.buffer.downcast::<Vec<T>>().ok().map(|buffer| *buffer)
}

/// A buffer of so many elements, which hold anything.
#[inline]
pub fn filled<T: Copy + Default + 'static>(len: usize) -> Vec<T> {
    match taken::<T>(len) {
        Some(mut buffer) => {
            buffer.resize(len, T::default());
            buffer
        }
        None => vec![T::default(); len],
    }
}

/// An empty buffer with room for so many elements.
#[inline]
pub fn empty<T: 'static>(len: usize) -> Vec<T> {
    match taken::<T>(len) {
        Some(mut buffer) => {
            buffer.clear();
            buffer
        }
        None => Vec::with_capacity(len),
    }
}

/// Takes a buffer that nobody needs any more.
pub fn give<T: 'static>(buffer: Vec<T>) {
    let bytes = buffer.capacity() * size_of::<T>();
    let room = NEED.get().spare();
    if !(LEAST..=room).contains(&bytes) {
        return;
    }
    SPARE.with(|all| {
        let Ok(mut all) = all.try_borrow_mut() else { return };
        shrink(&mut all, room - bytes);
        all.push(Spare { kind: TypeId::of::<T>(), bytes, buffer: Box::new(buffer) });
    });
}

/// Gives all buffers back to the system.
pub fn clear() {
    SPARE.with(|all| all.take());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_by_type_and_size() {
        clear();
        let mut first = filled::<f32>(100_000);
        first[7] = 1.0;
        let place = first.as_ptr();
        give(first);
        assert_eq!(filled::<u32>(100_000).len(), 100_000);
        let larger = empty::<f32>(1_000_000);
        assert_ne!(larger.as_ptr(), place);
        let again = filled::<f32>(90_000);
        assert_eq!((again.len(), again.as_ptr()), (90_000, place));
        give(again);
        let last = empty::<f32>(100_000);
        assert!(last.is_empty() && last.capacity() >= 100_000 && last.as_ptr() == place);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        clear();
        for _ in 0..100 {
            give(vec![0u8; 4 << 20]);
        }
        give(vec![0u8; MOST + 1]);
        let held = SPARE.with(|all| all.borrow().iter().map(|spare| spare.bytes).sum::<usize>());
        assert_eq!(held, MOST);
        clear();
    }

    #[test]
    fn what_is_kept_follows_what_is_needed() {
        let held = || SPARE.with(|all| all.borrow().iter().map(|spare| spare.bytes).sum::<usize>());
        clear();
        let before = need();
        set_need(Need { most: 32 << 20, live: 8 << 20 });
        for _ in 0..10 {
            give(vec![0u8; 4 << 20]);
        }
        assert_eq!(held(), 28 << 20);
        set_need(Need { most: 32 << 20, live: 25 << 20 });
        assert_eq!(held(), 8 << 20);
        set_need(Need { most: 32 << 20, live: 40 << 20 });
        assert_eq!(held(), 0);
        give(vec![0u8; 1 << 20]);
        assert_eq!(held(), 0);
        set_need(before);
        give(vec![0u8; 1 << 20]);
        assert_eq!(held(), 1 << 20);
        clear();
    }
}
