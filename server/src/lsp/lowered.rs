//! Lowered files, kept from run to run: most files of a program do not change between two edits of one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tracer_core::lower::{lower, lower_outline};
use tracer_core::module::Module;
use tracer_core::notebook;
use tracer_core::syntax::SyntaxTree;

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
    /// Of a file that is edited: most of it is used again for the next text.
    tree: Option<Arc<SyntaxTree>>,
    /// Whether bodies of its functions come later: it was read as part of a library.
    is_library: bool,
    module: Arc<Module>,
    run: u64,
}

impl Lowered {
    /// A text of the user's, lowered; `edited` where the next text of the file will be much the same.
    pub fn get(&self, path: &Path, text: &str, edited: bool) -> Arc<Module> {
        let before = {
            let mut files = self.files();
            let run = files.run;
            match files.all.get_mut(path) {
                Some(kept) if *kept.text == *text && !kept.is_library => {
                    kept.run = run;
                    return kept.module.clone();
                }
                other => other.and_then(|kept| kept.tree.clone()),
            }
        };
        // Not under the lock: it may take a while.
        let tree = match before {
            Some(before) => before.reparse(text),
            None if edited => SyntaxTree::parse(text),
            None => SyntaxTree::parse_once(text),
        };
        let mut module = lower(&tree, text);
        if notebook::is_program(text) {
            module = notebook::isolate(text, module);
        }
        let module = Arc::new(module);
        let mut files = self.files();
        let tree = edited.then(|| Arc::new(tree));
        let kept = Kept { text: text.into(), tree, is_library: false, module: module.clone(), run: files.run };
        files.all.insert(path.to_owned(), kept);
        module
    }
    /// A text of a library, lowered.
    pub fn library(&self, path: &Path, text: &Arc<str>) -> Arc<Module> {
        {
            let mut files = self.files();
            let run = files.run;
            if let Some(kept) = files.all.get_mut(path).filter(|kept| *kept.text == **text) {
                kept.run = run;
                return kept.module.clone();
            }
        }
        let module = Arc::new(lower_outline(text));
        let mut files = self.files();
        let kept = Kept { text: (**text).into(), tree: None, is_library: true, module: module.clone(), run: files.run };
        files.all.insert(path.to_owned(), kept);
        module
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
