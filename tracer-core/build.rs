//! Lowers the preludes for optimized builds, so that a start does not parse them.
//!
//! Development builds read them from the source tree instead (an edit needs no build): the table is empty then.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use jitlens_front::lower::lower_outline;
use jitlens_front::module::numbered;
use serde::Serialize;

const ROOT: &str = "src/frameworks";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    let mut files = Vec::new();
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={ROOT}");
        for framework in entries(Path::new(ROOT)) {
            collect(&framework.join("prelude"), &mut files);
        }
    }
    files.sort();
    let ((blob, table), names) = numbered(|| lower(&files));
    fs::write(out.join("preludes.bin"), blob).expect("the output folder can be written");
    fs::write(out.join("preludes.names"), names.text).expect("the output folder can be written");
    fs::write(out.join("preludes.index"), names.index).expect("the output folder can be written");
    fs::write(out.join("preludes.rs"), table).expect("the output folder can be written");
}

/// The dotted name of the module in a file, and whether it is a package.
fn module_name(file: &Path) -> (String, bool) {
    let path = file.strip_prefix(ROOT).expect("found below it").with_extension("");
    // Behind the framework and its `prelude`.
    let mut parts: Vec<_> = path.iter().skip(2).map(|part| part.to_string_lossy()).collect();
    let is_package = parts.last().is_some_and(|last| last == "__init__");
    parts.truncate(parts.len() - usize::from(is_package));
    (parts.join("."), is_package)
}

/// The lowered files, behind one another, and where each is.
fn lower(files: &[PathBuf]) -> (Vec<u8>, String) {
    let mut blob = Vec::new();
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a prelude is text");
        // What few programs call is decoded when it is called.
        let mut module = lower_outline(&Arc::from(text));
        module.store_later(|mut body| {
            Arc::make_mut(&mut body.module).store_codes(&mut blob, write);
            let start = blob.len() as u32;
            write(&body, &mut blob);
            (start, blob.len() as u32)
        });
        module.store_codes(&mut blob, write);
        let start = blob.len();
        write(&module, &mut blob);
        let (name, is_package) = module_name(file);
        let row = format!("    ({name:?}, {is_package}, {start}, {}),\n", blob.len());
        rows.push((name, row));
    }
    rows.sort();
    assert!(rows.windows(2).all(|pair| pair[0].0 != pair[1].0), "two preludes of one name");
    let rows: String = rows.into_iter().map(|(_, row)| row).collect();
    (blob, format!("&[\n{rows}]"))
}

fn write<T: Serialize>(what: &T, bytes: &mut Vec<u8>) {
    *bytes = postcard::to_extend(what, std::mem::take(bytes)).expect("what is lowered can be written");
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map(|all| all.flatten().map(|e| e.path()).collect()).unwrap_or_default()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "py") {
            files.push(path);
        }
    }
}
