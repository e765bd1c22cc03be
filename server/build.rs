//! How the binary is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        // At a fixed address: a start would otherwise write 38,000 pointers into 160 pages, which takes it a millisecond.
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
