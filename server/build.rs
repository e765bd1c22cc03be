//! How the binary is linked, and the pages of the rules that it prints.

use std::fmt::Write;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        // At a fixed address: a start would otherwise write 38,000 pointers into 160 pages, which takes it a millisecond.
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    pages();
}

/// Writes `pages.rs`: each page of `docs/rules` with the name of its rule. A new page is a new row.
fn pages() {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../docs/rules");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("docs/rules can be read");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|e| e == "md") && path.file_stem().is_some_and(|s| s != "README"));
    pages.sort();
    let mut table = String::from("&[\n");
    for page in pages {
        let page = page.canonicalize().expect("a page is there");
        let name = page.file_stem().expect("a page has a name").to_string_lossy();
        writeln!(table, "({name:?}, include_str!({page:?})),").expect("a string grows");
    }
    table.push_str("]\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where")).join("pages.rs");
    std::fs::write(out, table).expect("the table is written");
}
