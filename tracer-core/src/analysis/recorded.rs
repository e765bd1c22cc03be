//! What `jitlens record` has noted: the types that functions were called with while the program ran.
//!
//! The file `.jitlens/signatures.json` lies at the top of the project, or in a folder between it and the script. A function has its signatures by its
//! file and its `__qualname__`; lines move as the program is edited. What cannot be read is left out.

use std::path::Path;

use serde::Deserialize;

use super::loader::Vfs;
use super::run::Entry;
use super::signature::{self, Signature};
use crate::module::Code;

/// Where it lies in a project.
const FILE: &str = ".jitlens/signatures.json";

/// The signatures of the functions of one file.
#[derive(Debug, Default)]
pub struct Recorded(Vec<Row>);

#[derive(Debug, Deserialize)]
struct Written {
    version: u32,
    functions: Vec<Row>,
}

/// A function: its file as seen from the folder around `.jitlens`, and what each of some calls gave, as the comment `# jitlens:` says it.
#[derive(Debug, Deserialize)]
struct Row {
    file: String,
    function: String,
    arguments: Vec<String>,
}

impl Recorded {
    /// Those of the entry's script.
    pub fn of_script(vfs: &dyn Vfs, entry: &Entry) -> Recorded {
        let folders = entry.script.parent().into_iter().chain(entry.fallback.iter().map(|folder| &**folder));
        let read = |folder: &Path| {
            let written: Written = serde_json::from_str(&vfs.read(&folder.join(FILE))?).ok()?;
            (written.version == 1).then_some((folder.to_owned(), written.functions))
        };
        let Some((folder, mut rows)) = folders.into_iter().find_map(read) else { return Recorded::default() };
        rows.retain(|row| folder.join(&row.file) == entry.script);
        Recorded(rows)
    }
    /// What a function was called with.
    pub fn of(&self, code: &Code) -> Vec<Signature> {
        let rows = self.0.iter().filter(|row| row.function == code.qualname.as_str());
        rows.flat_map(|row| &row.arguments).map(|arguments| signature::parse(arguments, code)).collect()
    }
}
