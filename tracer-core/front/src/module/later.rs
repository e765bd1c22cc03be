//! Bodies of functions that are lowered, or decoded, when somebody first asks for them: of a library's thousand functions a
//! program calls a few.
//!
//! The function's [`Code`](super::Code) is there at once with its name, its parameters and its range; its body is
//! [`Body::Later`](super::Body::Later), a number of this list. What is made of it is a [`Module`] of its own, which shares the
//! numbers of global slots with the one around it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Code, CodeId, DecodeCode, Module, Stmt, Symbol};

/// Numbers of global slots by name.
#[derive(Default, Debug)]
pub(crate) struct Globals {
    pub(crate) names: Vec<Symbol>,
    index: FxHashMap<Symbol, u32>,
}

impl Globals {
    fn of(names: &[Symbol]) -> Globals {
        let index = names.iter().enumerate().map(|(slot, name)| (*name, slot as u32)).collect();
        Globals { names: names.to_vec(), index }
    }
    /// The slot of a name, a new one if it has none.
    pub(crate) fn slot(&mut self, name: Symbol) -> u32 {
        *self.index.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() as u32 - 1
        })
    }
}

/// A function whose body comes later, in the text.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Where its `def` begins.
    pub(crate) start: u32,
    /// Behind its last statement.
    pub(crate) end: u32,
    /// The innermost class around it, for names that are private to it.
    pub(crate) class: Option<String>,
    /// The `__qualname__` of the class, filled in when the class is lowered.
    pub(crate) outer: Option<Symbol>,
}

/// What a body is made of.
#[derive(Debug, Serialize, Deserialize)]
enum Source {
    /// A range of the bytes that [`Module::stored_in`] was given.
    Stored(u32, u32),
    // Behind the others: what is skipped is counted when it is written, and not when it is read.
    #[serde(skip)]
    Text(Part),
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    source: Source,
    #[serde(skip)]
    made: OnceLock<LaterBody>,
}

/// A body that has been made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LaterBody {
    /// What holds it.
    pub module: Arc<Module>,
    /// The function, in there.
    pub code: CodeId,
}

/// Reads a stored body.
pub type Decode = fn(&[u8]) -> Option<LaterBody>;

/// The bodies of a module that come later.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Later {
    entries: Vec<Entry>,
    #[serde(skip)]
    text: Arc<str>,
    #[serde(skip)]
    store: Option<(&'static [u8], Decode)>,
    /// Slots of the module, and of names that only later bodies mention.
    #[serde(skip)]
    globals: Mutex<Option<Globals>>,
}

impl Clone for Later {
    /// What has been made is made again.
    fn clone(&self) -> Later {
        let source = |source: &Source| match source {
            Source::Text(part) => Source::Text(part.clone()),
            Source::Stored(start, end) => Source::Stored(*start, *end),
        };
        let entries = self.entries.iter().map(|entry| Entry { source: source(&entry.source), made: OnceLock::new() });
        Later { entries: entries.collect(), text: self.text.clone(), store: self.store, globals: Mutex::default() }
    }
}

impl Later {
    pub(crate) fn of_text(text: &Arc<str>, parts: Vec<Part>) -> Later {
        let entries = parts.into_iter().map(|part| Entry { source: Source::Text(part), made: OnceLock::new() });
        Later { entries: entries.collect(), text: text.clone(), ..Later::default() }
    }
}

impl Module {
    /// A body that comes later.
    pub fn later_body(&self, at: u32) -> &LaterBody {
        let entry = &self.later.entries[at as usize];
        entry.made.get_or_init(|| match &entry.source {
            Source::Text(part) => {
                let mut globals = self.later.globals.lock().unwrap_or_else(PoisonError::into_inner);
                let globals = globals.get_or_insert_with(|| Globals::of(&self.globals));
                crate::lower::lower_part(&self.later.text, part, globals)
            }
            Source::Stored(start, end) => {
                let stored =
                    self.later.store.and_then(|(bytes, decode)| decode(bytes.get(*start as usize..*end as usize)?));
                stored.unwrap_or_else(LaterBody::unreadable)
            }
        })
    }

    /// How many bodies come later.
    pub fn later_len(&self) -> u32 {
        self.later.entries.len() as u32
    }

    /// Makes every body that comes later and hands it to `write`, which says where it has put it. See [`Module::stored_in`].
    pub fn store_later(&mut self, mut write: impl FnMut(LaterBody) -> (u32, u32)) {
        let places: Vec<(u32, u32)> = (0..self.later_len()).map(|at| write(self.later_body(at).clone())).collect();
        let stored = places.into_iter().map(|(start, end)| Source::Stored(start, end));
        self.later.entries = stored.map(|source| Entry { source, made: OnceLock::new() }).collect();
        // Slots that only later bodies mention are slots like all others from here on.
        if let Some(globals) = self.later.globals.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.globals = globals.names;
        }
        self.later.text = Arc::default();
    }

    /// Writes every code behind the bytes that there are. See [`Module::stored_in`].
    pub fn store_codes(&mut self, bytes: &mut Vec<u8>, write: impl FnMut(&Code, &mut Vec<u8>)) {
        self.codes.store(bytes, write);
    }

    /// Says where the bodies and codes are that [`Module::store_later`] and [`Module::store_codes`] wrote.
    pub fn stored_in(&mut self, bytes: &'static [u8], body: Decode, code: DecodeCode) {
        self.later.store = Some((bytes, body));
        self.codes.stored_in(bytes, code);
    }
}

impl LaterBody {
    /// A body of which nothing is known.
    fn unreadable() -> LaterBody {
        let mut module = crate::lower::lower_text("def _(): pass");
        for stmt in &mut module.stmts {
            if matches!(stmt, Stmt::Pass) {
                *stmt = Stmt::Error;
            }
        }
        LaterBody { module: Arc::new(module), code: CodeId(1) }
    }
}
