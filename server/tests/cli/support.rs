//! A folder with files in it, and jitlens run there.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own.
pub struct Project {
    /// Where it is.
    pub folder: PathBuf,
}

impl Project {
    /// A new folder with these files.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Project {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let project = Project { folder };
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }
    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
        std::fs::write(path, text).expect("the file is written");
    }
    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("the file can be read")
    }
    /// What a folder holds, in order.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.join(folder)).expect("the folder can be read");
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| Some(entry.ok()?.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        names
    }
    /// Runs jitlens.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_keeping("", arguments)
    }
    /// Runs jitlens with a folder for what it keeps.
    pub fn run_keeping(&self, cache: &str, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jitlens"));
        command.current_dir(&self.folder).env_remove("VIRTUAL_ENV").env("JITLENS_CACHE_DIR", cache).args(arguments);
        Ran::of(&command.output().expect("jitlens runs"))
    }
    /// Runs `jitlens check`.
    pub fn check(&self, arguments: &[&str]) -> Ran {
        self.run(&[&["check"], arguments].concat())
    }
}

/// What a run of jitlens left.
#[derive(Debug)]
pub struct Ran {
    /// The exit code.
    pub code: Option<i32>,
    /// What it printed.
    pub out: String,
    /// What it said of itself.
    pub err: String,
}

impl Ran {
    fn of(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
    /// What it printed, as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).expect("JSON")
    }
}
