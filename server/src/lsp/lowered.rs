//! Lowered files, kept from run to run: most files of a program do not change between two edits of one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tracer_core::module::Module;

/// A file that was not read by this many runs is forgotten.
const MOST_IDLE_RUNS: u64 = 32;

/// Lowered files by path, with the text that each came from.
#[derive(Default)]
pub struct Lowered(Mutex<Files>);

#[derive(Default)]
struct Files {
    run: u64,
    all: HashMap<PathBuf, Kept>,
}

struct Kept {
    text: Box<str>,
    module: Arc<Module>,
    run: u64,
}

impl Lowered {
    /// A text, lowered.
    pub fn get(&self, path: &Path, text: &str) -> Arc<Module> {
        let kept = {
            let mut files = self.files();
            let run = files.run;
            files.all.get_mut(path).filter(|kept| *kept.text == *text).map(|kept| {
                kept.run = run;
                kept.module.clone()
            })
        };
        kept.unwrap_or_else(|| {
            // Not under the lock: it may take a while.
            let module = Arc::new(tracer_core::lower::lower_text(text));
            let mut files = self.files();
            let kept = Kept { text: text.into(), module: module.clone(), run: files.run };
            files.all.insert(path.to_owned(), kept);
            module
        })
    }
    /// A run begins: forgets what has not been asked for in a long time.
    pub fn begin_run(&self) {
        let mut files = self.files();
        files.run += 1;
        let run = files.run;
        files.all.retain(|_, kept| kept.run + MOST_IDLE_RUNS >= run);
    }
    fn files(&self) -> std::sync::MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
