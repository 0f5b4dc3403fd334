//! Asks the linker to keep what the cutting into chunks needs: where code and data refer to each other.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let wanted = |name: &str| std::env::var_os(name).is_some();
    let is_wasm = std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    let is_cut = wanted("CARGO_FEATURE_SPLIT") || wanted("CARGO_FEATURE_SPLIT_EMBED");
    if is_cut && is_wasm {
        println!("cargo:rustc-link-arg-bins=--emit-relocs");
    }
}
